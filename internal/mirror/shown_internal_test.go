package mirror

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// What a caller changes is not what the next one reads.
func TestShownIsDecodedOnceAndChangedByNobody(t *testing.T) {
	m := &Mirror{keeping: &keeping{}}
	const text = `{"MEMORY.md":{"lines":{"a":"1"},"links":{"b":"2"},"hidden":{"3":"2026-02-21T00:00:00Z"},"next":{"text":"x","lines":{"c":"4"},"links":{"d":"5"}}},"RECENT.md":null}`
	read := func(text string) map[string]*shown {
		files, err := m.decodeShown(text)
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	first := read(text)
	wanted := map[string]*shown{"RECENT.md": nil, "MEMORY.md": {
		Lines: map[string]string{"a": "1"}, Links: map[string]string{"b": "2"}, Hidden: map[string]time.Time{"3": time.Date(2026, 2, 21, 0, 0, 0, 0, time.UTC)},
		Next: &announced{Text: "x", Lines: map[string]string{"c": "4"}, Links: map[string]string{"d": "5"}},
	}}
	if !reflect.DeepEqual(first, wanted) {
		t.Fatalf("decoded %+v", first["MEMORY.md"])
	}
	page := first["MEMORY.md"]
	page.Lines["a"], page.Links["b"], page.Hidden["9"] = "changed", "changed", time.Time{}
	page.Next.Lines["c"], page.Next.Links["d"], page.Next.Text = "changed", "changed", "changed"
	delete(first, "RECENT.md")
	if again := read(text); !reflect.DeepEqual(again, wanted) {
		t.Errorf("read again: %+v", again["MEMORY.md"])
	}
	if other := read(`{"MEMORY.md":{"lines":{"z":"1"}}}`); !reflect.DeepEqual(other, map[string]*shown{"MEMORY.md": {Lines: map[string]string{"z": "1"}}}) {
		t.Errorf("read another: %+v", other["MEMORY.md"])
	}
	for _, broken := range []string{"", "{"} {
		if _, err := m.decodeShown(broken); err == nil {
			t.Errorf("%q was read", broken)
		}
	}
}

// A projected.json that is damaged tells nothing, and is no reason to read and
// write nothing any more.
func TestADamagedNoteOfWhatIsShownIsMadeAgain(t *testing.T) {
	root := openRoot(t)
	m := considering(t, root, notes{kept: map[string][]byte{}})
	if err := root.WriteFile(projectedFile, []byte(`{"RECENT.md": {"lines": `), 0o600); err != nil {
		t.Fatal(err)
	}
	said := ""
	m.Log = func(what string, _ error) { said += what }
	files, err := m.loadShown()
	if err != nil || files["RECENT.md"] == nil || !strings.Contains(said, projectedFile) {
		t.Fatalf("%v, %v, said %q", files, err, said)
	}
	files["memory/CURRENT_STATE.md"] = nil
	if err := m.saveShown(files); err != nil {
		t.Fatal(err)
	}
	said = ""
	if _, err := m.loadShown(); err != nil || said != "" {
		t.Errorf("%v, said %q", err, said)
	}
}
