package tools

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// PromptContext finds what is worth saying to an agent beside what its user has
// just written. It says nothing rather than something that does not fit.
type PromptContext struct {
	Recall *Recall
	Budget int // tokens, estimated
}

// Bounds of what is put beside a message.
const (
	promptResults = 6
	promptHead    = 600 // characters of a long message that are looked at, from its beginning
	promptTail    = 400 // and from its end
	promptLine    = 280 // characters of one memory
	promptBefore  = 120 // and of what it replaced
	leastPrompt   = 4   // characters that a message needs to ask for anything, Han counting double
)

// Run returns one line for each memory that bears on a message, none where
// memory holds nothing that does.
func (p *PromptContext) Run(ctx context.Context, prompt string) ([]string, error) {
	question := askable(prompt)
	if question == "" {
		return nil, nil
	}
	found, err := p.Recall.Run(ctx, RecallArgs{Query: question, Limit: promptResults, Explain: true})
	if err != nil {
		return nil, fmt.Errorf("recalling for a message: %w", err)
	}
	if found.Abstained {
		return nil, nil
	}
	var lines []string
	left, least := p.Budget, covered(found.Memories)*coveredShare
	for _, hit := range found.Memories {
		if hit.Trust == string(memory.TrustExternal) || hit.Explain.Covered == 0 || hit.Explain.Covered < least {
			continue
		}
		line := contextLine(hit.MemoryView)
		if left -= lifecycle.EstimateTokens(line); left < 0 {
			break
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// coveredShare is what a hit must hold of a message, measured by the one that
// holds most. Recall also lists what stands beside a good hit, which whoever asks
// can judge; nobody asked here.
const coveredShare = 0.5

// covered is the largest share of the message's information in one hit.
func covered(hits []RecallHit) float64 {
	most := 0.0
	for _, h := range hits {
		most = max(most, h.Explain.Covered)
	}
	return most
}

// askable is the part of a message that can be asked about: commands and what
// programs wrote into the conversation are none.
func askable(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" || strings.ContainsRune("/!#<", rune(prompt[0])) {
		return ""
	}
	weight := 0
	for _, r := range prompt {
		switch {
		case unicode.Is(unicode.Han, r):
			weight += 2
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			weight++
		}
	}
	if weight < leastPrompt {
		return ""
	}
	runes := []rune(prompt)
	if len(runes) <= promptHead+promptTail {
		return prompt
	}
	return string(runes[:promptHead]) + "\n" + string(runes[len(runes)-promptTail:])
}

// contextLine is a memory in one line with its day, its place and its doubt.
func contextLine(v MemoryView) string {
	day := v.ObservedAt
	if day == "" {
		day = v.CreatedAt
	}
	text := clipped(strings.Join(strings.Fields(v.Content), " "), promptLine)
	switch {
	case len(v.Contradicted) > 0:
		text += fmt.Sprintf(" (contradicted by %s of %s)", v.Contradicted[0].ID, v.Contradicted[0].Date)
	case v.Uncertain:
		text += " (uncertain)"
	}
	for _, b := range v.Before {
		text += fmt.Sprintf(" (before %s: %s)", b.Date, clipped(strings.Join(strings.Fields(b.Content), " "), promptBefore))
	}
	line := fmt.Sprintf("- %s %s", day[:min(10, len(day))], text)
	if v.Path == "" {
		return line
	}
	if v.Line > 0 {
		return fmt.Sprintf("%s [%s:%d]", line, v.Path, v.Line)
	}
	return fmt.Sprintf("%s [%s]", line, v.Path)
}

func clipped(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}

// BootPart is a file that is read at the start of a conversation.
type BootPart struct {
	Name string
	Text string
	Tail bool // its end matters most: a journal
}

// BootContext joins the parts in order within a budget of tokens. A bullet that
// several parts have is kept in the first, and headings without text are left
// out. Short files are whole; what they leave is shared equally among the long ones, which are
// cut at a line, so that none is lost to another.
func BootContext(parts []BootPart, budget int) string {
	var kept []BootPart
	seen := map[string]bool{}
	for _, p := range parts {
		if p.Text = withoutEmpty(withoutKnown(withoutComments(p.Text), seen)); p.Text != "" {
			kept = append(kept, p)
		}
	}
	shares := sharesOf(kept, budget)
	var b strings.Builder
	for i, p := range kept {
		if text := p.cut(shares[i]); text != "" {
			b.WriteString("## " + p.Name + "\n\n" + text + "\n\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// headingCost is about what the heading of a part and the mark of a cut cost.
const headingCost = 16

// sharesOf gives each part what it needs, up to an equal share of what those
// that need less have left.
func sharesOf(parts []BootPart, budget int) []int {
	order := make([]int, len(parts))
	needs := make([]int, len(parts))
	for i, p := range parts {
		order[i], needs[i] = i, lifecycle.EstimateTokens(p.Text)
	}
	slices.SortFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	shares := make([]int, len(parts))
	left := budget - headingCost*len(parts)
	for n, i := range order {
		shares[i] = max(0, min(needs[i], left/(len(parts)-n)))
		left -= shares[i]
	}
	return shares
}

// cut returns as many whole lines as cost no more than share.
func (p BootPart) cut(share int) string {
	if lifecycle.EstimateTokens(p.Text) <= share {
		return p.Text
	}
	lines := strings.Split(p.Text, "\n")
	if p.Tail {
		slices.Reverse(lines)
	}
	n := 0
	for ; n < len(lines) && share >= 0; n++ {
		share -= lifecycle.EstimateTokens(lines[n]) + 1
	}
	lines = lines[:max(0, n-1)]
	if p.Tail {
		slices.Reverse(lines)
		return marked("…\n", strings.TrimSpace(strings.Join(lines, "\n")), "")
	}
	return marked("", strings.TrimSpace(strings.Join(lines, "\n")), "\n…")
}

func marked(before, text, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}

// withoutComments removes what in a file is for programs.
func withoutComments(text string) string {
	return regexp.MustCompile(`(?s)[ \t]*<!--.*?-->`).ReplaceAllString(text, "")
}

// withoutKnown drops the bullets that were seen before, and remembers the others.
func withoutKnown(text string, seen map[string]bool) string {
	var kept []string
	known := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		if bullet := strings.HasPrefix(line, "- "); bullet && seen[line] {
			continue
		} else if bullet {
			known[line] = true // within one part a line may stand twice
		}
		kept = append(kept, line)
	}
	for line := range known {
		seen[line] = true
	}
	return strings.Join(kept, "\n")
}

// withoutEmpty drops headings that nothing stands under.
func withoutEmpty(text string) string {
	var kept []string // from the end, so that what is under a heading is known
	under := 0        // the level of the heading that stands below, 0 at the end
	for _, line := range slices.Backward(strings.Split(text, "\n")) {
		level := headingLevel(line)
		switch {
		case level > 0 && under <= level && under != textBelow:
			continue
		case level > 0:
			under = level
		case strings.TrimSpace(line) != "":
			under = textBelow
		}
		kept = append(kept, line)
	}
	slices.Reverse(kept)
	return strings.TrimSpace(regexp.MustCompile(`\n{3,}`).ReplaceAllString(strings.Join(kept, "\n"), "\n\n"))
}

// textBelow is deeper than any heading.
const textBelow = 7

// headingLevel counts the marks of a heading, 0 for any other line.
func headingLevel(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n > 6 || !strings.HasPrefix(line[n:], " ") {
		return 0
	}
	return n
}
