package lifecycle

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// A text names an entity on purpose by a link, [[Maria]], or by a label at its
// beginning, "Project Apollo: …". That is enough to make one that is not known
// yet; a word that merely looks like a name is not.

const (
	maxNameRunes   = 40
	maxNameWords   = 4
	maxNewEntities = 20 // of one extract; a text that names more is rather a list of links
)

// naming is an entity as a text names it.
type naming struct {
	kind string // projects, areas, resources; "" if the text does not tell
	name string
}

// namedIn returns the entity that a text names on purpose.
func namedIn(s string) (naming, bool) {
	s = withoutCode(s)
	if n, found := labelled(s); found {
		return n, true
	}
	for rest := s; ; {
		_, after, open := strings.Cut(rest, "[[")
		inside, behind, closed := strings.Cut(after, "]]")
		if !open || !closed {
			return naming{}, false
		}
		if n, ok := linked(inside); ok {
			if n.kind == "" {
				n.kind = kindBeside(s, n.name)
			}
			return n, true
		}
		rest = behind
	}
}

// withoutCode takes out what stands in code: [[ -f x ]] is a test of a shell.
func withoutCode(s string) string {
	var b strings.Builder
	for i, part := range strings.Split(s, "`") {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

// linked reads what stands in [[…]]: a name, with a folder before it and another
// wording after it.
func linked(inside string) (naming, bool) {
	if strings.TrimSpace(inside) != inside {
		return naming{}, false
	}
	inside, _, _ = strings.Cut(inside, "|")
	inside, _, _ = strings.Cut(inside, "#")
	n := naming{name: inside}
	if i := strings.LastIndexByte(inside, '/'); i >= 0 {
		folder, _, _ := strings.Cut(inside[:i], "/")
		n = naming{kind: kindNamed(folder), name: inside[i+1:]}
		if n.kind == "" {
			return naming{}, false // of a file elsewhere
		}
	}
	return n, isName(n.name)
}

// kindNamed tells where entities of a kind are that a text calls so.
func kindNamed(word string) string {
	switch text.Fold(word) {
	case "project", "projects", "项目":
		return "projects"
	case "area", "areas", "person", "people", "company", "companies", "领域", "人物", "公司":
		return "areas"
	case "resource", "resources", "资源":
		return "resources"
	}
	return ""
}

// kindBeside tells the kind of a linked entity by what is said of it: people and
// companies are areas, whatever is not told is a resource.
func kindBeside(s, name string) string {
	folded := text.Fold(strings.NewReplacer("[[", "", "]]", "").Replace(s))
	name = text.Fold(name)
	for _, kind := range []string{"project", "company", "项目", "公司"} {
		if mentionsAny(folded, []string{kind + " " + name, name + " " + kind, kind + name, name + kind}) != "" {
			return kindNamed(kind)
		}
	}
	if mentionsAny(folded, []string{
		"works at", "works for", "works in", "lives in", "born", "birthday", "prefers", "likes", "colleague", "is responsible for", "joined", "speaks",
		"住在", "生日", "喜欢", "偏好", "同事", "负责", "入职", "任职", "就职", "工程师", "经理",
	}) != "" {
		return "areas"
	}
	return "resources"
}

// labelled reads "Project Apollo: …", "Apollo project: …", "项目阿波罗：…", "阿波罗项目：…".
func labelled(s string) (naming, bool) {
	s = strings.TrimSpace(strings.NewReplacer("[[", "", "]]", "").Replace(s))
	head, rest, found := cutColon(s)
	if !found || strings.TrimSpace(rest) == "" || strings.ContainsAny(head, "\n。，.;；,") {
		return naming{}, false
	}
	folded := text.Fold(head)
	if len(folded) != len(head) { // positions would not fit
		return naming{}, false
	}
	for _, label := range []string{"project", "company", "person", "项目", "公司", "人物"} {
		name := ""
		if after, is := strings.CutPrefix(folded, label); is && apart(label, after[:min(1, len(after))]) {
			name = leading(head[len(label):])
		} else if before, is := strings.CutSuffix(folded, label); is && apart(label, before[max(0, len(before)-1):]) {
			name = strings.TrimPrefix(strings.TrimSpace(head[:len(before)]), "The ")
		}
		if isName(name) && ownName(name) {
			return naming{kind: kindNamed(label), name: name}, true
		}
	}
	return naming{}, false
}

// apart reports whether a label and what stands beside it are two words.
func apart(label, beside string) bool { return beside == " " || label[0] >= utf8.RuneSelf }

// leading is the name that follows a label: of "Apollo status", Apollo.
func leading(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); i > 0 && unicode.IsLower(r) {
			return strings.Join(words[:i], " ")
		}
	}
	return strings.TrimSpace(s)
}

