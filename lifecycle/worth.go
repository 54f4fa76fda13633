package lifecycle

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// provenUses is the number of uses that prove a memory worth carrying along.
const provenUses = 3

// openingBytes is how far into a text a to-do says that it is one.
const openingBytes = 40

// Bounds of the knowledge that nothing marks as valuable but that fills what
// room is left: it must still stand high, and takes a part of the lines only.
const (
	freshFrom = 0.5 // of the governing measure
	freshPart = 10  // one line in so many
)

// ranked lists the memories that may stand in MEMORY.md, the most valuable
// first: what never decays, then what is worth reading every time, then some
// fresh knowledge; each by the profile's measure.
func ranked(memories []memory.Memory, now time.Time, p Profile, hidden map[string]bool) []memory.Memory {
	var lasting, worthwhile, other []memory.Memory
	for _, m := range memories {
		switch {
		case !presentable(m) || hidden[m.ID] || m.Form == memory.Fact || m.Form == memory.Task || heldSecret(m):
		case NeverDecays(m):
			lasting = append(lasting, m)
		case p.Outline.Golden:
		case whyWorth(m) != "":
			worthwhile = append(worthwhile, m)
		case m.Type == memory.Knowledge && !toDo(m) && !ofTheDay(m) && p.Measure.Score(m, now) >= freshFrom:
			other = append(other, m)
		}
	}
	for _, list := range [][]memory.Memory{lasting, worthwhile, other} {
		p.Measure.Sort(list, now)
	}
	other = withoutSeries(other)
	fresh := len(other)
	if lines := p.Outline.Cap.Lines; lines > 0 {
		fresh = min(fresh, lines/freshPart)
	}
	return append(append(lasting, worthwhile...), other[:fresh]...)
}

// withoutSeries keeps of texts that differ in their numbers only, such as one
// line for each review, the first.
func withoutSeries(list []memory.Memory) []memory.Memory {
	seen := map[string]bool{}
	var kept []memory.Memory
	for _, m := range list {
		pattern := strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, m.Content)
		if pattern == m.Content || !seen[pattern] {
			kept = append(kept, m)
		}
		seen[pattern] = true
	}
	return kept
}

// heldSecret reports a text from which a secret was taken out: without it, the
// line says nothing that every conversation should begin with.
func heldSecret(m memory.Memory) bool { return strings.Contains(m.Content, redactedMark) }

const redactedMark = "[redacted:" // as internal/redact writes it

// toDo reports a text that is a task of the moment rather than knowledge.
func toDo(m memory.Memory) bool {
	start := m.Content
	if len(start) > openingBytes {
		start = strings.ToValidUTF8(start[:openingBytes], "")
	}
	return opensAny(text.Fold(start), "todo", "to-do", "to do:", "task:", "待办", "任务:", "wip")
}

// whyWorth returns why a memory is worth reading in every conversation, or "":
// it is for good, a decision, a named preference or lesson, a rule, called
// important, or proven by use. Daily summaries and passing discussions are not.
func whyWorth(m memory.Memory) string {
	if toDo(m) {
		return ""
	}
	durable := m.Type == memory.Knowledge || m.Type == memory.Identity
	switch {
	case NeverDecays(m):
		return "kept for good"
	case m.Form == memory.Decision:
		return "decision in force"
	case durable && named(m):
		return "named " + schemeOf(m.URI)
	case m.InitialImportance >= prizedFrom:
		return fmt.Sprintf("important (%.2f)", m.InitialImportance)
	case m.AccessCount >= provenUses:
		return fmt.Sprintf("used %d times", m.AccessCount)
	case durable && len(m.Content) <= comparedBytes && !ofTheDay(m) && ruleLike(m.Content):
		return "rule or preference"
	case durable && len(m.Content) <= comparedBytes && !ofTheDay(m) && mentionsAny(text.Fold(m.Content), personalWords()) != "":
		return "what a person cannot bear, or asks for"
	}
	return ""
}

// ofTheDay reports a text that speaks of the day on which it was written: what
// must be done today is no rule, however much it sounds like one. What holds
// every day is.
func ofTheDay(m memory.Memory) bool {
	if len(m.Content) > comparedBytes {
		return false
	}
	folded := text.Fold(m.Content)
	return mentionsAny(folded, dayWords()) != "" && mentionsAny(folded, habitWords()) == ""
}

func dayWords() []string {
	return []string{
		"today", "tonight", "tomorrow", "yesterday", "this morning", "this afternoon", "this evening", "this week", "just now", "right now", "at the moment",
		"今天", "今早", "今晚", "今日", "明天", "明早", "昨天", "昨晚", "本周", "这周", "刚刚", "刚才", "正在",
	}
}

func habitWords() []string {
	return []string{"always", "never", "every", "from now on", "总是", "永远", "从不", "每", "一律", "以后", "从今"}
}

func schemeOf(uri string) string {
	scheme, _, _ := strings.Cut(uri, "://")
	return scheme
}

// ruleLike reports a text that says how things are to be done, or what somebody
// likes, rather than what happened.
func ruleLike(content string) bool {
	folded := text.Fold(content)
	return mentionsAny(folded, knowledgeWords()) != "" || mentionsAny(folded, decisionWords()) != ""
}

// personalWords say what may harm a person, and how somebody wants to be
// answered: to forget that is worse than to forget any news.
func personalWords() []string {
	return []string{
		"allergic", "allergy", "allergies", "intolerant", "vegetarian", "vegan", "diabetic", "asthma", "please use", "please answer", "please reply", "call me",
		"过敏", "忌口", "素食", "吃素", "糖尿病", "哮喘", "请用", "请勿", "请别", "叫我", "称呼我",
	}
}

func decisionWords() []string {
	return []string{
		"decided", "decision", "we chose", "we use", "agreed to", "policy", "convention", "lesson", "do not", "don't",
		"决定", "决策", "选择了", "采用", "约定", "教训", "原则", "不要", "应该",
	}
}
