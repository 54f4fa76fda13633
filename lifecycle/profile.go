package lifecycle

import (
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Profile is one named set of policy values. A profile is data: the table of
// Profiles is the whole difference between the systems that it imitates.
type Profile struct {
	Name    string
	Root    string // folder of the memory tree below the workspace; "" = the workspace itself
	Measure Measure

	Outline OutlinePolicy // MEMORY.md
	Capture CapturePolicy
	Guard   GuardPolicy
	Surface SurfacePolicy
	Tidy    TidyPolicy
	Govern  GovernPolicy
	GC      GCPolicy
	Recall  RecallPolicy

	// Consistency is how many of the liveliest memories are compared with
	// MEMORY.md after a reflection; 0 = no check.
	Consistency int
	// JournalDecisions is the number of decisions a journal may hold before
	// the rest moves to topic files; 0 = no limit.
	JournalDecisions int
	// ArchiveJournalsAfter is the days after which a journal that a weekly
	// summary covers moves to the archive of its year; 0 = never.
	ArchiveJournalsAfter int

	Jobs []Job
	Boot []BootStep
}

// Cap bounds a projection file. A bound of 0 does not bind.
type Cap struct {
	Lines, Chars, Bytes int
}

// HostCap is what hosts load of a MEMORY.md: no profile may go beyond it.
const HostCap = 20_000

// OutlinePolicy says what MEMORY.md holds.
type OutlinePolicy struct {
	Write     bool // false: the profile has entity summaries instead
	Cap       Cap
	LineChars int  // of one line, link included
	Golden    bool // only what is Golden
}

// Class is a kind of thing that capture takes from a conversation.
type Class string

// The classes.
const (
	ClassDecision     Class = "decision"
	ClassRule         Class = "rule"
	ClassArchitecture Class = "architecture"
	ClassRemember     Class = "remember"
	ClassPreference   Class = "preference"
	ClassIdentity     Class = "identity"
	ClassEmotion      Class = "emotion"
	ClassLesson       Class = "lesson"
	ClassTask         Class = "task"
	ClassCorrection   Class = "correction"
	ClassOpenLoop     Class = "open_loop"
	ClassBullet       Class = "bullet" // every new bullet of a journal, one to one
	ClassDigest       Class = "digest" // one digest a conversation
	ClassNote         Class = "note"   // chronological notes
)

// CapturePolicy says what is taken from conversations.
type CapturePolicy struct {
	Classes         []Class
	LookBack        time.Duration // 0: since the cursor
	MinUserMessages int           // shorter conversations are skipped
	Cards           bool          // decisions are written as the cards of their schema
	Corrections     bool          // what sets right something that is remembered is taken whatever its class
}

// GuardPolicy holds the thresholds of the write guard.
type GuardPolicy struct {
	// Same is the overlap of terms, 0..1, from which two texts of one type say
	// the same.
	Same float64
	// Contained is the share of the shorter text's terms, 0..1, that the longer
	// one must hold for the two to be merged.
	Contained float64
	// Topic is the share of the shorter statement's terms, 0..1, that two
	// statements must have in common to contradict each other.
	Topic float64
	// Cosine is the similarity of vectors from which a paraphrase reinforces;
	// 0 = vectors are not asked. It holds for the embedder it was calibrated on.
	Cosine float64
	// ExactReinforces says that the same text again counts as a reinforcement
	// instead of changing nothing.
	ExactReinforces bool
}

// SurfacePolicy bounds RECENT.md.
type SurfacePolicy struct {
	Days                        int
	Emotions, Knowledge, Events int // entries of each section
	Total                       int // entries of all sections
	Lines                       int // of the file
	LineChars                   int // of one line, bullet included
	Overlap                     float64
}

// TidyPolicy says what is put away. Nothing is removed: only the status changes.
type TidyPolicy struct {
	// Faded is the vitality under which an unprotected memory is archived; 0 = never.
	Faded float64
	// Keep is the number of newest fading memories that are never archived, so
	// that a store left alone for a season is not emptied.
	Keep int
	// Days after which a note that speaks of something passing is archived.
	JustNow, InProgress, ToDo int
	// Duplicates says whether repeated texts are superseded by the best of them.
	Duplicates bool
}

// GovernPolicy bounds the store.
type GovernPolicy struct {
	MaxActive int // notes recalled by default; 0 = no limit
}

// GCPolicy says what may be removed after it was written to the archive.
type GCPolicy struct {
	Never  bool
	Days   int // since the last use
	Keep   int // memories that always stay
	DryRun bool
}

// RecallPolicy holds the defaults of recall.
type RecallPolicy struct {
	Results   int
	MinScore  float64 // 0: calibrated from the store
	TaskFirst bool
	// ReturnedCounts says that being returned is a use: it moves the last access.
	ReturnedCounts bool
}

// Job is one scheduled run.
type Job struct {
	Name   string // sync, surface, wrapup, reflect, compound, extract, gc, watchdog
	Cron   string // five fields, local time; "" when After is set
	After  string // the job, or "conversation", that it follows
	DryRun bool
}

// BootStep is one thing that is read at the start of a conversation.
type BootStep struct {
	Path      string // below the root; "today" is the journal of the day
	AfterOnly Occasion
}

// Occasion is why a conversation begins.
type Occasion string

// The occasions; the empty one is any.
const (
	AnyOccasion Occasion = ""
	OnStart     Occasion = "start"
	OnReset     Occasion = "reset" // after a reset or compaction
)

// BootOrder returns the paths to be read on an occasion, in order. How to behave
// is part of every one (seed 004 §1): where a profile does not say so, it comes
// after the state and the user.
func (p Profile) BootOrder(o Occasion) []string {
	paths := []string{}
	for _, step := range p.Boot {
		if step.AfterOnly == AnyOccasion || step.AfterOnly == o {
			paths = append(paths, step.Path)
		}
	}
	if slices.Contains(paths, FileTacit) {
		return paths
	}
	at := 0
	for at < len(paths) && (paths[at] == FileState || paths[at] == FileUser) {
		at++
	}
	return slices.Insert(paths, at, FileTacit)
}

// DefaultProfile is the name of the profile that fuses the best of all.
const DefaultProfile = "openclaw"

// ProfileByName returns a profile; "" is the default one. An unknown name is an
// InvalidArgument that lists the valid ones.
func ProfileByName(name string) (Profile, error) {
	if name == "" {
		name = DefaultProfile
	}
	for _, p := range Profiles() {
		if p.Name == name {
			return p, nil
		}
	}
	return Profile{}, memory.Errorf(memory.InvalidArgument, "no profile is named %q", name).
		WithHint("profiles: %s", strings.Join(ProfileNames(), ", "))
}

// ProfileNames lists the names of all profiles, the default one first.
func ProfileNames() []string {
	names := []string{}
	for _, p := range Profiles() {
		names = append(names, p.Name)
	}
	return names
}
