package capture

import (
	"fmt"
	"reflect"
	"regexp"
	"testing"
)

// Patterns are compiled when they are needed, so that a mistake in one would
// show late: here all of them are.
func TestEveryPatternCompiles(t *testing.T) {
	e, n := NewExtractor(Options{}), 0
	compile := func(where string, p *pattern) {
		n++
		if _, err := regexp.Compile(p.expression); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
	for _, r := range e.rules {
		for i, p := range r.patterns {
			compile(fmt.Sprint(r.class, " ", i), p)
		}
		if r.unless != nil {
			compile(fmt.Sprint(r.class, " unless"), r.unless)
		}
	}
	for _, holder := range []any{*e, *e.language} {
		v := reflect.ValueOf(holder)
		for i := range v.NumField() {
			if p := v.Field(i); p.Type() == reflect.TypeFor[*pattern]() {
				compile(v.Type().Field(i).Name, newPattern(p.Elem().FieldByName("expression").String()))
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d patterns were looked at", n)
	}
}

func TestScriptsOfPatterns(t *testing.T) {
	for expression, want := range map[string]script{
		`^(?:决定|敲定).{2,}`: onlyHan, `\bwe (?:decided|agreed)\b`: onlyLatin, `^(?:待办|todo) ?:`: anyScript,
		`\b[0-9]+\s`: anyScript, `口误.{0,3}[,，:。]\b`: onlyHan, `^to[- ]?do ?[:：]`: onlyLatin,
	} {
		if got := scriptOf(expression); got != want {
			t.Errorf("%s: %d, want %d", expression, got, want)
		}
	}
}
