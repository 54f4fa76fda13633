package lifecycle

import (
	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Classify returns the type of a captured line by its keywords: what speaks of
// rules and preferences is knowledge, else what speaks of feelings is emotion,
// else event. Latin keywords count at word boundaries in any inflection listed,
// Chinese ones in either script.
func Classify(content string) memory.Type {
	folded := text.Fold(content)
	switch {
	case mentionsAny(folded, knowledgeWords()) != "":
		return memory.Knowledge
	case mentionsAny(folded, emotionWords()) != "":
		return memory.Emotion
	}
	return memory.Event
}

func knowledgeWords() []string {
	return []string{
		"喜欢", "讨厌", "禁止", "偏好", "必须", "记住", "规则", "习惯",
		"prefer", "prefers", "preferred", "preference", "preferences", "must", "rule", "rules", "always", "never", "remember",
	}
}

func emotionWords() []string {
	return []string{
		"开心", "安心", "难过", "害羞", "生气", "担心", "爱", "想你", "感动", "温柔", "幸福", "寂寞", "心疼", "甜",
		"happy", "sad", "angry", "love", "loves", "loved", "miss", "misses", "missed", "worried",
	}
}
