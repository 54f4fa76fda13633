package mirror

import (
	"slices"
	"time"
)

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

// returns reports whether a stale save dropped the line, for the first time:
// nobody can have meant to delete what was not there to be seen.
func (l lost) returns(now time.Time) bool {
	return l.Ours && l.Unseen && !l.Restored && now.Sub(l.Written) < young
}

// judge decides about each of one file's lost lines by the deletion guards: (a)
// young lines of ours that a stale save dropped come back once, (b) a vanished
// file or a mass removal waits for confirmation, (c) all else was deleted on purpose.
func (a absence) judge(now time.Time) []verdict {
	verdicts := make([]verdict, len(a.Lost))
	meant := slices.ContainsFunc(a.Lost, func(l lost) bool { return !l.returns(now) })
	many := a.FileGone || meant && len(a.Lost) > max(5, a.Entries/5)
	for i, l := range a.Lost {
		switch {
		case a.Accept:
		case many:
			verdicts[i] = missing
		case l.returns(now):
			verdicts[i] = restored
		}
	}
	return verdicts
}