func cutColon(s string) (head, rest string, found bool) {
	i := strings.IndexAny(s, ":：")
	if i < 0 {
		return s, "", false
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[:i], s[i+size:], true
}

// isName reports whether a text can be a name: short, of letters, no date, path,
// file or piece of a program.
func isName(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > maxNameRunes || len(strings.Fields(s)) > maxNameWords || strings.TrimSpace(s) != s {
		return false
	}
	letters := 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r), r == ' ', r == '-', r == '_', r == '\'', r == '’', r == '&', r == '·', r == '(', r == ')', r == '（', r == '）':
		default:
			return false
		}
	}
	return letters >= 2 || letters == 1 && strings.ContainsFunc(s, text.IsCJK)
}

// ownName reports whether a name is one rather than what is said about any project.
func ownName(s string) bool {
	if strings.ContainsFunc(s, text.IsCJK) {
		return !generic(s)
	}
	for _, word := range strings.Fields(s) {
		if r, _ := utf8.DecodeRuneInString(word); unicode.IsLower(r) || genericWord(text.Fold(word)) {
			return false
		}
	}
	return true
}

func genericWord(w string) bool {
	switch w {
	case "status", "update", "updates", "plan", "plans", "goal", "goals", "deadline", "note", "notes", "summary", "name", "overview", "manager", "lead",
		"leader", "budget", "timeline", "scope", "team", "owner", "start", "end", "date", "context", "idea", "ideas", "list", "management", "review",
		"the", "this", "that", "our", "my", "new", "old", "each", "every", "any", "all", "same", "other", "current", "next", "decision", "rule", "todo":
		return true
	}
	return false
}

// generic reports Chinese words about a project that name none.
func generic(s string) bool {
	for _, w := range []string{"的", "进度", "状态", "名称", "计划", "目标", "截止", "预算", "负责", "背景", "概况", "概要", "更新", "总结", "经理", "周期", "范围", "地址",
		"编号", "情况", "说明", "需求", "会议", "管理", "成员", "风险", "问题", "任务", "决定", "决策", "进展", "介绍", "时间", "日期"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return slices.Contains([]string{"新", "本", "该", "这个", "那个", "此", "我们", "一个", "各", "所有", "其他", "旧", "每个", "这", "那", "大", "小", "老", "我司", "我"}, s)
}

// explicit returns the entity that a text names on purpose: a known one, or a new
// one if somebody vouches for the text.
func (x *extractor) explicit(n memory.Memory, content string) (Entity, bool) {
	named, found := namedIn(content)
	if !found || n.Trust.Rank() < memory.TrustAgent.Rank() || n.Status == memory.Quarantined {
		return Entity{}, false
	}
	folded := text.Fold(named.name)
	for _, e := range x.entities {
		if slices.Contains(e.allNames(), folded) {
			return e, true
		}
	}
	e := Entity{Kind: named.kind, Slug: memory.Slug(named.name), Names: []string{named.name}}
	if e.Slug == "" || len(x.news) == maxNewEntities {
		return Entity{}, false
	}
	x.news = append(x.news, e.Kind+"/"+e.Slug)
	x.entities = append(x.entities, e)
	return e, true
}
