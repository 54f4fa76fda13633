package markdown

import "testing"

func TestLinesThatOnlyShowAMemory(t *testing.T) {
	tests := []struct {
		line        string
		shows, byID bool
	}{
		{"- Ann paints [→](../../memory/2026-02-21.md)", true, false},
		{"- Ann paints [→](memory/2026-02-21.md#06b7gf88m1r017fb7vqc9r9jwm) <!-- importance: 5 -->\n", true, true},
		{"- 安画画 [→](../../memory/%E4%B8%AD%20a.md)", true, false},
		{"- see [→](memory/2026-02-21.md#monday)", true, false},
		{"- Ann paints", false, false},
		{"- Ann paints [→](a.md) and more", false, false},
		{"- Ann [→](a.md) paints [→](b.md)", false, false},
		{"Ann paints [→](a.md)", false, false},
		{"# Week [→](a.md)", false, false},
		{"", false, false},
	}
	for _, tt := range tests {
		if got, byID := Shows(tt.line), ShowsByID(tt.line); got != tt.shows || byID != tt.byID {
			t.Errorf("%q: Shows %v, ShowsByID %v", tt.line, got, byID)
		}
	}
}
