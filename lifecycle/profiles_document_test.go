package lifecycle

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const profilesDocument = "../docs/profiles.md"

// TestTheDocumentOfProfilesSaysWhatTheCodeHas compares the tables of
// docs/profiles.md with the profiles: a row for each setting, a column for each
// profile, and no row without its source. With -update the values are renewed.
func TestTheDocumentOfProfilesSaysWhatTheCodeHas(t *testing.T) {
	raw, err := os.ReadFile(profilesDocument)
	if err != nil {
		t.Fatal(err)
	}
	settings := settingsOfProfiles()
	lines, seen := strings.Split(string(raw), "\n"), map[string]bool{}
	for i, line := range lines {
		cells := strings.Split(line, " | ")
		name := strings.Trim(cells[0], "|` ")
		want, known := settings[name]
		if !known {
			continue
		}
		if len(cells) != len(want)+2 {
			t.Fatalf("line %d has %d cells, want %d: %s", i+1, len(cells), len(want)+2, line)
		}
		seen[name] = true
		if source := strings.Trim(cells[len(cells)-1], "| "); source == "" {
			t.Errorf("line %d does not say where %s comes from", i+1, name)
		}
		if got := cells[1 : len(cells)-1]; !slices.Equal(got, want) {
			t.Errorf("line %d, %s: the document has %q, the code %q", i+1, name, got, want)
			lines[i] = strings.Join(append(append([]string{cells[0]}, want...), cells[len(cells)-1]), " | ")
		}
	}
	for name := range settings {
		if !seen[name] {
			t.Errorf("the document does not tell of %s: %s", name, strings.Join(settings[name], " | "))
		}
	}
	if updating() {
		if err := os.WriteFile(profilesDocument, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTheDocumentOfProfilesNamesTestsThatExist looks for every test that the
// document calls a proof.
func TestTheDocumentOfProfilesNamesTestsThatExist(t *testing.T) {
	raw, err := os.ReadFile(profilesDocument)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := testsOf("..")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)").FindAllStringSubmatch(string(raw), -1)
	if len(named) < 10 {
		t.Errorf("the document names %d tests", len(named))
	}
	for _, match := range named {
		if !tests[match[1]] {
			t.Errorf("there is no test %s", match[1])
		}
	}
}

func testsOf(dir string) (map[string]bool, error) {
	found, declared := map[string]bool{}, regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range declared.FindAllStringSubmatch(string(text), -1) {
			found[match[1]] = true
		}
		return err
	})
	return found, err
}

// settingsOfProfiles returns what each profile has for each setting.
func settingsOfProfiles() map[string][]string {
	values, profiles := map[string][]string{}, Profiles()
	for i, p := range profiles {
		for name, value := range settingsOf(p) {
			if values[name] == nil {
				values[name] = slices.Repeat([]string{"–"}, len(profiles))
			}
			values[name][i] = value
		}
	}
	return values
}

func settingsOf(p Profile) map[string]string {
	settings := map[string]string{}
	flatten("", reflect.ValueOf(p), settings)
	delete(settings, "Name")
	for _, j := range p.Jobs {
		when := "`" + j.Cron + "`"
		if j.After != "" {
			when = "after " + j.After
		}
		if j.DryRun {
			when += " (dry run)"
		}
		name := "Jobs." + j.Name
		settings[name] = strings.TrimPrefix(settings[name]+"; "+when, "; ")
	}
	var steps []string
	for _, s := range p.Boot {
		step := "`" + s.Path + "`"
		if s.AfterOnly != AnyOccasion {
			step += " (" + string(s.AfterOnly) + ")"
		}
		steps = append(steps, step)
	}
	settings["Boot"] = strings.Join(steps, ", ")
	return settings
}

// flatten writes the leaves of a struct under their dotted names.
func flatten(prefix string, v reflect.Value, into map[string]string) {
	if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			flatten(strings.TrimPrefix(prefix+"."+v.Type().Field(i).Name, "."), v.Field(i), into)
		}
		return
	}
	switch value := v.Interface().(type) {
	case []Job, []BootStep:
	case time.Duration:
		into[prefix] = strings.TrimSuffix(value.String(), "0m0s")
	case []Class:
		names := make([]string, len(value))
		for i, c := range value {
			names[i] = string(c)
		}
		into[prefix] = strings.Join(names, ", ")
	case bool:
		into[prefix] = map[bool]string{true: "yes", false: "no"}[value]
	default:
		into[prefix] = fmt.Sprint(v)
	}
	if v.IsZero() && v.Kind() != reflect.Bool {
		into[prefix] = "–"
	}
	if v.Kind() == reflect.Slice && prefix != "Capture.Classes" {
		delete(into, prefix)
	}
}
