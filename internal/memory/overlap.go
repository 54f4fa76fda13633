package memory

// Overlap asks for memories whose text holds much of what another text says.
// Its bounds make the answer cost the same in a store of any size.
type Overlap struct {
	Namespace string
	Type      Type
	Form      Form
	Hash      string   // memory.Hash of the text: what holds the very same comes first
	Terms     []string // of the text (text.Index), repeats kept; none: only the same text is wanted
	Share     float64  // least share of the shorter text's terms that both hold, 0..1
	Topic     []string // some of the terms, each once; none: Share alone decides
	OfTopic   float64  // least share of Topic that a memory holds, 0..1,
	OfTerms   float64  // unless it holds this share of Terms, 0..1
	Rare      int      // how many of the rarest terms are looked up
	Postings  int      // how many memories these may hold together
	Compared  int      // how many memories are compared term by term
	Limit     int      // how many are returned
	Decisions int      // how many decisions are returned besides, whatever the form and type; not compared term by term
}
