package main

import (
	"slices"
	"strings"
	"testing"
)

func TestOnlyKnownPermissiveLicencesAreAllowed(t *testing.T) {
	cases := []struct {
		licence string
		fine    bool
	}{
		{"MIT", true}, {"BSD-3-Clause", true}, {"MPL-2.0", true},
		{"Unknown", false}, {"", false}, {"GPL-3.0", false}, {"AGPL-3.0", false}, {"mit", false},
	}
	for _, c := range cases {
		err := allowed([]part{{"example.org/good", "v1.0.0", "MIT"}, {"example.org/new", "v1.0.0", c.licence}})
		if (err == nil) != c.fine {
			t.Errorf("%q: %v", c.licence, err)
		}
		if err != nil && !strings.Contains(err.Error(), "example.org/new") {
			t.Errorf("%q: %v does not name the part", c.licence, err)
		}
	}
}

func TestAnyChangeOfPartsIsADifference(t *testing.T) {
	parts := []part{{"example.org/a", "v1.0.0", "MIT"}, {"example.org/b", "v2.0.0", "ISC"}}
	listed := render(parts)
	if got := difference(listed, render(parts)); len(got) != 0 {
		t.Errorf("the same parts differ: %q", got)
	}
	changed := map[string][]part{
		"a new part":      append(slices.Clone(parts), part{"example.org/c", "v1.0.0", "MIT"}),
		"another version": {parts[0], {"example.org/b", "v2.0.1", "ISC"}},
		"another licence": {parts[0], {"example.org/b", "v2.0.0", "MIT"}},
		"one part less":   parts[:1],
	}
	for what, now := range changed {
		if got := difference(listed, render(now)); len(got) == 0 {
			t.Errorf("%s is no difference", what)
		}
	}
}

func TestReportsAreReadAndTidied(t *testing.T) {
	got := tidied(parse("b\tv1\tMIT\na\tv2\tISC\nb\tv1\tMIT\nnot a row\n"))
	if want := []part{{"a", "v2", "ISC"}, {"b", "v1", "MIT"}}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestALicenceReadByPeopleIsOfOneVersion(t *testing.T) {
	got := parse("modernc.org/mathutil\tv1.7.1\tUnknown\nmodernc.org/mathutil\tv1.7.2\tUnknown\n")
	if len(got) != 2 || got[0].licence != "BSD-3-Clause" || got[1].licence != "Unknown" {
		t.Errorf("got %v", got)
	}
}
