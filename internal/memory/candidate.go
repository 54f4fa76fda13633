package memory

import "time"

// Candidate is what ranking needs to know of a memory that a search arm
// proposed: light enough to score hundreds of them for one answer.
type Candidate struct {
	Key        int64 // row of the store; load the full memory by it
	ID         string
	Group      string // its session, else the file of its journal; "" for none
	Seq        int    // its position in Group
	Type       Type
	Form       Form
	Status     Status
	Trust      Trust
	Actor      string
	Cold       bool // stands in the cold layer
	Pinned     bool
	Confidence float64
	Stability  float64
	Importance float64
	Accesses   int
	LastAccess time.Time
	Observed   time.Time
	Created    time.Time
	Terms      string // the indexed terms in order, separated by one space
}

// Corpus holds the statistics of one namespace that term weights need.
type Corpus struct {
	Memories int            // documents in the index
	Length   int64          // terms in all of them
	DF       map[string]int // documents that hold a term, for the terms asked about
}

// Neighbour is a memory near a query vector.
type Neighbour struct {
	Key    int64
	Cosine float64
}

// Model names one generation of vectors; vectors of two models are never mixed.
type Model struct {
	Provider   string // builtin, ollama, openai
	Name       string
	Dimension  int
	Generation int64
}

// Vector is the embedding of a content, found again by its hash.
type Vector struct {
	ContentHash string
	Values      []float32
}

// Unembedded is a content that has no vector of some model yet.
type Unembedded struct {
	ContentHash string
	Title       string
	Content     string
}
