//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// watchful is a test of a package that has to fail on a build with a fault. The
// same test, on the program as it is, runs with all others.
type watchful struct{ mutant, name, pkg string }

func watchfulTests() []watchful {
	return []watchful{
		{"mutant_trusts", "TestHostileTextNeverReachesWhatHostsLoad", "./cmd/agent-memory"},
		{"mutant_unescaped", "TestForgedMetadataIsNeverOurs", "./markdown"},
		{"mutant_hasty_end", "TestEveryCallIsAnsweredWhenInputEnds", "./server"},
		{"mutant_remembers", "TestPurgeReachesEveryPlace", "./cmd/agent-memory"},
		{"mutant_one_namespace", "TestNoAgentSeesAnothersMemory", "./cmd/agent-memory"},
		{"mutant_leak", "TestStreamableHTTPAnswers", "./server"},
		{"mutant_one_step", "TestAPuttingAwayThatIsKilledCanBeUndone", "./internal/mirror"},
		{"mutant_unfenced", "TestTheOvertakenDoNotGetTheFiles", "./internal/mirror"},
	}
}

// testsNotice shows of tests that they can fail.
func testsNotice(ctx context.Context, _ *trial) (string, error) {
	var problems []error
	for _, w := range watchfulTests() {
		out, err := exec.CommandContext(ctx, "go", "test", "-trimpath", "-count=1", "-tags", w.mutant, "-run", "^"+w.name+"$", w.pkg).CombinedOutput()
		switch {
		case err == nil:
			problems = append(problems, broken(fmt.Errorf("%s does not notice %s", w.name, w.mutant)))
		case !ranAndFailed(string(out)):
			problems = append(problems, fmt.Errorf("%s with %s: %w\n%s", w.name, w.mutant, err, out))
		}
	}
	var names []string
	for _, w := range watchfulTests() {
		names = append(names, w.mutant)
	}
	return fmt.Sprintf("tests notice %s", strings.Join(names, ", ")), errors.Join(problems...)
}

// ranAndFailed tells a test that failed, or found goroutines at its end, from one that was not built.
func ranAndFailed(out string) bool {
	return regexp.MustCompile(`(?m)^(--- FAIL|goleak: )`).MatchString(out)
}
