package memory

// PendingVector is a content that has no vector of some model yet.
type PendingVector struct {
	ContentHash string
	Content     string
}
