//go:build linux

// Command promises shows, on the real binary, what docs/promises.md says. After
// each rig it runs the same rig on a mutant, a build with one deliberate
// fault, and fails if the fault goes unnoticed. It prints one line for each check and
// ends with a non-zero status when one failed.
//
//	go run ./bench/promises          # the long form, at most 15 minutes
//	go run ./bench/promises -short   # what CI runs
//	go run ./bench/promises -only processes,power
//
// It needs Linux; what needs root, loop devices or strace is skipped without
// them, with the reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"agentmemory/bench/subject"
)

func main() {
	short := flag.Bool("short", false, "fewer rounds")
	only := flag.String("only", "", "run some rigs, by their names with commas between them")
	bare := flag.Bool("no-mutants", false, "leave the mutants out")
	keep := flag.Bool("keep", false, "keep the folders of the trials")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "what chance begins with") //nolint:gosec // any bits will do
	lanes := flag.Int("lanes", runtime.NumCPU()+3, "how many trials run at a time, beside the soak: most of them wait")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM) // what was mounted is unmounted
	t := trials{short: *short, only: *only, bare: *bare, keep: *keep, seed: *seed, width: *lanes}
	err := t.run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "promises:", err)
		os.Exit(1)
	}
}

// rig tries one promise on one build of the program.
type rig struct {
	name    string
	promise int
	// try returns what was done. The error is a *brokenError if the promise does not
	// hold, a skippedError if it cannot be tried here, and any other if the rig itself failed.
	try    func(context.Context, *trial) (string, error)
	mutant string // build tag of a fault that try has to notice
	tries  int    // how often the mutant is tried: chance decides whether its fault shows
	slow   bool   // the short form leaves the mutant out

	lane    lane
	seconds int // about how many the long form of it takes
}

// lane is where a rig runs in relation to others.
type lane int

const (
	pool   lane = iota // several at a time
	calm               // alone but for the soak: it judges by the clock or by memory
	beside             // beside all others: it mostly waits
)

func rigs() []rig {
	return append([]rig{
		{name: "power", promise: 1, try: powerCut, mutant: "mutant_normal_sync", tries: 2, seconds: 40},
		{name: "power-alone", promise: 1, try: powerCutAlone, mutant: "mutant_no_file_sync,mutant_no_folder_sync", tries: 2, slow: true, seconds: 30},
		{name: "folders", promise: 1, try: foldersSynced, mutant: "mutant_no_folder_sync", tries: 1, seconds: 5},
		{name: "kills", promise: 2, try: killedJobs, mutant: "mutant_wrong_order", tries: 2, slow: true, seconds: 160},
		{name: "undone", promise: 2, try: undoneAfterKills, mutant: "mutant_one_step", tries: 1, slow: true, seconds: 130},
		{name: "processes", promise: 3, try: linearizable, mutant: "mutant_stale_cache", tries: 3, seconds: 15},
		{name: "editor", promise: 4, try: savedByPeople, mutant: "mutant_check_then_write", tries: 4, slow: true, seconds: 200},
		{name: "host", promise: 4, try: staleHost, mutant: "mutant_newest_base", tries: 2, slow: true, seconds: 165},
		{name: "flips", promise: 7, try: flippedBits, mutant: "mutant_no_checksum", tries: 2, seconds: 250},
		{name: "faults", promise: 8, try: failingCalls, mutant: "mutant_false_commit", tries: 3, seconds: 130},
		{name: "full-disk", promise: 8, try: fullDisk, mutant: "mutant_false_commit", tries: 3, slow: true, seconds: 15},
		{name: "full-file-system", promise: 8, try: fullFileSystem, mutant: "mutant_false_commit", tries: 3, slow: true, seconds: 10},
		{name: "quota", promise: 8, try: overQuota, mutant: "mutant_false_commit", tries: 3, slow: true, seconds: 15},
		{name: "frozen", promise: 17, try: frozenOwner, mutant: "mutant_endless_wait", tries: 4, slow: true, seconds: 85},
		{name: "overtaken", promise: 17, try: overtakenJobs, mutant: "mutant_unfenced", tries: 2, slow: true, seconds: 250},
		{name: "upgrades", promise: 18, try: upgraded, mutant: "mutant_half_migration", tries: 2, slow: true, seconds: 80},
	}, serviceRigs()...)
}

// trial is one run of a rig.
type trial struct {
	*subject.Subject

	short  bool
	random *rand.Rand
}

// count is how many rounds to run.
func (t *trial) count(short, long int) int {
	if t.short {
		return short
	}
	return long
}

// brokenError says that a promise does not hold.
type brokenError struct{ what error }

func (e *brokenError) Error() string { return e.what.Error() }
func (e *brokenError) Unwrap() error { return e.what }

// broken turns a finding, or nil, into the error of a rig.
func broken(finding error) error {
	if finding == nil {
		return nil
	}
	return &brokenError{finding}
}

// skippedError says why a rig cannot be tried here.
type skippedError string

func (e skippedError) Error() string { return string(e) }
