package related

// Table reads what Encode wrote.
func Table(encoded []byte) func(term string, limit int) []Word { return table(encoded).words }
