package capture

import (
	"strings"
)

// rule recognises one class in one sentence.
type rule struct {
	class Class
	// triggers are pieces of folded text of which a sentence must hold one;
	// they keep the patterns, which cost more, from most sentences.
	triggers []string
	patterns []*pattern // of which one must match
	unless   *pattern   // and this must not; nil: nothing forbids
	// evenAsked and evenUnsure: questions and doubtful sentences count too.
	evenAsked, evenUnsure bool
	// assistant: what the assistant says counts as well as what the user says.
	assistant  bool
	confidence float64
}

func (r rule) matches(s sentence) bool {
	if !containsAny(s.folded, r.triggers) {
		return false
	}
	for _, p := range r.patterns {
		if s.letters.possible(p) && p.MatchString(s.folded) {
			return (r.evenAsked || !s.question()) && (r.unless == nil || !r.unless.MatchString(s.folded)) && !s.technical()
		}
	}
	return false
}

func containsAny(s string, pieces []string) bool {
	for _, p := range pieces {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// allRules lists the rules in the order of Classes.
func allRules() []rule {
	return []rule{
		rememberRule(), correctionRule(), openLoopRule(), decisionRule(), lessonRule(), causeRule(), taskRule(),
		ruleRule(), architectureRule(), identityRule(), preferenceRule(), emotionRule(),
	}
}
