package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"agentmemory/internal/memory"
)

// Kind is the JSON type of an argument.
type Kind string

// The kinds of arguments. Text is a string that also takes what clients make of
// one by mistake: booleans, null, numbers, arrays and objects (as their JSON).
const (
	Text    Kind = "text"
	String  Kind = "string"
	Number  Kind = "number"
	Integer Kind = "integer"
	Boolean Kind = "boolean"
	Strings Kind = "strings" // array of strings, or one string with commas
	Objects Kind = "objects" // array of objects described by Items
	Object  Kind = "object"  // object with free names and string values
)

// Argument describes one named argument.
type Argument struct {
	Name        string
	Aliases     []string // other accepted names, not announced
	Kind        Kind
	Description string
	Required    bool
	Enum        []string
	Min, Max    float64 // for numbers, checked but not announced; both 0: no bounds
	Default     any
	Items       Schema // for Objects
	PerItem     bool   // for Objects: a wrong element becomes {"invalid": its error} and does not refuse the others
	Announce    string // JSON Schema shown instead of the derived one, where that would repeat another
	Hidden      bool   // accepted, not announced (kept for old callers)
}

// Schema is the ordered list of a tool's arguments. The order is the one in
// which clients show them.
type Schema []Argument

// JSON renders the schema as the JSON Schema that MCP clients read.
func (s Schema) JSON() json.RawMessage {
	var b bytes.Buffer
	s.write(&b)
	return b.Bytes()
}

func (s Schema) write(b *bytes.Buffer) {
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	first := true
	for _, a := range s {
		if a.Hidden {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		fmt.Fprintf(b, "%s:", quote(a.Name))
		a.write(b)
		if a.Required {
			required = append(required, a.Name)
		}
	}
	b.WriteByte('}')
	if len(required) > 0 {
		list, _ := json.Marshal(required) //nolint:errchkjson // strings always encode
		fmt.Fprintf(b, `,"required":%s`, list)
	}
	b.WriteString(`,"additionalProperties":false}`)
}

func (a Argument) write(b *bytes.Buffer) {
	if a.Announce != "" {
		b.WriteString(a.Announce)
		return
	}
	switch a.Kind {
	case Strings:
		b.WriteString(`{"type":"array","items":{"type":"string"}`)
	case Objects:
		b.WriteString(`{"type":"array","items":`)
		a.Items.write(b)
	case Object:
		b.WriteString(`{"type":"object","additionalProperties":{"type":"string"}`)
	case Text:
		b.WriteString(`{"type":"string"`)
	default:
		fmt.Fprintf(b, `{"type":%s`, quote(string(a.Kind)))
	}
	if len(a.Enum) > 0 {
		list, _ := json.Marshal(a.Enum) //nolint:errchkjson // strings always encode
		fmt.Fprintf(b, `,"enum":%s`, list)
	}
	if a.Description != "" {
		fmt.Fprintf(b, `,"description":%s`, quote(a.Description))
	}
	b.WriteByte('}')
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(b.String())
}

// Names returns the announced names, sorted.
func (s Schema) Names() []string {
	var names []string
	for _, a := range s {
		if !a.Hidden {
			names = append(names, a.Name)
		}
	}
	sort.Strings(names)
	return names
}

// Decode reads arguments into the struct that target points to, by the json
// tags of its fields. Names may be written in snake_case or camelCase.
func (s Schema) Decode(raw json.RawMessage, target any) error {
	object, err := s.normalise(raw)
	if err != nil {
		return err
	}
	clean, err := json.Marshal(object)
	if err != nil {
		return memory.Errorf(memory.InvalidArgument, "encoding the arguments: %w", err)
	}
	if err := json.Unmarshal(clean, target); err != nil {
		return memory.Errorf(memory.InvalidArgument, "arguments do not fit: %w", JSONProblem(clean, err))
	}
	return nil
}

func (s Schema) normalise(raw json.RawMessage) (map[string]any, error) {
	in, err := decodeObject(raw)
	if err != nil {
		return nil, err
	}
	out := make(map[string]any, len(in))
	for name, value := range in {
		a, ok := s.find(name)
		if !ok {
			return nil, memory.Errorf(memory.InvalidArgument, "unknown argument %q", name).
				WithHint("valid arguments: %s", strings.Join(s.Names(), ", "))
		}
		if value == nil && a.Kind != Text {
			continue
		}
		coerced, err := a.coerce(value)
		if err != nil {
			return nil, err
		}
		if before, twice := out[a.Name]; twice && !reflect.DeepEqual(before, coerced) {
			return nil, memory.Errorf(memory.InvalidArgument, "argument %q is given twice, by two names", a.Name).WithHint("%s", a.explained())
		}
		out[a.Name] = coerced
	}
	return out, s.complete(out)
}

func (s Schema) complete(out map[string]any) error {
	for _, a := range s {
		if _, given := out[a.Name]; given {
			continue
		}
		if a.Required {
			return memory.Errorf(memory.InvalidArgument, "argument %q is missing", a.Name).
				WithHint("%s", a.explained())
		}
		if a.Default != nil {
			out[a.Name] = a.Default
		}
	}
	return nil
}

func decodeObject(raw json.RawMessage) (map[string]any, error) {
	object := map[string]any{}
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		return object, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "arguments are not a JSON object: %w", JSONProblem(raw, err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, memory.Errorf(memory.InvalidArgument, "arguments hold more than one JSON value")
	}
	return object, nil
}

func (s Schema) find(name string) (Argument, bool) {
	for _, a := range s {
		if a.Name == name { // as nearly all callers write it
			return a, true
		}
	}
	folded := foldName(name)
	for _, a := range s {
		if foldName(a.Name) == folded {
			return a, true
		}
		for _, alias := range a.Aliases {
			if foldName(alias) == folded {
				return a, true
			}
		}
	}
	return Argument{}, false
}

// foldName makes sessionId, session-id and session_id the same name.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

func (a Argument) coerce(v any) (any, error) {
	switch a.Kind {
	case Text:
		return textOf(v), nil
	case Number, Integer:
		return a.number(v)
	case Boolean:
		return a.boolean(v)
	case Strings:
		return a.strings(v)
	case Objects:
		return a.objects(v)
	case Object:
		return a.object(v)
	}
	return a.string(v)
}

// textOf renders a coerced value back into the text that the user most likely wrote.
func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(b.String())
}

