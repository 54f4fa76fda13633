package text

// Held returns terms of s that every Document of a memory holds of which s is the
// actor, the target, the title or the content. It may have none: stop words are
// kept only where a text has nothing else.
func Held(s string) []string { return analyse(s, true, nil) }
