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

// URI returns the address of the entity, below which its facts are.
func (e Entity) URI() string { return fmt.Sprintf("fact://%s/%s", e.Kind, e.Slug) }

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

// EntityNamedBy returns the entity that an address means as a whole: that of
// fact://projects/ledger, which names no fact of it.
func EntityNamedBy(uri string) (Entity, bool) {
	e, found := entityAt(uri)
	return e, found && uri == e.URI() && slices.Contains([]string{"projects", "areas", "resources", "archives"}, e.Kind)
}

// Named returns the entity of which a text speaks: that with the longest name in it.
func Named(entities []Entity, texts ...string) (Entity, bool) {
	best, size := Entity{}, 0
	for _, t := range texts {
		folded := text.Fold(t)
		for _, e := range entities {
			for _, name := range e.allNames() {
				if len(name) > size && mentions(folded, name) {
					best, size = e, len(name)
				}
			}
		}
	}
	return best, size > 0
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
			MemoryID: f.ID, Text: withoutLabel(name, OneLine(f, WrapupLineChars)), Link: linkTo(f), Importance: min(1, Importance(f, now)),
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

// summaryLabels are the words by which a fact says what a labelled line of the
// summary shows; those that end in a mark or a verb lead in the value.
func summaryLabels(section string) []string {
	switch section {
	case SummaryDeadline:
		return []string{"deadline is ", "deadline: ", "deadline:", "deadline", "due date", "due on", "due by", "截止日期是", "截止日期：", "截止日期为", "截止", "交付日期", "到期"}
	case SummaryFocus:
		return []string{"current focus is ", "current focus: ", "focus is ", "focus is", "focus: ", "current focus", "focus:", "当前焦点是", "当前焦点：", "当前焦点", "焦点是", "焦点：", "重点是", "焦点"}
	}
	return []string{"status is ", "status is", "status: ", "status:", "the status", "状态是", "状态：", "状态为", "状态", "阶段"}
}

// withoutLabel drops the words that the label of the line says already.
func withoutLabel(section, line string) string {
	if section == SummaryHot || section == SummaryWarm {
		return line
	}
	rest := line
	for _, article := range []string{"The ", "the ", "Project ", "project "} {
		rest = strings.TrimPrefix(rest, article)
	}
	for _, label := range summaryLabels(section) {
		if len(rest) > len(label) && strings.EqualFold(rest[:len(label)], label) && strings.TrimRight(label, " :：是为") != label {
			return strings.TrimSpace(rest[len(label):])
		}
	}
	return line
}

func summarySection(f memory.Memory, now time.Time) string {
	folded := text.Fold(f.Content)
	for _, section := range []string{SummaryDeadline, SummaryFocus, SummaryStatus} {
		if mentionsAny(folded, summaryLabels(section)) != "" {
			return section
		}
	}
	switch {
	case TemperatureOf(f, now) == Hot:
		return SummaryHot
	}
	return SummaryWarm
}

// WithFactsOf adds the entities of which there are facts but no folder yet.
func WithFactsOf(entities []Entity, memories []memory.Memory) []Entity {
	known := map[string]bool{}
	for _, e := range entities {
		known[e.URI()] = true
	}
	for _, m := range memories {
		if e, isFact := EntityOf(m); isFact && !known[e.URI()] {
			known[e.URI()] = true
			entities = append(entities, e)
		}
	}
	return entities
}

// AsksForContext recognises the wish to turn to a project or another entity:
// "load the context of project X", "加载 X 项目的上下文", "switch to X".
func AsksForContext(question string) bool {
	folded := text.Fold(question)
	verb := mentionsAny(folded, []string{"load", "switch to", "switch context", "open", "restore", "bring up", "show", "give me", "get", "加载", "切换到", "切换", "载入", "打开", "读取", "恢复", "回到"}) != ""
	object := mentionsAny(folded, []string{"context", "project", "entity", "summary", "上下文", "项目", "背景", "概况", "概要", "情况"}) != ""
	return verb && object && mentionsAny(folded, []string{"context", "summary", "switch to", "上下文", "切换", "背景", "概况", "概要"}) != ""
}
