package memory

// Waiting takes out of a channel what waits there now. It never waits itself,
// also where several take at once.
func Waiting[T any](from <-chan T) []T {
	var taken []T
	for range len(from) {
		select {
		case one := <-from:
			taken = append(taken, one)
		default: // somebody else was quicker
		}
	}
	return taken
}
