package lifecycle

import (
	"strings"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// allNames returns the names by which texts speak of an entity, folded: its
// folder, its other names, and the parts of a name that says it twice, as in
// "账本（ledger）", or "账本 ledger" for a folder that is called so.
func (e Entity) allNames() []string {
	folder := []string{text.Fold(e.Slug), text.Fold(strings.ReplaceAll(e.Slug, "-", " "))}
	names := folder
	for _, n := range e.Names {
		folded := strings.TrimSpace(text.Fold(n))
		if folded == "" {
			continue
		}
		names = append(names, folded)
		names = append(names, besideBrackets(folded)...)
		for _, own := range folder {
			if rest := strings.Trim(strings.Replace(folded, own, "", 1), " -–—/|·:,"); rest != folded && telling(rest) {
				names = append(names, rest)
			}
		}
	}
	return names
}

// besideBrackets returns what stands before and in the brackets at the end of a
// name, if it has such.
func besideBrackets(name string) []string {
	open := strings.IndexAny(name, "(（")
	if open < 0 || !strings.HasSuffix(name, ")") && !strings.HasSuffix(name, "）") {
		return nil
	}
	var out []string
	for _, part := range []string{name[:open], strings.Trim(name[open:], "()（）")} {
		if part = strings.TrimSpace(part); telling(part) {
			out = append(out, part)
		}
	}
	return out
}

// telling reports whether a part of a name is long enough to be one: two
// characters of Chinese, three letters of Latin.
func telling(part string) bool { return utf8.RuneCountInString(part) >= 2 && len(part) >= 3 }
