package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Entity is a project, area, resource or archived project that facts belong to.
type Entity struct {
	Kind  string   // projects, areas, resources, archives
	Slug  string   // its folder
	Names []string // other names by which texts speak of it
}

// Inbox takes the facts whose entity is not known.
func Inbox() Entity { return Entity{Kind: "resources", Slug: "inbox"} }

// FactURI returns the address of a fact of the entity.
func (e Entity) FactURI(id string) string { return fmt.Sprintf("fact://%s/%s/%s", e.Kind, e.Slug, id) }

// File returns the file in which the facts of the entity stand, below the root.
func (e Entity) File() string { return fmt.Sprintf("memory/life/%s/%s/items.json", e.Kind, e.Slug) }

// EntityOf returns the entity of a fact by its address; false for other memories.
func EntityOf(m memory.Memory) (Entity, bool) {
	if m.Form != memory.Fact {
		return Entity{}, false
	}
	return entityAt(m.URI)
}

// entityAt reads fact://<kind>/<entity>, with or without the id of a fact.
func entityAt(uri string) (Entity, bool) {
	u, err := memory.ParseURI(uri)
	if err != nil || u.Scheme != "fact" {
		return Entity{}, false
	}
	kind, rest, found := strings.Cut(u.Path, "/")
	slug, _, _ := strings.Cut(rest, "/")
	return Entity{Kind: kind, Slug: slug}, found
}

// Names of the sections of an entity's summary, in order; headings are the writer's.
const (
	SummaryStatus   = "status"
	SummaryDeadline = "deadline"
	SummaryFocus    = "focus"
	SummaryHot      = "hot"
	SummaryWarm     = "warm"
)

// EntitySummary chooses what the summary of an entity shows of its facts:
// status, deadline and focus, then the hot ones, then the warm ones, each the
// hottest first. Cold and superseded facts are left to items.json, where
// nothing is ever deleted.
func EntitySummary(facts []memory.Memory, now time.Time) memory.Projection {
	active := make([]memory.Memory, 0, len(facts))
	for _, f := range facts {
		if f.Status == memory.Active && f.Trust != memory.TrustExternal && TemperatureOf(f, now) != Cold {
			active = append(active, f)
		}
	}
	slices.SortFunc(active, func(a, b memory.Memory) int {
		return cmp.Or(cmp.Compare(EffectiveDays(a, now), EffectiveDays(b, now)), b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	sections := map[string][]memory.ProjectedLine{}
	for _, f := range active {
		name := summarySection(f, now)
		sections[name] = append(sections[name], memory.ProjectedLine{
			MemoryID: f.ID, Text: OneLine(f, WrapupLineChars), Link: linkTo(f), Importance: min(1, Importance(f, now)),
		})
	}
	var p memory.Projection
	for _, name := range []string{SummaryStatus, SummaryDeadline, SummaryFocus, SummaryHot, SummaryWarm} {
		if len(sections[name]) > 0 {
			p.Sections = append(p.Sections, memory.Section{Name: name, Entries: sections[name]})
		}
	}
	return p
}

func summarySection(f memory.Memory, now time.Time) string {
	folded := text.Fold(f.Content)
	switch {
	case mentionsAny(folded, []string{"deadline", "due date", "due on", "due by", "截止", "交付日期", "到期"}) != "":
		return SummaryDeadline
	case mentionsAny(folded, []string{"current focus", "focus is", "focus:", "当前焦点", "重点是", "焦点"}) != "":
		return SummaryFocus
	case mentionsAny(folded, []string{"status:", "status is", "the status", "状态", "阶段"}) != "":
		return SummaryStatus
	case TemperatureOf(f, now) == Hot:
		return SummaryHot
	}
	return SummaryWarm
}

// MoveEntity plans the move of all facts of an entity to another kind, such as
// a finished project to the archives.
func MoveEntity(facts []memory.Memory, from Entity, kind string) memory.Plan {
	to := Entity{Kind: kind, Slug: from.Slug}
	plan := memory.Plan{Phase: "move", Changes: []memory.Change{}}
	for _, f := range facts {
		e, isFact := EntityOf(f)
		if !isFact || e.Kind != from.Kind || e.Slug != from.Slug {
			continue
		}
		revision := f.Revision
		f.URI = to.FactURI(strings.TrimPrefix(f.URI, from.FactURI("")))
		f.Home = memory.Place{File: strings.Replace(f.Home.File, from.File(), to.File(), 1)}
		plan.Changes = append(plan.Changes, memory.Change{
			Op: memory.OpUpdate, Memory: f, Revision: revision, Reason: fmt.Sprintf("%s/%s moves to %s", from.Kind, from.Slug, kind),
		})
	}
	return plan
}
