package lifecycle

import (
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// ClassifyCaptured returns the type of something taken from a conversation. The
// keyword lists decide, as for every line of a diary. Where they are silent, its
// class does: the words that made it a rule or a request ("记住", "remember")
// were cut off, and decisions stand with the knowledge in RECENT.md. What
// happened or is to be done stays an event. Identity, which never decays, is
// only ever written by hand.
func ClassifyCaptured(class Class, content string) memory.Type {
	byWords := Classify(content)
	if byWords != memory.Event {
		return byWords
	}
	switch class {
	case ClassDecision, ClassRule, ClassArchitecture, ClassRemember, ClassCorrection, ClassPreference, ClassIdentity, ClassLesson:
		return memory.Knowledge
	case ClassEmotion:
		return memory.Emotion
	}
	return memory.Event
}

// CapturedImportance returns the initial importance of something taken from a
// conversation: what the user asked to be kept before what was only said.
func CapturedImportance(class Class) float64 {
	switch class {
	case ClassRemember:
		return 0.7
	case ClassDecision, ClassRule, ClassCorrection:
		return 0.6
	}
	return defaultImportance
}

// CapturedAt returns under which time something said in a conversation is
// learned: today's is learned now, and stands in the diary where this run writes;
// what was said on an earlier day belongs to the diary of that day.
func CapturedAt(said, now time.Time) time.Time {
	if said.IsZero() {
		return now
	}
	said = said.In(now.Location())
	if said.After(now) || said.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return now
	}
	return said
}

// Takes reports whether a policy captures a class.
func (p CapturePolicy) Takes(c Class) bool {
	return p.Whole() || slices.Contains(p.Classes, c)
}

// Whole reports whether a policy captures every class that there is.
func (p CapturePolicy) Whole() bool {
	return slices.ContainsFunc(p.Classes, func(c Class) bool { return c == ClassBullet || c == ClassDigest || c == ClassNote })
}
