package tools

import (
	"math"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// MemoryView is a memory as callers see it. Times are RFC 3339, "" if unknown.
type MemoryView struct {
	ID           string         `json:"id"`
	URI          string         `json:"uri"`
	Content      string         `json:"content"`
	Title        string         `json:"title,omitempty"`
	Fields       []memory.Field `json:"fields,omitempty"`
	Type         string         `json:"type"`
	Form         string         `json:"form"`
	Status       string         `json:"status"`
	Priority     int            `json:"priority"`
	Vitality     float64        `json:"vitality"`
	State        string         `json:"state"`
	Temperature  string         `json:"temperature"`
	Importance   float64        `json:"importance"`
	Stability    float64        `json:"stability"` // days, neverFades for what does not fade
	AccessCount  int            `json:"access_count"`
	LastAccessed string         `json:"last_accessed,omitempty"`
	EmotionVal   float64        `json:"emotion_val"`
	Path         string         `json:"path,omitempty"`
	Line         int            `json:"line,omitempty"`
	CreatedAt    string         `json:"created_at"`
	UpdatedAt    string         `json:"updated_at,omitempty"`
	ObservedAt   string         `json:"observed_at,omitempty"`
	Source       string         `json:"source,omitempty"`
	Actor        string         `json:"actor,omitempty"`
	SessionID    string         `json:"session_id,omitempty"`
	SessionPath  string         `json:"session_path,omitempty"`
	MessageRange string         `json:"message_range,omitempty"`
	Confidence   float64        `json:"confidence"`
	Trust        string         `json:"trust"`
	Uncertain    bool           `json:"uncertain,omitempty"`
	Supersedes   string         `json:"supersedes,omitempty"`
	SupersededBy string         `json:"superseded_by,omitempty"`
	Links        []memory.Link  `json:"links,omitempty"`
	// Contradicted are the notes that speak against a decision.
	Contradicted []Contradiction `json:"contradicted_by,omitempty"`
	// Before is what it superseded or speaks against.
	Before    []Earlier `json:"before,omitempty"`
	Namespace string    `json:"namespace,omitempty"` // of another agent, where several were asked
}

// lineOf is where a reader finds the memory; one whose line has gone stands nowhere.
func lineOf(m memory.Memory) int {
	if m.Status == memory.Missing {
		return 0
	}
	return m.Home.Line
}

// neverFades is the stability that stands for an infinite one, which JSON cannot
// hold; callers know it from the predecessor.
const neverFades = 999999

// stabilityOf is the stability that the vitality beside it follows from.
func stabilityOf(m memory.Memory) float64 {
	if s := lifecycle.Stability(m); !math.IsInf(s, 1) {
		return round3(s)
	}
	return neverFades
}

// uncertainBelow is the confidence below which a memory is marked uncertain.
const uncertainBelow = 0.5

// viewOf renders a memory with its measures as of now.
func viewOf(m memory.Memory, p lifecycle.Profile, now time.Time) MemoryView {
	return MemoryView{
		ID: m.ID, URI: m.URI, Content: m.Content, Title: m.Title, Fields: m.Fields,
		Type: string(m.Type), Form: string(m.Form), Status: string(m.Status), Priority: int(m.Priority()),
		Vitality: round3(lifecycle.Vitality(m, now)), State: string(lifecycle.TierOf(m, now)),
		Temperature: string(lifecycle.TemperatureOf(m, now)), Importance: round3(m.Importance), Stability: stabilityOf(m),
		AccessCount: m.AccessCount, LastAccessed: stamp(m.LastAccess), EmotionVal: m.EmotionVal,
		Path: m.Home.File, Line: lineOf(m),
		CreatedAt: stamp(m.CreatedAt), UpdatedAt: stamp(m.UpdatedAt), ObservedAt: stamp(m.ObservedAt),
		Source: m.Source, Actor: m.Actor, SessionID: m.SessionID, SessionPath: m.SessionPath, MessageRange: m.MessageRange,
		Confidence: m.Confidence, Trust: string(m.Trust), Uncertain: uncertain(m),
		Supersedes: m.Supersedes, SupersededBy: m.SupersededBy, Links: m.Links,
	}
}

// uncertain marks what a reader should check before relying on it.
func uncertain(m memory.Memory) bool {
	return m.Confidence < uncertainBelow || m.Trust == memory.TrustExternal || m.Status == memory.Proposed || m.Status == memory.Missing
}

// namespaceOr is where a memory is from: a view names it only where several were asked.
func (v MemoryView) namespaceOr(usual string) string {
	if v.Namespace != "" {
		return v.Namespace
	}
	return usual
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func round3(x float64) float64 { return float64(int(x*1000+0.5)) / 1000 }
