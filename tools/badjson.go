package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/memory"
)

// JSONProblem says in words of our own, which have a Chinese form, why a text could
// not be read as JSON, and where: lines and columns count from 1. Other errors
// come back as they are.
func JSONProblem(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && bytes.HasPrefix([]byte(syntax.Error()), []byte("unexpected end")), strings.Contains(err.Error(), "unexpected EOF"):
		return memory.Errorf(memory.InvalidArgument, "it ends before the JSON is complete; a quotation mark or bracket is missing")
	case errors.As(err, &syntax):
		return misplaced(text, max(0, min(int(syntax.Offset)-1, len(text)-1)))
	case errors.As(err, &kind) && kind.Field != "":
		return memory.Errorf(memory.InvalidArgument, "the value of %q is %s where %s belongs", kind.Field, foundKind(kind.Value), wantedKind(kind.Type))
	case errors.As(err, &kind):
		return memory.Errorf(memory.InvalidArgument, "there is %s where %s belongs", foundKind(kind.Value), wantedKind(kind.Type))
	}
	return err
}

// misplaced names the sign at a position of a text, and what mostly leads to it.
func misplaced(text []byte, at int) error {
	if len(text) == 0 {
		return memory.Errorf(memory.InvalidArgument, "it ends before the JSON is complete; a quotation mark or bracket is missing")
	}
	line := bytes.Count(text[:at], []byte("\n")) + 1
	column := utf8.RuneCount(text[bytes.LastIndexByte(text[:at], '\n')+1:at]) + 1
	sign, _ := utf8.DecodeRune(text[at:])
	shown := fmt.Sprintf("%q", string(sign))
	before := bytes.TrimSpace(text[:at])
	switch {
	case sign == '\'' || sign == '“' || sign == '”':
		return memory.Errorf(memory.InvalidArgument, "line %d, column %d: %s cannot stand there; names and texts stand in straight double quotes", line, column, shown)
	case (sign == '}' || sign == ']') && bytes.HasSuffix(before, []byte(",")):
		return memory.Errorf(memory.InvalidArgument, "line %d, column %d: %s cannot stand there; the comma before it is one too many", line, column, shown)
	case sign < ' ':
		return memory.Errorf(memory.InvalidArgument, `line %d, column %d: %s cannot stand there; a line break within a text is written \n`, line, column, shown)
	}
	return memory.Errorf(memory.InvalidArgument, "line %d, column %d: %s cannot stand there", line, column, shown)
}

func foundKind(value string) string {
	name, _, _ := strings.Cut(value, " ") // "number 5.5"
	switch name {
	case "string":
		return "a text"
	case "number":
		return "a number"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	}
	return "an object"
}

func wantedKind(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number"
	}
	return "an object"
}
