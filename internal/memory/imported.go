package memory

// Imported is one memory as another store or a file describes it, before it
// is known under which id and address it can be kept here.
type Imported struct {
	Memory  Memory
	Store   string     // the store it was in, if the source names one
	Aliases []string   // further addresses of the same memory
	History []Revision // earlier contents, oldest first
	Current bool       // the importance is what it was when it was exported, decay included
	Exact   bool       // written by our own export: what is absent was empty
	Origin  string     // where in the source it stands, for messages: "line 12"
	Notes   []string   // what could not be taken over
}
