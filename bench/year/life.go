package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"agentmemory/lifecycle"
	"agentmemory/tools"
)

// The rhythm of a life.
const (
	entriesADay  = 20
	recallsADay  = 10
	treasureDays = 4  // a valuable thing every so many days
	revisionDays = 25 // something valuable changes every so many days
	idleMonths   = 6
)

// life is what happened in a workspace, and what was seen of it.
type life struct {
	*workspace
	random     *rand.Rand
	teller     *teller
	judged     map[string]string // what a judge calls valuable: key → id of the memory
	recent     []told            // of the last days, for recalls
	popular    []int             // an order in which valuable things are asked for
	samples    []sample
	asked      int               // recalls for something valuable
	found      int               // … that returned it
	words      map[string]string // what is valuable, by key, as it was told
	summarised int               // … that returned a summary which holds its words
	idle       sample
}

// live lives in a new workspace, then leaves it alone for half a year and lets
// the jobs run once.
func live(ctx context.Context, dir, profile string, days int, seed uint64) (_ *life, err error) {
	p, err := lifecycle.ProfileByName(profile)
	if err != nil {
		return nil, err
	}
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	w, err := openWorkspace(ctx, dir, p, &clock{at: begin, since: time.Now()}, seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	random := rand.New(rand.NewPCG(seed, 11))
	l := &life{workspace: w, random: random, teller: &teller{random: random}, judged: map[string]string{}, words: map[string]string{}}
	for d := range days {
		if err := l.day(ctx, begin.AddDate(0, 0, d), d); err != nil {
			return nil, fmt.Errorf("day %d: %w", d, err)
		}
	}
	return l, l.leaveAlone(ctx, begin.AddDate(0, idleMonths, days))
}

// happening is one thing of a day.
type happening struct {
	at time.Time
	do func(context.Context) error
}

func (l *life) day(ctx context.Context, day time.Time, d int) error {
	list := l.entries(day, d)
	for i := range recallsADay {
		list = append(list, happening{l.moment(day), func(ctx context.Context) error { return l.ask(ctx, i) }})
	}
	for _, f := range firings(l.table, day) {
		list = append(list, happening{f.at, func(ctx context.Context) error { return l.job(ctx, f.job) }})
	}
	slices.SortStableFunc(list, func(a, b happening) int { return a.at.Compare(b.at) })
	for _, h := range list {
		l.clock.set(h.at)
		if err := h.do(ctx); err != nil {
			return err
		}
	}
	l.clock.set(day.AddDate(0, 0, 1).Add(-time.Minute))
	if err := l.mirror.Flush(ctx, time.Minute); err != nil {
		return fmt.Errorf("writing the files: %w", err)
	}
	if d%7 != 6 {
		return nil
	}
	s, err := l.sample(ctx)
	l.samples = append(l.samples, s)
	return err
}

// moment is some time between 9 and 22 o'clock.
func (l *life) moment(day time.Time) time.Time {
	return day.Add(9*time.Hour + time.Duration(l.random.IntN(13*3600))*time.Second)
}

func (l *life) entries(day time.Time, d int) []happening {
	list := make([]happening, 0, 64)
	for i := range entriesADay {
		one := l.teller.trifle()
		switch {
		case i == 5 && d%treasureDays == 0:
			one = l.teller.treasure(d / treasureDays)
			l.teller.worth = append(l.teller.worth, one)
			l.popular = append(l.popular, 0)
			at := l.random.IntN(len(l.popular))
			l.popular = slices.Insert(l.popular[:len(l.popular)-1], at, len(l.teller.worth)-1)
		case i == 6 && d%revisionDays == revisionDays-1:
			if changed, ok := l.teller.revision(); ok {
				one = changed
			}
		}
		list = append(list, happening{l.moment(day), func(ctx context.Context) error { return l.tell(ctx, one) }})
	}
	return list
}

func (l *life) tell(ctx context.Context, one told) error {
	result, err := l.remember.Run(ctx, tools.RememberArgs{RememberItem: one.item})
	if err != nil {
		return fmt.Errorf("remembering %q: %w", one.item.Content, err)
	}
	if one.key != "" {
		if result.MemoryID == "" {
			return fmt.Errorf("%q was %s: %s", one.item.Content, result.Action, result.Reason)
		}
		l.judged[one.key] = result.MemoryID
		l.words[one.key] = strings.TrimSpace(strings.TrimPrefix(one.item.Content, lifecycle.RememberMark))
	}
	if one.question != "" && one.key == "" {
		l.recent = append(l.recent, one)
		l.recent = l.recent[max(0, len(l.recent)-60):]
	}
	return nil
}

// ask recalls: half of the time something valuable, the same few far more often
// than the others, else something recent, now and then what nobody ever said.
func (l *life) ask(ctx context.Context, i int) error {
	question, key := "the phone number of the mayor of Atlantis", ""
	switch {
	case i%2 == 0 && len(l.popular) > 0:
		z := rand.NewZipf(l.random, 1.1, 8, uint64(len(l.popular)))
		one := l.teller.worth[l.popular[min(int(z.Uint64()), len(l.popular)-1)]]
		question, key = one.question, one.key
	case i > 1 && len(l.recent) > 0:
		question = l.recent[l.random.IntN(len(l.recent))].question
	}
	result, err := l.recall.Run(ctx, tools.RecallArgs{Query: question})
	if err != nil {
		return fmt.Errorf("recalling %q: %w", question, err)
	}
	id, known := l.judged[key]
	if !known {
		return nil
	}
	l.asked++
	if slices.ContainsFunc(result.Memories, func(h tools.RecallHit) bool { return h.ID == id }) {
		l.found++
	} else if slices.ContainsFunc(result.Memories, func(h tools.RecallHit) bool { return strings.Contains(h.Content, l.words[key]) }) {
		l.summarised++
	}
	return nil
}

// leaveAlone lets half a year pass in which nothing happens, then runs each job once.
func (l *life) leaveAlone(ctx context.Context, until time.Time) error {
	l.clock.set(until)
	for _, j := range l.table.Jobs {
		if err := l.job(ctx, j); err != nil {
			return fmt.Errorf("after half a year: %w", err)
		}
	}
	var err error
	l.idle, err = l.sample(ctx)
	return err
}