func (a Argument) wrong(v any) error {
	return memory.Errorf(memory.InvalidArgument, "argument %q must be %s, not %s", a.Name, a.Kind.phrase(), quoteShort(v)).
		WithHint("%s", a.explained())
}

// explained is the name with its values or its description, or else with the kind of value it takes.
func (a Argument) explained() string {
	switch {
	case len(a.Enum) > 0:
		return a.Name + " is one of " + strings.Join(a.Enum, ", ")
	case a.Description == "":
		return a.Name + " takes " + a.Kind.phrase()
	}
	return a.Name + ": " + a.Description
}

func (k Kind) phrase() string {
	switch k {
	case Integer:
		return "an integer"
	case Boolean:
		return "true or false"
	case Strings:
		return "a list of strings"
	case Objects:
		return "a list of objects"
	case Object:
		return "an object"
	}
	return "a " + string(k)
}

func quoteShort(v any) string {
	s := []rune(textOf(v))
	if len(s) > 60 {
		s = append(s[:60], '…')
	}
	return strconv.Quote(string(s))
}

func (a Argument) string(v any) (any, error) {
	var s string
	switch v := v.(type) {
	case string:
		s = v
	case json.Number, bool:
		s = fmt.Sprint(v)
	default:
		return nil, a.wrong(v)
	}
	if len(a.Enum) == 0 || s == "" {
		return s, nil
	}
	for _, e := range a.Enum {
		if strings.EqualFold(e, s) {
			return e, nil
		}
	}
	return nil, memory.Errorf(memory.InvalidArgument, "argument %q cannot be %s", a.Name, quoteShort(v)).WithHint("%s", a.explained())
}

func (a Argument) number(v any) (any, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(textOf(v)), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, a.wrong(v)
	}
	if a.Kind == Integer && f != math.Trunc(f) {
		return nil, a.wrong(v)
	}
	if (a.Min != 0 || a.Max != 0) && (f < a.Min || f > a.Max) {
		return nil, memory.Errorf(memory.InvalidArgument, "argument %q is %v", a.Name, f).
			WithHint("%s lies between %v and %v", a.Name, a.Min, a.Max)
	}
	return f, nil
}

func (a Argument) boolean(v any) (any, error) {
	switch strings.ToLower(textOf(v)) {
	case "true", "yes", "1":
		return true, nil
	case "false", "no", "0", "":
		return false, nil
	}
	return nil, a.wrong(v)
}

func (a Argument) strings(v any) (any, error) {
	out := []string{}
	switch v := v.(type) {
	case string:
		for _, part := range strings.Split(v, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	case []any:
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, a.wrong(v)
			}
			out = append(out, s)
		}
	default:
		return nil, a.wrong(v)
	}
	return out, nil
}

func (a Argument) objects(v any) (any, error) {
	if s, ok := v.(string); ok {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		var parsed any
		if d.Decode(&parsed) != nil {
			return nil, a.wrong(v)
		}
		v = parsed
	}
	list, ok := v.([]any)
	if !ok {
		return nil, a.wrong(v)
	}
	out := make([]any, 0, len(list))
	for i, e := range list {
		if s, isText := e.(string); isText {
			e = map[string]any{"content": s}
		}
		raw, err := json.Marshal(e)
		if err != nil {
			return nil, a.wrong(v)
		}
		object, err := a.Items.normalise(raw)
		if err != nil {
			err = itemError(a.Name, i, err)
			if !a.PerItem {
				return nil, err
			}
			object = map[string]any{"invalid": shown(err)}
		}
		out = append(out, object)
	}
	return out, nil
}

func itemError(name string, i int, err error) error {
	var e *memory.Error
	if errors.As(err, &e) {
		return memory.Errorf(e.Code, "%s[%d]: %s", name, i, e.Message).WithHint("%s", e.Hint)
	}
	return err
}

func (a Argument) object(v any) (any, error) {
	if s, ok := v.(string); ok {
		var parsed map[string]any
		if json.Unmarshal([]byte(s), &parsed) != nil {
			return nil, a.wrong(v)
		}
		v = parsed
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, a.wrong(v)
	}
	out := make(map[string]any, len(object))
	for k, e := range object {
		out[k] = linesOf(e)
	}
	return out, nil
}

// linesOf renders a list of texts one a line, and anything else as textOf does.
func linesOf(v any) string {
	list, is := v.([]any)
	if !is {
		return textOf(v)
	}
	lines := make([]string, len(list))
	for i, e := range list {
		line, is := e.(string)
		if !is {
			return textOf(v)
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}
