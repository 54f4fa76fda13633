package mirror

import "time"

// young is the age below which a vanished line of ours may be the victim of a
// stale save: an editor that loaded the file before we wrote the line.
const young = 15 * time.Minute

// verdict is what becomes of memories whose home line has gone.
type verdict int

const (
	deleted  verdict = iota // a person removed them: archive, then forget
	restored                // a stale save dropped them: write them again, once
	missing                 // too much at once to be believed: keep, ask
)

// absence describes the home lines that have gone from one file, after every
// other file has been searched for their ids.
type absence struct {
	FileGone bool
	Entries  int // how many the file should hold
	Lost     []lost
	Accept   bool // the person has confirmed: sync --accept-deletions
}

// lost is one home line that is nowhere any more.
type lost struct {
	ID       string
	Ours     bool // we wrote the line, nobody typed it
	Written  time.Time
	Unseen   bool // the file is an edit of a version that did not hold the line yet
	Restored bool // it was restored before; the second removal is meant
}

// overwritten reports whether a stale save dropped the line: nobody can have
// meant to delete what was not there to be seen.
func (l lost) overwritten(now time.Time) bool {
	return l.Ours && l.Unseen && now.Sub(l.Written) < young
}

// judge decides about each of one file's lost lines by the deletion guards: (a)
// young lines of ours that a stale save dropped come back once, (b) a vanished
// file or a mass removal waits for confirmation, (c) all else was deleted on purpose.
func (a absence) judge(now time.Time) []verdict {
	verdicts := make([]verdict, len(a.Lost))
	meant, again := 0, 0 // lines that were there to be seen; that have had their return
	for _, l := range a.Lost {
		switch {
		case !l.overwritten(now):
			meant++
		case l.Restored:
			again++
		}
	}
	limit := max(5, a.Entries/5)
	all := a.FileGone || meant > 0 && len(a.Lost) > limit
	for i, l := range a.Lost {
		switch {
		case a.Accept:
		case all:
			verdicts[i] = missing
		case l.overwritten(now) && !l.Restored:
			verdicts[i] = restored
		case again > limit:
			verdicts[i] = missing
		}
	}
	return verdicts
}
