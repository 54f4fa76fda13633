package lifecycle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
)

func TestProfilesKeepToTheTable(t *testing.T) {
	tests := []struct {
		name     string
		measure  Measure
		lines    int
		bytes    int
		results  int
		look     float64 // hours
		messages int
		syncs    []string
		gc       bool
	}{
		{"openclaw", ByVitality, 200, 0, 8, 0, 2, []string{"0 14,22 * * *", "after conversation"}, true},
		{"four-layer", ByConfidence, 200, 0, 6, 3, 0, []string{"0 10,13,16,19,22 * * *"}, false},
		{"fusion", ByVitality, 200, 0, 10, 0, 0, []string{"0 14,22 * * *"}, false},
		{"yue", ByImportance, 200, 0, 5, 0, 0, nil, true},
		{"watchtower", ByRecency, 80, 5120, 8, 26, 2, []string{"0 23 * * *"}, false},
		{"para", ByTemperature, 0, 0, 8, 0, 0, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := ProfileByName(tt.name)
			if err != nil {
				t.Fatal(err)
			}
			var syncs []string
			for _, j := range p.Jobs {
				switch {
				case j.Name == "sync" && j.After != "":
					syncs = append(syncs, "after "+j.After)
				case j.Name == "sync":
					syncs = append(syncs, j.Cron)
				}
			}
			got := []any{p.Measure, p.Outline.Cap.Lines, p.Outline.Cap.Bytes, p.Recall.Results, p.Capture.LookBack.Hours(), p.Capture.MinUserMessages, syncs, !p.GC.Never}
			want := []any{tt.measure, tt.lines, tt.bytes, tt.results, tt.look, tt.messages, tt.syncs, tt.gc}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestBootOrder(t *testing.T) {
	p, err := ProfileByName("")
	if err != nil {
		t.Fatal(err)
	}
	tacit := "memory/life/resources/system/tacit_knowledge.md"
	start := []string{"USER.md", tacit, "MEMORY.md", "RECENT.md", "today"}
	if d := cmp.Diff(start, p.BootOrder(OnStart)); d != "" {
		t.Errorf("at the start (-want +got):\n%s", d)
	}
	if d := cmp.Diff(append([]string{"memory/CURRENT_STATE.md"}, start...), p.BootOrder(OnReset)); d != "" {
		t.Errorf("after a reset (-want +got):\n%s", d)
	}
	q, err := ProfileByName("para")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"USER.md", tacit, "today"}, q.BootOrder(OnStart)); d != "" {
		t.Errorf("para (-want +got):\n%s", d)
	}
}

func TestUnknownProfile(t *testing.T) {
	if _, err := ProfileByName("janus"); memory.CodeOf(err) != memory.InvalidArgument {
		t.Errorf("got %v, want an invalid argument", err)
	}
}

func TestClassifyByKeywords(t *testing.T) {
	tests := []struct {
		in   string
		want memory.Type
	}{
		{"他喜欢喝茶", memory.Knowledge}, {"他喜歡喝茶", memory.Knowledge}, {"必須先跑測試", memory.Knowledge}, {"记住：周五发布", memory.Knowledge},
		{"Anna prefers tabs", memory.Knowledge}, {"You must sign commits", memory.Knowledge}, {"NEVER push to main", memory.Knowledge},
		{"今天很开心", memory.Emotion}, {"她很擔心", memory.Emotion}, {"好想你", memory.Emotion}, {"I love this city", memory.Emotion}, {"So SAD today", memory.Emotion},
		{"去了超市", memory.Event}, {"Met Bob at the station", memory.Event}, {"The gloves are on the table", memory.Event},
		{"mustard is yellow", memory.Event}, {"the missing screw was found", memory.Event}, {"crusade news", memory.Event},
		{"我喜欢你，今天很开心", memory.Knowledge},
	}
	for _, tt := range tests {
		if got := Classify(tt.in); got != tt.want {
			t.Errorf("%q is %s, want %s", tt.in, got, tt.want)
		}
	}
}
