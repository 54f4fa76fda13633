package markdown

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/locale"
	"agentmemory/internal/memory"
)

// namedHeading is the heading of a section of a generated file.
type namedHeading struct{ name, zh, en string }

// headingOf returns the heading for a section's name; one that is not listed is
// its own heading.
func headingOf(list []namedHeading, name string, lang Language) string {
	for _, h := range list {
		if h.name == name {
			return lang.pick(h.zh, h.en)
		}
	}
	return plainLine(name, RecentLine)
}

// listing lays out sections under a title, one bullet a line, with its link.
func listing(title string, sections []memory.Section, heads []namedHeading, lang Language) []string {
	lines := []string{"# " + title}
	for _, s := range sections {
		lines = append(lines, "", "## "+headingOf(heads, s.Name, lang), "")
		for _, e := range s.Entries {
			lines = append(lines, listingLine(e))
		}
		if len(s.Entries) == 0 {
			lines = lines[:len(lines)-1]
		}
	}
	return lines
}

func listingLine(e memory.ProjectedLine) string {
	line := plainLine(e.Text, RecentLine)
	if e.Link != "" {
		line = join(line, "[→]("+escapeTarget(e.Link)+")")
	}
	return "- " + line
}

// Shows reports whether a line has the form in which we show a memory that
// stands elsewhere: a list item that ends with the link to its home.
func Shows(line string) bool {
	_, shown := shownTarget(line)
	return shown
}

// ShowsByID is Shows for a line whose link names the memory: one of MEMORY.md.
func ShowsByID(line string) bool {
	target, _ := shownTarget(line)
	_, id, _ := strings.Cut(target, "#")
	return len(id) == idLength && memory.ValidID(id)
}

// idLength is that of the ids that we give.
const idLength = 26

func shownTarget(line string) (target string, shown bool) {
	line, _, _ = strings.Cut(line, "<!--")
	item, listed := strings.CutPrefix(strings.TrimSpace(line), "- ")
	_, target, linked := strings.Cut(item, "[→](")
	target, closed := strings.CutSuffix(target, ")")
	return target, listed && linked && closed && !strings.Contains(target, ")")
}

// escapeTarget makes any path a link target without brackets.
func escapeTarget(link string) string {
	if !strings.ContainsAny(link, "% ()<>\n\r") { // nearly always
		return link
	}
	return strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "\n", "%0A", "\r", "%0D").Replace(link)
}

func wrapupHeadings() []namedHeading {
	return []namedHeading{
		{"decisions", "今日决策", "Decisions made today"},
		{"actions", "行动项", "Action items"},
		{"conversations", "重要对话", "Important conversations"},
		{"notes", "技术笔记与排错经验", "Technical notes / debugging lessons"},
		{"loops", "未闭环事项", "Open loops"},
		{"next", "明日下一步", "Tomorrow next steps"},
	}
}

// maxWrapupLines keeps a file under the 1,500 lines of seed 000 §4.1.
const maxWrapupLines = 1499

// RenderWrapup writes the summary of a day: its six sections, always all of
// them, in as many parts as its length needs.
func RenderWrapup(day time.Time, p memory.Projection, lang Language) [][]byte {
	title := day.Format(time.DateOnly) + " " + lang.pick("日结", "wrap-up")
	sections := make([]memory.Section, len(wrapupHeadings()))
	for i, h := range wrapupHeadings() {
		sections[i].Name = h.name
		for _, s := range p.Sections {
			if s.Name == h.name {
				sections[i].Entries = append(sections[i].Entries, s.Entries...)
			}
		}
	}
	return parts(listing(title, sections, wrapupHeadings(), lang), maxWrapupLines)
}

// parts cuts lines into files of at most limit lines; later ones repeat the title,
// and the heading of a section that goes on.
func parts(lines []string, limit int) [][]byte {
	title := lines[0]
	var out [][]byte
	for len(lines) > limit {
		out = append(out, document(lines[:limit]))
		head := []string{fmt.Sprintf("%s (%d)", title, len(out)+1), ""}
		if at := lastIndex(lines[:limit], isSection); at >= 0 && strings.HasPrefix(lines[limit], "- ") {
			head = append(head, lines[at], "")
		}
		lines = append(head, lines[limit:]...)
	}
	return append(out, document(lines))
}

func isSection(line string) bool { return strings.HasPrefix(line, "## ") }

func weeklyHeadings() []namedHeading {
	return []namedHeading{
		{"identity", "身份", "Identity"},
		{"emotion", "情感", "Emotions"},
		{"knowledge", "知识", "Knowledge"},
		{"decision", "决策", "Decisions"},
		{"task", "任务", "Tasks"},
		{"event", "事件", "Events"},
	}
}

