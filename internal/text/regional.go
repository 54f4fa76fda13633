package text

import (
	"strings"
	"unicode/utf8"
)

// Taiwan and Hong Kong have other words than the mainland for many things (資料庫
// and 数据库, 程式 and 程序). Where a text holds one of theirs, it is found by the
// mainland's as well, and a question that uses one finds both.

// regional returns what the mainland says for the words of Taiwan and Hong Kong in
// a folded run of characters, as the terms that their own words do not have.
func (a *analyser) regional(run string) {
	var others []string
	for i := 0; i < len(run); {
		word, mainland := regionalWord(run[i:])
		if word == "" {
			_, n := utf8.DecodeRuneInString(run[i:])
			i += n
			continue
		}
		for other := range strings.SplitSeq(mainland, "/") {
			others = appendMissing(others, word, other)
		}
		i += len(word)
	}
	a.terms = append(a.terms, others...)
}

// appendMissing appends the characters and pairs of a word that the other word, which it stands for, lacks.
func appendMissing(terms []string, other, word string) []string {
	for i := 0; i < len(word); i += hanBytes {
		if i > 0 && !strings.Contains(other, word[i-hanBytes:i+hanBytes]) {
			terms = append(terms, word[i-hanBytes:i+hanBytes])
		}
		if !strings.Contains(other, word[i:i+hanBytes]) {
			terms = append(terms, word[i:i+hanBytes])
		}
	}
	return terms
}

// hanBytes is the size of every character in the table.
const hanBytes = 3

// regionalWord returns the longest word of the table that s begins with, and what the
// mainland says for it; "" if there is none. The table is ordered: words that s begins
// with stand before where s itself would, longer ones last.
func regionalWord(s string) (word, mainland string) {
	if len(s) < 2*hanBytes {
		return "", ""
	}
	at := RegionalHash(s)
	if regionalBits[at/8]>>(at%8)&1 == 0 {
		return "", ""
	}
	for end := notAfter(s); end > 0; {
		start := lineBegin(end - 1)
		word, mainland, _ = strings.Cut(regionalWords[start:end-1], "=")
		if strings.HasPrefix(s, word) {
			return word, mainland
		}
		if !strings.HasPrefix(word, s[:2*hanBytes]) {
			break
		}
		end = start
	}
	return "", ""
}

// notAfter returns where the lines of the table end whose words do not come after s.
func notAfter(s string) int {
	low, high := 0, len(regionalWords) // where a line begins
	for low < high {
		begin := lineBegin((low + high) / 2)
		word, _, _ := strings.Cut(regionalWords[begin:high], "=")
		if word > s {
			high = begin
		} else {
			low = begin + strings.IndexByte(regionalWords[begin:], '\n') + 1
		}
	}
	return low
}

// lineBegin returns where the line of the table begins that a place lies in.
func lineBegin(at int) int { return strings.LastIndexByte(regionalWords[:at], '\n') + 1 }

// RegionalHash maps the first two characters of s to one of 8,192 numbers, for the
// generator and the look-up of regional words.
func RegionalHash(s string) int {
	first, n := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[n:])
	return int(uint32(first)*31+uint32(second)*17) % (len(regionalBits) * 8)
}
