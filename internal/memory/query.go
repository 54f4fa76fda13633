package memory

import "time"

// Layer selects how far recall reads (seed 000 §1.3, §4.3).
type Layer string

// The layers: warm is MEMORY.md, boot files, memory/ and what is remembered in
// archived journals; cold is second-brain/ and the rest of the archives; the
// empty layer is warm first, then cold on need.
const (
	LayerAuto Layer = ""
	LayerWarm Layer = "warm"
	LayerCold Layer = "cold"
	LayerAll  Layer = "all"
)

// Filter selects memories. Empty fields do not restrict; empty Statuses mean
// those that Status.Recallable allows.
type Filter struct {
	Namespace     string
	Types         []Type
	Forms         []Form
	Statuses      []Status
	Actor         string
	Target        string
	Domain        string
	SourceGlob    string // * and ? as in path.Match, but * crosses slashes
	URIPrefix     string
	Levels        int // of the address that follow URIPrefix, at most; 0: any number
	SessionID     string
	File          string    // exact home file
	Holding       []string  // the content holds at least one of these texts
	After, Before time.Time // of Observed(): After inclusive, Before exclusive
	Since         time.Time // of Observed() or UpdatedAt, whichever is later, inclusive
	Layer         Layer
	Order         Order
	Limit, Offset int // Limit 0: no limit
}

// Order is the order of a listing. Ties are broken by the order of arrival;
// listings by vitality and other measures are sorted by policy.
type Order string

// The orders.
const (
	ByArrival Order = ""       // oldest row first
	Newest    Order = "newest" // by Observed, latest first
	Oldest    Order = "oldest" // by Observed, earliest first
	ByURI     Order = "uri"    // alphabetically
	ByHome    Order = "home"   // file and line
	ByGroup   Order = "group"  // session or journal, in its order
)

// Hit is one recalled memory with everything that lets a reader judge it.
type Hit struct {
	Memory      Memory
	Score       float64 // 0..1, comparable across stores
	Vitality    float64
	State       string // Golden, Silver, Bronze, Dust
	Temperature string // hot, warm, cold
	Uncertain   bool
	Duplicates  []string // ids of near-duplicates folded into this hit
}

// Related is a word that means something near to one of a question.
type Related struct {
	Term  string
	Of    string  // the term of the question
	Share float64 // of what a memory counts that holds Of, 0..1
}