// RenderWeekly writes the summary of the week of a day.
func RenderWeekly(day time.Time, p memory.Projection, lang Language) []byte {
	first := monday(day)
	title := fmt.Sprintf("%s %s – %s", lang.pick("周报", "Week"), first.Format(time.DateOnly), first.AddDate(0, 0, 6).Format(time.DateOnly))
	return document(listing(title, p.Sections, weeklyHeadings(), lang))
}

func logHeadings() []namedHeading {
	return []namedHeading{
		{"promoted", "升级", "Promoted"},
		{"demoted", "下沉", "Demoted"},
		{"superseded", "覆写", "Superseded"},
		{stillOpen, "矛盾未决", "Contradicted"},
	}
}

// RenderWeeklyLog writes one run of compound to the log of its ISO week: what
// was promoted, demoted or superseded, each with its reason, under the date. It is
// appended to what the file holds.
func RenderWeeklyLog(at time.Time, p memory.Projection, lang Language) []byte {
	lines := []string{"## " + at.Format(stampLayout)}
	for _, s := range p.Sections {
		if len(s.Entries) == 0 {
			continue
		}
		lines = append(lines, "", "### "+headingOf(logHeadings(), s.Name, lang), "")
		for _, e := range s.Entries {
			lines = append(lines, logLine(e, lang))
		}
	}
	return document(append(lines, ""))
}

func logLine(e memory.ProjectedLine, lang Language) string {
	line := listingLine(e)
	if e.Reason != "" {
		line += lang.pick("——", " — ") + plainLine(locale.Sentence(string(lang), e.Reason), RecentLine)
	}
	return line
}

// stillOpen is the section of what each run finds until somebody settles it.
const stillOpen = "conflict"

// AppendWeeklyLog adds one run of compound to the log of its week. What stays
// open is told once a week; a run that has nothing else to tell adds nothing.
func AppendWeeklyLog(log []byte, at time.Time, p memory.Projection, lang Language) []byte {
	told, news := memory.Projection{}, false
	for _, s := range p.Sections {
		if s.Name == stillOpen {
			s.Entries = slices.DeleteFunc(slices.Clone(s.Entries), func(e memory.ProjectedLine) bool {
				return strings.Contains(string(log), logLine(e, lang)+"\n")
			})
		}
		told.Sections, news = append(told.Sections, s), news || len(s.Entries) > 0
	}
	if !news {
		return log
	}
	return append(weeklyLogHead(log, at, lang), RenderWeeklyLog(at, told, lang)...)
}

// weeklyLogHead returns the log of the ISO week of a moment as it stands, ready
// for a further entry: a new one gets its title.
func weeklyLogHead(log []byte, at time.Time, lang Language) []byte {
	if len(log) > 0 {
		return slices.Clone(log)
	}
	year, week := at.ISOWeek()
	return document([]string{fmt.Sprintf("# %04d-W%02d %s", year, week, lang.pick("整理记录", "compound log")), ""})
}

func indexHeadings() []namedHeading {
	return []namedHeading{
		{"long-term", "长期记忆", "Long-term"},
		{"state", "状态", "State"},
		{"daily", "日志", "Daily"},
		{"tasks", "任务", "Tasks"},
		{"topics", "专题", "Topics"},
		{"weekly", "周报", "Weekly"},
		{"entities", "实体", "Entities"},
		{"archive", "归档", "Archive"},
	}
}

// RenderIndex writes memory/INDEX.md, the way to every file of the memory, from
// the paths of the files that exist. Links are relative to memory/; within a
// section paths stay in the order given.
func RenderIndex(paths []string, lang Language) []byte {
	bySection := map[string][]memory.ProjectedLine{}
	for _, p := range paths {
		if name := indexSection(Classify(p, memory.TrustAgent).Kind); name != "" {
			bySection[name] = append(bySection[name], memory.ProjectedLine{Text: p, Link: relative(p)})
		}
	}
	var sections []memory.Section
	for _, h := range indexHeadings() {
		if lines := bySection[h.name]; len(lines) > 0 {
			sections = append(sections, memory.Section{Name: h.name, Entries: lines})
		}
	}
	return document(listing("INDEX", sections, indexHeadings(), lang))
}

// relative turns a path of the workspace into one relative to memory/.
func relative(p string) string {
	if rest, ok := strings.CutPrefix(p, memoryFolder+"/"); ok {
		return rest
	}
	return path.Join("..", p)
}

func indexSection(k Kind) string {
	switch k {
	case KindMemory, KindRecent:
		return "long-term"
	case KindState:
		return "state"
	case KindJournal:
		return "daily"
	case KindTasks:
		return "tasks"
	case KindTopic, KindOverflow, KindImported:
		return "topics"
	case KindWeekly:
		return "weekly"
	case KindFacts, KindSummary:
		return "entities"
	case KindArchiveLog, KindArchivedJournal, KindArchive:
		return "archive"
	}
	return ""
}
