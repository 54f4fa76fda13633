package tools

import "agentmemory/internal/rank"

// Arms lists the ways of ranking that an evaluation compares: the whole, each
// source of candidates alone, and the whole without each of its steps.
func Arms(defaults rank.Parameters) []Arm {
	bm25 := rank.Parameters{Words: 1, K1: 1.2, B: 0.75, Threshold: defaults.Threshold}
	vectors := rank.Parameters{Semantic: 1, K1: defaults.K1, B: defaults.B, Threshold: defaults.Threshold}
	arms := []Arm{
		{Name: defaultArm, Parameters: defaults, Vectors: true},
		{Name: "words only", Parameters: defaults},
		{Name: "plain BM25", Parameters: bm25},
		{Name: "vectors only", Parameters: vectors, Vectors: true},
	}
	for _, step := range []struct {
		name   string
		remove func(*rank.Parameters)
	}{
		{"related words", func(p *rank.Parameters) { p.Related = 0 }},
		{"phrases", func(p *rank.Parameters) { p.Phrase = 0 }},
		{"window", func(p *rank.Parameters) { p.Window = 0 }},
		{"speaker", func(p *rank.Parameters) { p.Speaker, p.Told = 0, 0 }},
		{"time", func(p *rank.Parameters) { p.TimeWord, p.Date = 0, 0 }},
		{"asking", func(p *rank.Parameters) { p.Asking = 0 }},
		{"neighbours", func(p *rank.Parameters) { p.Previous, p.Answered, p.Next, p.Distant = 0, 0, 0, 0 }},
		{"session", func(p *rank.Parameters) { p.Session, p.Each = 0, 0 }},
		{"brevity", func(p *rank.Parameters) { p.Brevity = 0 }},
		{"lifecycle", func(p *rank.Parameters) { p.Lifecycle = 0 }},
	} {
		p := defaults
		step.remove(&p)
		arms = append(arms, Arm{Name: "without " + step.name, Parameters: p, Vectors: true})
	}
	return arms
}
