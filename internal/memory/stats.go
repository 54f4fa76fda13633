package memory

import "time"

// Stats counts what a namespace holds, without reading any content.
type Stats struct {
	Total      int // recallable memories
	ByType     map[Type]int
	ByPriority [4]int
	ByStatus   map[Status]int
	URIs       int
	Links      int
	Revisions  int // entries of the history
	Passages   int
	Outbox     int       // changes not yet in the files
	OldestOut  time.Time // when the oldest of them was committed; zero if none
	Unembedded int       // contents without a vector of the serving model
	SchemaVer  int
	TextVer    int
	Bytes      int64 // database, WAL included
}
