package capture_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/capture"
)

// harvest reads a conversation to its end and joins the pieces.
func harvest(t testing.TB, s capture.Source, c capture.Conversation, from capture.Mark, least int) capture.Harvest {
	t.Helper()
	var all capture.Harvest
	err := extractor().Harvest(t.Context(), capture.Unread{Source: s, Conversation: c, From: from}, capture.Limits{MinUserMessages: least}, func(h capture.Harvest) error {
		h.Found = append(all.Found, h.Found...)
		h.Messages += all.Messages
		all = h
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestHarvestOfTheFixtures(t *testing.T) {
	want := map[string]string{
		"claude-code 2ff46cd5-f4e7-4724-bb20-579dae7956ea": "[remember 账本用 SQLite，不用 Postgres]",
		"claude-code agent-a1":                             "passed: subagent",
		"codex 019a2d7a-41c4-78b1-b7cc-a45d62a89cd5":       "[decision We decided to use tabs.]",
		"codex 019a2d7b":                                   "passed: subagent",
		"openclaw a1b2c3d4":                                "[preference 我喜欢深色主题]",
		"jsonl chat":                                       "[]",
	}
	for dir, host := range map[string]capture.Host{"claude": capture.ClaudeCode, "codex": capture.Codex, "openclaw": capture.OpenClaw, "plain": capture.Plain} {
		s := folder(t, host, filepath.Join("testdata", dir))
		for _, c := range conversations(t, s) {
			h := harvest(t, s, c, capture.Mark{}, 1)
			var found []string
			for _, f := range h.Found {
				found = append(found, fmt.Sprintf("%s %s", f.Class, f.Text))
			}
			got := fmt.Sprint(found)
			if h.Passed != "" {
				got = "passed: " + h.Passed
			}
			id := fmt.Sprintf("%s %s", h.Conversation.Host, h.Conversation.ID)
			if got != want[id] {
				t.Errorf("%s: %s, want %s", id, got, want[id])
			}
		}
	}
}

// A conversation that is too short is kept for later, and then read whole.
func TestShortConversationsWait(t *testing.T) {
	s, path, c := plain(t, said("user", "我们决定用 NATS"))
	first := harvest(t, s, c, capture.Mark{}, 2)
	if first.Passed != capture.PassedShort || len(first.Found) != 0 || first.Next != (capture.Mark{}) {
		t.Errorf("%+v", first)
	}
	appendTo(t, path, said("assistant", "好的")+said("user", "还有，我喜欢深色主题"))
	second := harvest(t, s, c, first.Next, 2)
	if len(second.Found) != 2 || second.Passed != "" {
		t.Errorf("%+v", second)
	}
	appendTo(t, path, said("user", "记住：周五不发布"))
	third := harvest(t, s, c, second.Next, 2)
	if len(third.Found) != 1 || third.Found[0].Range() != "4" {
		t.Errorf("one more message of a conversation that was captured: %+v", third)
	}
	if again := harvest(t, s, c, third.Next, 2); len(again.Found) != 0 {
		t.Errorf("found twice: %+v", again.Found)
	}
}

// A day of an agent at work holds a lot of talk and few things to keep. What is
// said here is not from the messages that the rules were made with.
func TestADayGivesLittleJunk(t *testing.T) {
	t.Parallel()
	var noise []labelled
	for _, l := range labels(t, "heldout.txt") {
		if l.class == "-" {
			noise = append(noise, l)
		}
	}
	random := rand.New(rand.NewPCG(7, 11))
	before := []string{"", "", "", "ok, ", "hm, ", "嗯，", "Good morning! ", "谢谢。"}
	after := []string{"", "", "", " thanks", "\nand then run it", "，好吗", "!"}
	var day strings.Builder
	said10k := 0
	for ; said10k < 10_000; said10k++ {
		l := noise[random.IntN(len(noise))]
		day.WriteString(said(string(l.role), before[random.IntN(len(before))]+l.text+after[random.IntN(len(after))]))
		if said10k%3 == 0 {
			day.WriteString(said("tool", "always use tabs; we decided to use Go"))
		}
	}
	s, _, c := plain(t, day.String())
	h := harvest(t, s, c, capture.Mark{}, 2)
	kinds := map[string]int{}
	for _, f := range h.Found {
		kinds[f.Text]++
	}
	t.Logf("%d things found in %d messages (%.2f %%): %v", len(h.Found), said10k, 100*float64(len(h.Found))/float64(said10k), kinds)
	if len(h.Found) > said10k*2/100 {
		t.Errorf("%d pieces of junk in %d messages", len(h.Found), said10k)
	}
}

func BenchmarkHarvest(b *testing.B) {
	path := filepath.Join(b.TempDir(), "day.jsonl")
	var text strings.Builder
	all := labels(b, "labelled.txt")
	for i := 0; text.Len() < 10<<20; i++ {
		l := all[i%len(all)]
		text.WriteString(said(string(l.role), l.text))
		text.WriteString(said("tool", strings.Repeat("the output of some tool ", 40)))
	}
	write(b, path, text.String())
	s := folder(b, capture.Plain, filepath.Dir(path))
	c := conversations(b, s)[0]
	e := extractor()
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		start := time.Now()
		messages := 0
		err := e.Harvest(b.Context(), capture.Unread{Source: s, Conversation: c}, capture.Limits{}, func(h capture.Harvest) error {
			messages += h.Messages
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(messages)/time.Since(start).Seconds(), "messages/s")
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		b.Fatal("nothing was read")
	}
}

// What was said first is context, too, when a conversation goes on.
func TestTheFirstMessageIsContextOfTheNext(t *testing.T) {
	s, path, c := plain(t, said("assistant", "我建议账本用 SQLite，不用 Postgres。"))
	first := harvest(t, s, c, capture.Mark{}, 0)
	appendTo(t, path, said("user", "好的"))
	second := harvest(t, s, c, first.Next, 0)
	if len(second.Found) != 1 || second.Found[0].Class != capture.Decision || second.Found[0].Range() != "1-2" {
		t.Errorf("the proposal that was agreed to: %+v", second.Found)
	}
}

// What was said at no known time is from the day on which its file was saved.
func TestWhatHasNoTimeHasASource(t *testing.T) {
	saved := time.Date(2026, 2, 21, 22, 30, 0, 0, time.UTC)
	m := capture.Found{Text: "账本用 SQLite", First: 1, Last: 1}.Memory(capture.Conversation{ID: "s", Modified: saved}, time.FixedZone("", 8*3600))
	if m.Source != "memory-sync:2026-02-22" || !m.ObservedAt.IsZero() {
		t.Errorf("source %s, observed %s", m.Source, m.ObservedAt)
	}
}
