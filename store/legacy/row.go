package legacy

import (
	"database/sql"
	"math"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// row is one row of memories or memory_archive; columns that a schema does not
// have stay NULL.
type row struct {
	id, content, kind                  sql.NullString
	priority, accessCount              sql.NullInt64
	emotionVal, vitality, stability    sql.NullFloat64
	lastAccessed, createdAt, updatedAt sql.NullString
	source, agent                      sql.NullString
	emotionTag, session, background    sql.NullString
	observedAt, archivedWhy            sql.NullString
}

// columnNames lists the columns in the order of targets.
func columnNames() []string {
	return []string{
		"id", "content", "type", "priority", "access_count", "emotion_val", "vitality", "stability",
		"last_accessed", "created_at", "updated_at", "source", "agent_id",
		"emotion_tag", "source_session", "source_context", "observed_at", "archive_reason",
	}
}

func (r *row) targets() []any {
	return []any{
		&r.id, &r.content, &r.kind, &r.priority, &r.accessCount, &r.emotionVal, &r.vitality, &r.stability,
		&r.lastAccessed, &r.createdAt, &r.updatedAt, &r.source, &r.agent,
		&r.emotionTag, &r.session, &r.background, &r.observedAt, &r.archivedWhy,
	}
}

func (d *Database) selection(table string) string {
	parts := columnNames()
	for i, name := range parts {
		if !d.columns[table][name] {
			parts[i] = "NULL"
		}
	}
	return strings.Join(parts, ", ")
}

// pinnedStability is what the original stores for "never decays".
const pinnedStability = 999999

// imported maps a row to what it means here.
func (r *row) imported(archived bool) memory.Imported {
	m := memory.Memory{
		ID: r.id.String, Namespace: memory.DefaultNamespace, Content: r.content.String,
		Type: memory.Type(r.kind.String), Form: memory.Note, Status: memory.Active,
		Confidence: 0.8, InitialImportance: 0.5, Importance: 0.5, Density: 0.5,
		AccessCount: int(r.accessCount.Int64), EmotionVal: r.emotionVal.Float64,
		Source: r.source.String, SessionID: r.session.String, Trust: memory.TrustAgent,
		LastAccess: parseTime(r.lastAccessed.String), ObservedAt: parseTime(r.observedAt.String),
		CreatedAt: parseTime(r.createdAt.String), UpdatedAt: parseTime(r.updatedAt.String),
	}
	if m.UpdatedAt.IsZero() {
		m.UpdatedAt = m.CreatedAt
	}
	m.ImportanceSet = m.CreatedAt
	out := memory.Imported{Memory: m, Origin: "memory " + m.ID}
	r.classify(&out, archived)
	r.keepBackground(&out.Memory)
	return out
}

func (r *row) classify(out *memory.Imported, archived bool) {
	m := &out.Memory
	if !slices.Contains(memory.Types(), m.Type) {
		out.Notes = append(out.Notes, "unknown type "+r.kind.String+", kept as knowledge")
		m.Type = memory.Knowledge
	}
	if r.priority.Valid && r.priority.Int64 == 0 && m.Type != memory.Identity {
		m.Pinned = true
	}
	if s := r.stability.Float64; s > 0 && s < pinnedStability && !math.IsNaN(s) {
		m.Stability = s
	}
	if agent := r.agent.String; agent != "default" {
		m.Actor = agent
	}
	switch {
	case archived:
		m.Status = memory.Archived
		if why := r.archivedWhy.String; why != "" {
			out.Notes = append(out.Notes, "was archived: "+why)
		}
	case r.softForgotten(*m):
		m.Status = memory.Forgotten
	}
}

// keepBackground takes over what the original calls context and emotion tag.
func (r *row) keepBackground(m *memory.Memory) {
	if m.Source == "" {
		m.Source = r.background.String
	} else if r.background.String != "" {
		m.Fields = append(m.Fields, memory.Field{Name: "context", Value: r.background.String})
	}
	if r.emotionTag.String != "" {
		m.Fields = append(m.Fields, memory.Field{Name: "emotion_tag", Value: r.emotionTag.String})
	}
}

// softForgotten recognises a memory that somebody forgot. The original has no
// mark for it: it multiplies the vitality by 0.1, at which decay never arrives
// by itself, because what is stored is at least the floor of the priority and
// at least e^(−t/S) at the time of the row's last update.
func (r *row) softForgotten(m memory.Memory) bool {
	if !r.vitality.Valid || !r.priority.Valid {
		return false
	}
	return r.vitality.Float64 < r.expectedVitality(m)/2
}

func (r *row) expectedVitality(m memory.Memory) float64 {
	floors := []float64{1, .3, .1, 0}
	floor := floors[min(max(int(r.priority.Int64), 0), len(floors)-1)]
	from := m.LastAccess
	if from.IsZero() {
		from = m.CreatedAt
	}
	days := m.UpdatedAt.Sub(from).Hours() / 24
	if from.IsZero() || m.UpdatedAt.IsZero() || r.stability.Float64 <= 0 {
		return floor
	}
	return max(floor, math.Exp(-max(days, 0)/r.stability.Float64))
}

// parseTime reads the ISO 8601 stamps of the original; zero if there is none.
func parseTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
