package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Letters that a text must have to be worth keeping. A character of an unspaced
// script counts as three, because it says about as much.
const (
	minLetters       = 6
	minLettersPrized = 4 // identity and emotion
	characterWeight  = 3
	maxRepeats       = 10 // of one character in a row
)

// Noise returns why a text is not worth remembering, or "" if it may be: lines
// of heartbeats and silent replies, empty agreement, too few letters, keyboard
// noise. The rules are the same for English and Chinese.
func Noise(m memory.Memory) string {
	folded := bare(m.Content)
	switch {
	case folded == "":
		return "empty: nothing to remember"
	case machineLine(folded):
		return fmt.Sprintf("noise: %q is a line of the machinery, not a memory", clip(folded, 40))
	case smallTalk(folded):
		return fmt.Sprintf("noise: %q says nothing that lasts", clip(folded, 40))
	case repeated(folded):
		return "noise: the same characters over and over"
	}
	if have, want := letters(folded), fewest(m); have < want && !named(m) && !symbols(m.Content) {
		return fmt.Sprintf("too thin: %d letters, at least %d are needed (a Chinese character counts %d)", have, want, characterWeight)
	}
	return ""
}

func fewest(m memory.Memory) int {
	if m.Priority() <= 1 {
		return minLettersPrized
	}
	return minLetters
}

// bare folds a text and takes the punctuation off its ends.
func bare(s string) string {
	return strings.TrimFunc(text.Fold(s), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '[' && r != ']' || unicode.IsControl(r)
	})
}

func machineLine(folded string) bool {
	for _, line := range []string{"heartbeat_ok", "no_reply", "announce_skip", "heartbeat ok", "heartbeat", "[heartbeat]"} {
		if folded == line {
			return true
		}
	}
	for _, start := range []string{"[openclaw heartbeat", "heartbeat_ok", "heartbeat:", "heartbeat check", "心跳检查", "心跳正常"} {
		if strings.HasPrefix(folded, start) && len(folded) < 200 {
			return true
		}
	}
	return false
}

func smallTalk(folded string) bool {
	switch folded {
	case "ok", "okay", "k", "yes", "no", "sure", "thanks", "thank you", "thx", "done", "got it", "understood", "hi", "hello", "bye",
		"no change", "no changes", "nothing new", "nothing to report", "all good", "no news", "none", "null", "n/a", "undefined",
		"no update", "no updates", "all quiet", "nothing to do", "same as before", "noted", "great", "cool", "good", "right",
		"好", "好的", "好吧", "好哒", "嗯", "嗯嗯", "哦", "收到", "谢谢", "明白", "知道了", "了解", "可以", "行", "是的", "没有", "不用",
		"无变化", "没有变化", "无更新", "没有更新", "一切正常", "无异常", "没有异常", "无", "暂无", "没事", "没什么", "在吗", "你好":
		return true
	}
	return false
}

// repeated reports a text that is mostly one character, or a few again and again.
func repeated(folded string) bool {
	var first [3]rune // different characters
	distinct, run, longest, size := 0, 0, 0, 0
	previous := rune(-1)
	for _, r := range folded {
		if r != previous {
			run = 0
		}
		run++
		longest = max(longest, run)
		if distinct < len(first) && !slices.Contains(first[:distinct], r) {
			first[distinct] = r
			distinct++
		}
		size++
		previous = r
	}
	return longest >= maxRepeats && longest*2 > size || size >= 6 && distinct <= 2
}

// letters counts letters and digits.
func letters(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case text.IsCJK(r):
			n += characterWeight
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			n++
		}
	}
	return n
}

// symbols reports whether a text without letters still holds pictures, such as
// an emoji, that somebody may want to keep.
func symbols(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.So, r) })
}

// clip shortens a text to n runes.
func clip(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}
