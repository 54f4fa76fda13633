// Package redact makes foreign text safe to keep: it removes characters that
// people cannot see, replaces secrets by a marker, and names the reasons why a
// text looks like an instruction to the reader rather than something to
// remember. It is pure: no I/O, no clock, no state between calls.
//
// Filtering does not make untrusted text trustworthy. What it finds lowers the
// authority of a text (quarantine); what it does not find proves nothing.
package redact

// Redactor holds the compiled rules. It is safe for concurrent use.
type Redactor struct {
	secrets *secretScanner
	phrases *phraseScanner
}

// New compiles the rules; build one Redactor and share it.
func New() *Redactor {
	return &Redactor{secrets: newSecretScanner(secretRules()), phrases: newPhraseScanner(phraseRules())}
}

// Finding is one secret that was replaced. It never holds the secret itself.
type Finding struct {
	Rule   string `json:"rule"`
	Offset int    `json:"offset"` // byte of the returned text at which the marker stands
}

// Reason is one ground for quarantine.
type Reason struct {
	Rule    string `json:"rule"`
	Excerpt string `json:"excerpt"` // what was matched, folded to lower case, at most 80 bytes
}

// Result is a text made safe, and what had to be done to it.
type Result struct {
	Text    string
	Removed []string // kinds of characters removed, see Sanitise
	Secrets []Finding
	Reasons []Reason // not empty: quarantine the text
}

// Clean sanitises s, redacts its secrets and judges what is left. Cleaning a
// cleaned text changes nothing.
func (r *Redactor) Clean(s string) Result {
	text, removed := r.Sanitise(s)
	text, secrets := r.Secrets(text)
	reasons := r.Suspicious(text)
	for _, kind := range removed {
		if kind == RemovedTags || kind == RemovedSelectors {
			reasons = append(reasons, Reason{Rule: "hidden_text", Excerpt: kind})
		}
	}
	return Result{Text: text, Removed: removed, Secrets: secrets, Reasons: reasons}
}
