package lifecycle

import "time"

// Files that boot orders name, below the profile's root.
const (
	FileUser    = "USER.md"
	FileTacit   = "memory/life/resources/system/tacit_knowledge.md"
	FileOutline = "MEMORY.md"
	FileRecent  = "RECENT.md"
	FileState   = "memory/CURRENT_STATE.md"
	FileIndex   = "memory/INDEX.md"
	FileToday   = "today" // the journal of the day
)

// Profiles is the table of all profiles, the default one first. Each row is
// one way of living with an agent's memory; openclaw joins the best of all.
func Profiles() []Profile {
	return []Profile{openclaw(), fourLayer(), fusion(), yue(), watchtower(), para()}
}

func openclaw() Profile {
	return Profile{
		Name: "openclaw", Measure: ByVitality,
		Outline: OutlinePolicy{Write: true, Cap: Cap{Lines: 200, Chars: HostCap}, LineChars: 240},
		Capture: CapturePolicy{Classes: allClasses(), MinUserMessages: 2},
		Guard:   careful(), Surface: recentWeek(), Tidy: fading(),
		GC:     GCPolicy{Days: 30, Keep: 10, DryRun: true},
		Recall: RecallPolicy{Results: 8}, Consistency: 20, JournalDecisions: 300, ArchiveJournalsAfter: 7,
		Jobs: []Job{
			{Name: "sync", Cron: "0 14,22 * * *"}, {Name: "sync", After: "conversation"},
			{Name: "surface", After: "sync"}, {Name: "wrapup", Cron: "30 0 * * *"},
			{Name: "reflect", Cron: "30 4 * * *"}, {Name: "compound", Cron: "0 22 * * 0"},
			{Name: "gc", Cron: "0 5 * * 1", DryRun: true}, {Name: "watchdog", Cron: "15 */2 * * *"},
		},
		Boot: []BootStep{
			{Path: FileState, AfterOnly: OnReset}, {Path: FileUser}, {Path: FileTacit},
			{Path: FileOutline}, {Path: FileRecent}, {Path: FileToday},
		},
	}
}

func fourLayer() Profile {
	return Profile{
		Name: "four-layer", Measure: ByConfidence,
		Outline: OutlinePolicy{Write: true, Cap: Cap{Lines: 200, Chars: HostCap}, LineChars: 240},
		Capture: CapturePolicy{
			Classes:  []Class{ClassDecision, ClassRule, ClassArchitecture, ClassRemember},
			LookBack: 3 * time.Hour, Cards: true, Corrections: true,
		},
		Guard: careful(), Surface: recentWeek(), Tidy: passing(),
		GC:     GCPolicy{Never: true},
		Recall: RecallPolicy{Results: 6}, JournalDecisions: 300,
		Jobs: []Job{
			{Name: "sync", Cron: "0 10,13,16,19,22 * * *"}, {Name: "wrapup", Cron: "30 0 * * *"},
			{Name: "compound", Cron: "0 22 * * 0"}, {Name: "reflect", After: "compound"},
		},
		Boot: []BootStep{{Path: FileOutline}},
	}
}

func fusion() Profile {
	return Profile{
		Name: "fusion", Measure: ByVitality,
		Outline: OutlinePolicy{Write: true, Cap: Cap{Lines: 200, Chars: HostCap}, LineChars: 240},
		Capture: CapturePolicy{Classes: []Class{ClassBullet}},
		Guard:   careful(), Surface: recentWeek(), Tidy: fading(),
		GC:     GCPolicy{Never: true},
		Recall: RecallPolicy{Results: 10}, Consistency: 3, ArchiveJournalsAfter: 7,
		Jobs: []Job{
			{Name: "sync", Cron: "0 14,22 * * *"}, {Name: "surface", After: "sync"},
			{Name: "compound", Cron: "0 3 * * *"}, {Name: "reflect", After: "compound"},
		},
		Boot: []BootStep{{Path: FileOutline}, {Path: FileRecent}},
	}
}

