package lifecycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// What a text names on purpose becomes an entity; what merely looks like a name does not.
func TestEntitiesThatATextNamesOnPurpose(t *testing.T) {
	for said, want := range map[string]string{
		"[[Maria]] works at the harbour office":               "areas/maria",
		"[[Maria Lopez|Maria]] prefers short letters":         "areas/maria-lopez",
		"The ledger of [[Apollo]] uses SQLite":                "resources/apollo",
		"The project [[Apollo]] uses SQLite":                  "projects/apollo",
		"[[projects/Apollo]] uses SQLite":                     "projects/apollo",
		"[[people/Maria]] speaks Spanish":                     "areas/maria",
		"Project Apollo: the ledger uses SQLite":              "projects/apollo",
		"Project Apollo status: the ledger uses SQLite":       "projects/apollo",
		"The Apollo project: the ledger uses SQLite":          "projects/apollo",
		"Company Acme: the office uses Slack":                 "areas/acme",
		"项目阿波罗：账本使用 SQLite":                                   "projects/阿波罗",
		"阿波罗项目：账本使用 SQLite":                                   "projects/阿波罗",
		"Apollo 项目：账本使用 SQLite":                               "projects/apollo",
		"[[玛丽亚]]负责港口办公室":                                      "areas/玛丽亚",
		"[[阿波罗]]项目使用 SQLite":                                  "projects/阿波罗",
		"Maria works at the harbour office":                   "resources/inbox",
		"Apollo uses SQLite":                                  "resources/inbox",
		"Project status: the ledger uses SQLite":              "resources/inbox",
		"The project: the ledger uses SQLite":                 "resources/inbox",
		"Our project: the ledger uses SQLite":                 "resources/inbox",
		"项目状态：账本使用 SQLite":                                    "resources/inbox",
		"本项目：账本使用 SQLite":                                     "resources/inbox",
		"项目的截止日期：三月五号，账本使用 SQLite":                            "resources/inbox",
		"The script uses `[[ -f ledger ]]` as a test":         "resources/inbox",
		"The script uses [[ -f ledger ]] as a test":           "resources/inbox",
		"See [[2026-03-05]], the ledger uses SQLite":          "resources/inbox",
		"See [[notes.md]], the ledger uses SQLite":            "resources/inbox",
		"See [[../secrets/key]], the ledger uses SQLite":      "resources/inbox",
		"See [[https://evil.example]], the office uses Slack": "resources/inbox",
	} {
		plan := Extract([]memory.Memory{stored("note", said)}, nil, today(), time.Time{}, profileNamed(t, "para"))
		if len(plan.Changes) == 0 {
			t.Errorf("%q: no fact", said)
			continue
		}
		if e, _ := EntityOf(plan.Changes[0].Memory); e.Kind+"/"+e.Slug != want {
			t.Errorf("%q belongs to %s/%s, want %s", said, e.Kind, e.Slug, want)
		}
	}
}

// One that is known already is meant by any of its names, wherever it stands.
func TestANamedEntityThatIsKnownStaysWhereItIs(t *testing.T) {
	known := []Entity{{Kind: "archives", Slug: "apollo", Names: []string{"阿波罗（Apollo）"}}}
	for _, said := range []string{"Project Apollo: the ledger uses SQLite", "[[阿波罗]]项目使用 SQLite", "项目阿波罗：账本使用 SQLite"} {
		plan := Extract([]memory.Memory{stored("note", said)}, known, today(), time.Time{}, profileNamed(t, "para"))
		if e, _ := EntityOf(plan.Changes[0].Memory); e.URI() != "fact://archives/apollo" || len(plan.Notes) != 0 {
			t.Errorf("%q belongs to %s (%v)", said, e.URI(), plan.Notes)
		}
	}
}

// All sentences of a note belong to what it names, and to what each names itself.
func TestSentencesOfANoteBelongToWhatItNames(t *testing.T) {
	note := stored("note", "Project Apollo: the ledger uses SQLite. The deadline is 2026-05-01. [[Maria]] is responsible for the audit.")
	plan := Extract([]memory.Memory{note}, nil, today(), time.Time{}, profileNamed(t, "para"))
	var got []string
	for _, c := range plan.Changes {
		e, _ := EntityOf(c.Memory)
		got = append(got, e.Slug)
	}
	if strings.Join(got, " ") != "apollo apollo maria" || len(plan.Notes) != 1 {
		t.Errorf("facts of %v, notes %v", got, plan.Notes)
	}
}

// Strangers make no entities, and nobody makes them without end.
func TestWhoMayMakeEntities(t *testing.T) {
	for _, edit := range []func(*memory.Memory){trusted(memory.TrustExternal), in(memory.Quarantined)} {
		note := stored("note", "[[Maria]] works at the harbour office", edit)
		if plan := Extract([]memory.Memory{note}, nil, today(), time.Time{}, profileNamed(t, "para")); len(plan.Changes) != 0 {
			t.Errorf("%s %s: %+v", note.Trust, note.Status, plan.Changes)
		}
		if e := EntityFor(note, nil); e.URI() != Inbox().URI() {
			t.Errorf("%s %s: a fact belongs to %s", note.Trust, note.Status, e.URI())
		}
	}
	var many []memory.Memory
	for i := range 50 {
		name := string(rune('A'+i%26)) + string(rune('a'+i/26)) + "lpha"
		many = append(many, stored(fmt.Sprint("n", i), "["+"["+name+"]] is responsible for task "+name))
	}
	entities := map[string]bool{}
	for _, c := range Extract(many, nil, today(), time.Time{}, profileNamed(t, "para")).Changes {
		e, _ := EntityOf(c.Memory)
		entities[e.URI()] = true
	}
	if len(entities) != maxNewEntities+1 {
		t.Errorf("%d entities, want %d and the inbox", len(entities), maxNewEntities)
	}
}
