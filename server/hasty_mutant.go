//go:build mutant_hasty_end

package server

// unlessHasty is wrong on purpose: a test has to notice.
func unlessHasty(<-chan struct{}) <-chan struct{} {
	at := make(chan struct{})
	close(at)
	return at
}
