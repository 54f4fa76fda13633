package main

import (
	"strings"
	"testing"
)

// A batch of which one item fails keeps the others, prints what became of each
// and does not end as if all was well.
func TestABatchWithAFailureEndsWithItsStatus(t *testing.T) {
	t.Parallel()
	env, _ := surround(t)
	for _, c := range []struct {
		items string
		code  int
	}{
		{`[{"content":"Prefers tabs over spaces in Go"}]`, 0},
		{`[{"content":"The office router is in the hall"},{"content":""}]`, 2},
	} {
		code, out, errs := program(t, env, "remember", "--items", c.items)
		if code != c.code || !strings.Contains(out, "1 added") {
			t.Errorf("%s: exit status %d, said %q %q", c.items, code, out, errs)
		}
	}
}