func yue() Profile {
	guard := careful()
	guard.Cosine, guard.ExactReinforces = 0.75, true
	tidy := TidyPolicy{Duplicates: true} // gc collects what has become Dust
	return Profile{
		Name: "yue", Measure: ByImportance,
		Outline: OutlinePolicy{Write: true, Cap: Cap{Lines: 200, Chars: HostCap}, LineChars: 240, Golden: true},
		Capture: CapturePolicy{Classes: []Class{ClassRemember}},
		Guard:   guard, Surface: recentWeek(), Tidy: tidy,
		GC:     GCPolicy{Days: 7, Keep: 10, DryRun: true},
		Recall: RecallPolicy{Results: 5, MinScore: 0.5, ReturnedCounts: true},
		Jobs: []Job{
			{Name: "reflect", Cron: "30 4 * * *"},
			{Name: "compound", Cron: "0 22 * * 0"}, // else nothing would write the Golden file that it reads first
			{Name: "gc", Cron: "0 5 1,15 * *", DryRun: true},
		},
		Boot: []BootStep{{Path: FileOutline}},
	}
}

func watchtower() Profile {
	return Profile{
		Name: "watchtower", Measure: ByRecency,
		Outline: OutlinePolicy{Write: true, Cap: Cap{Lines: 80, Chars: HostCap, Bytes: 5 << 10}, LineChars: 200},
		Capture: CapturePolicy{Classes: []Class{ClassDigest}, LookBack: 26 * time.Hour, MinUserMessages: 2},
		Guard:   careful(), Surface: recentWeek(), Tidy: passing(),
		GC:     GCPolicy{Never: true},
		Recall: RecallPolicy{Results: 8, TaskFirst: true}, ArchiveJournalsAfter: 7,
		Jobs: []Job{
			{Name: "sync", Cron: "0 23 * * *"}, {Name: "compound", Cron: "0 22 * * 0"},
			{Name: "reflect", After: "compound"}, {Name: "watchdog", Cron: "15 */2 * * *"},
		},
		Boot: []BootStep{{Path: FileState}, {Path: FileIndex}},
	}
}

func para() Profile {
	tidy := TidyPolicy{Duplicates: true} // what is cold only leaves the summaries
	return Profile{
		Name: "para", Root: ".shadow", Measure: ByTemperature,
		Outline: OutlinePolicy{},
		Capture: CapturePolicy{Classes: []Class{ClassNote}},
		Guard:   careful(), Surface: recentWeek(), Tidy: tidy,
		GC:     GCPolicy{Never: true},
		Recall: RecallPolicy{Results: 8},
		Jobs:   []Job{{Name: "extract", Cron: "0 22 * * 0"}},
		Boot:   []BootStep{{Path: FileUser}, {Path: FileTacit}, {Path: FileToday}},
	}
}

func allClasses() []Class {
	return []Class{
		ClassDecision, ClassRule, ClassArchitecture, ClassRemember, ClassPreference,
		ClassIdentity, ClassEmotion, ClassLesson, ClassTask, ClassCorrection, ClassOpenLoop,
	}
}

func careful() GuardPolicy { return GuardPolicy{Same: 0.9, Contained: 0.85, Topic: 0.6} }

func recentWeek() SurfacePolicy {
	return SurfacePolicy{
		Days: 7, Emotions: 8, Knowledge: 15, Events: 15, Total: 40,
		Lines: 80, LineChars: 200, Overlap: 0.9,
	}
}

// passing is fading for profiles that vitality does not govern: what speaks of
// something that has passed is put away, but nothing fades.
func passing() TidyPolicy {
	tidy := fading()
	tidy.Faded, tidy.Keep = 0, 0
	return tidy
}

func fading() TidyPolicy {
	return TidyPolicy{Faded: FadedBelow, Keep: 50, JustNow: 3, InProgress: 7, ToDo: 14, Duplicates: true}
}
