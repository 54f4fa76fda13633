package text

import "strings"

// inflected reports whether the English stemmer may change a folded word. It
// is much cheaper than the stemmer, which most words do not need.
func inflected(word string) bool {
	if len(word) < 3 {
		return false
	}
	for i := 0; i < len(word); i++ {
		if c := word[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	switch word[len(word)-1] {
	case 's', 'y', 'e', 'i':
		return true
	case 'd':
		return strings.HasSuffix(word, "ed")
	case 'g':
		return strings.HasSuffix(word, "ing")
	case 'l':
		return endsIn(word, "al", "ll", "ful")
	case 'r':
		return endsIn(word, "er", "ator")
	case 'n':
		return strings.HasSuffix(word, "ion")
	case 'c':
		return strings.HasSuffix(word, "ic")
	case 't':
		return strings.HasSuffix(word, "nt")
	case 'm':
		return strings.HasSuffix(word, "ism")
	}
	return false
}

func endsIn(word string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}

// stopWord reports whether a folded word is too common in English to tell
// texts apart. Words that carry time, number or negation are kept.
func stopWord(word string) bool {
	if len(word) > 8 {
		return false
	}
	switch word {
	case "a", "about", "all", "also", "am", "an", "and", "any", "are", "arent", "as", "at", "be", "because", "been",
		"being", "but", "by", "can", "cant", "could", "did", "didnt", "do", "does", "doesnt", "doing", "dont", "for",
		"from", "get", "got", "had", "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here", "hers",
		"him", "his", "how", "i", "id", "if", "ill", "im", "in", "into", "is", "isnt", "it", "its", "ive", "just",
		"lets", "me", "might", "mine", "must", "my", "of", "on", "or", "our", "ours", "out", "shall", "she",
		"shes", "hes", "should", "so", "some", "such", "than", "that", "thats", "the", "their", "them", "then",
		"there", "theres", "these", "they", "theyre", "theyve", "this", "those", "to", "too", "up", "us", "very", "was", "wasnt",
		"we", "well", "were", "werent", "weve", "what", "whats", "when", "where", "which", "while", "who", "whom",
		"whose", "why", "will", "with", "wont", "would", "wouldnt", "you", "your", "youre", "yours", "youve":
		return true
	}
	return false
}
