package store

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"agentmemory/internal/memory"
)

// condition is a WHERE clause over memories m with its arguments.
type condition struct {
	parts   []string
	args    []any
	narrow  bool   // an index leads to the few rows that can fit
	holding string // a term that all rows hold which can fit, if few do
}

func (c *condition) add(part string, args ...any) {
	c.parts = append(c.parts, part)
	c.args = append(c.args, args...)
}

// equal restricts a column unless value is empty.
func (c *condition) equal(column, value string) {
	if value != "" {
		c.add("m."+column+" = ?", value)
	}
}

// among restricts a column to some values unless there are none.
func among[T ~string](c *condition, column string, values []T) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = string(v)
	}
	c.add("m."+column+" IN (?"+strings.Repeat(", ?", len(values)-1)+")", args...)
}

// where renders the condition, "" if it restricts nothing.
func (c *condition) where() string {
	if len(c.parts) == 0 {
		return ""
	}
	return " WHERE " + c.and()
}

// and renders it as an expression; true if it restricts nothing.
func (c *condition) and() string {
	if len(c.parts) == 0 {
		return "1"
	}
	return strings.Join(c.parts, " AND ")
}

// conditionOf turns a filter into SQL.
func conditionOf(f memory.Filter) *condition {
	c := &condition{}
	c.equal("namespace", f.Namespace)
	among(c, "type", f.Types)
	among(c, "form", f.Forms)
	statuses := f.Statuses
	if len(statuses) == 0 {
		statuses = []memory.Status{memory.Active, memory.Proposed, memory.Missing}
	}
	if len(statuses) < len(memory.Statuses()) {
		among(c, "status", statuses)
	}
	c.equal("actor", f.Actor)
	c.equal("target", f.Target)
	c.equal("domain", f.Domain)
	if f.SourceGlob != "" {
		c.add("m.source GLOB ?", strings.ReplaceAll(f.SourceGlob, "[", "[[]"))
	}
	if f.URIPrefix != "" {
		low, high := prefixRange(f.URIPrefix)
		c.add("m.uri_key >= ? AND m.uri_key < ?", low, high)
		c.levels(low, f.Levels)
	}
	if f.SessionID != "" {
		c.add("m.session_id = ? AND m.group_name = ?", f.SessionID, "session:"+f.SessionID)
	}
	c.equal("home_file", f.File)
	c.containing(f.Holding)
	c.narrow = f.URIPrefix != "" || f.SessionID != "" || f.File != ""
	c.within(f.After, f.Before)
	if !f.Since.IsZero() {
		c.add("(m.observed >= ? OR m.updated_at >= ?)", f.Since.UnixMicro(), f.Since.UnixMicro())
	}
	c.layer(f.Layer)
	return c
}

// containing looks through all texts, which only a purge asks for.
func (c *condition) containing(texts []string) {
	if len(texts) == 0 {
		return
	}
	list, _ := json.Marshal(texts) //nolint:errchkjson // strings
	c.add("m.key IN (SELECT t.key FROM texts t WHERE EXISTS (SELECT 1 FROM json_each(?) w WHERE instr(t.content, w.value)))", string(list))
}

func (c *condition) within(after, before time.Time) {
	if !after.IsZero() {
		c.add("m.observed >= ?", after.UnixMicro())
	}
	if !before.IsZero() {
		c.add("m.observed < ?", before.UnixMicro())
	}
}

// levels bounds the slashes of an address after a prefix.
func (c *condition) levels(prefix string, most int) {
	if most > 0 {
		const rest = "trim(substr(m.uri_key, ?), '/')"
		from := utf8.RuneCountInString(prefix) + 1
		c.add("length("+rest+") - length(replace("+rest+", '/', '')) < ?", from, from, most)
	}
}

func (c *condition) layer(l memory.Layer) {
	switch l {
	case memory.LayerWarm:
		c.add("NOT " + coldRow)
	case memory.LayerCold:
		c.add("("+coldRow+" OR m.status = ?)", string(memory.Archived))
	}
}

// prefixRange returns the bounds of all URI keys that begin with prefix: no
// valid text that does is greater than prefix and the byte FF.
func prefixRange(prefix string) (low, high string) {
	if rest, ok := strings.CutPrefix(prefix, "core://"); ok {
		prefix = "identity://core/" + rest
	}
	return prefix, prefix + "\xff"
}
