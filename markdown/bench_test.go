package markdown_test

import (
	"fmt"
	"testing"

	"agentmemory/markdown"
)

// bigJournal has n entries of about 500 bytes, ten a minute.
func bigJournal(n int) *markdown.Document {
	doc := markdown.Parse(journal, nil)
	for i := range n {
		e := note(fmt.Sprintf("id%06d", i), i%10+1, fmt.Sprintf("memory %d: 账本用 SQLite，不用 Postgres, because one file is easier to copy", i))
		e.Section = fmt.Sprintf("%02d:%02d", i/10/60%24, i/10%60)
		e.URI = fmt.Sprintf("event://journal/2026-02-21#%02d%02d-%d", i/10/60%24, i/10%60, i%10+1)
		doc.Put(e)
	}
	return doc
}

func BenchmarkParse(b *testing.B) {
	src := bigJournal(500).Bytes()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		markdown.Parse(journal, src)
	}
}

func BenchmarkPutHundred(b *testing.B) {
	src := bigJournal(500).Bytes()
	for b.Loop() {
		doc := markdown.Parse(journal, src)
		for i := range 100 {
			doc.Put(note(fmt.Sprintf("new%06d", i), i+20, "another memory"))
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	base := bigJournal(500).Bytes()
	ours, theirs := markdown.Parse(journal, base), markdown.Parse(journal, base)
	for i := range 20 {
		ours.Put(note(fmt.Sprintf("new%06d", i), i+20, "another memory"))
	}
	theirs.Remove("id000007")
	b.ResetTimer()
	for b.Loop() {
		markdown.Merge(journal, base, ours.Bytes(), theirs.Bytes())
	}
}
