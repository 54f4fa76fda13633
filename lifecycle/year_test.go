package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// year simulates a store over a year of days: 20 entries a day, of which now and
// then one is valuable; recalls that go to the recent and to the valuable; all
// jobs on the clock of the simulation.
type year struct {
	random   *rand.Rand
	profile  Profile
	now      time.Time
	store    []memory.Memory
	holders  map[string][]int // term → places in store
	place    map[string]int
	valuable map[string]bool // ids that a judge calls valuable
	outline  memory.Outline
	worst    Cap
}

func newYear(t *testing.T, profile string) *year {
	t.Helper()
	p, err := ProfileByName(profile)
	if err != nil {
		t.Fatal(err)
	}
	return &year{
		random: rand.New(rand.NewPCG(7, 11)), profile: p, now: time.Date(2025, 1, 1, 9, 0, 0, 0, today().Location()),
		holders: map[string][]int{}, place: map[string]int{}, valuable: map[string]bool{},
	}
}

func (y *year) pick(from ...string) string { return from[y.random.IntN(len(from))] }

func (y *year) person() string {
	return y.pick("Ann", "Bob", "Chen Wei", "Dora", "李雷", "韩梅梅")
}

func (y *year) trifle() (memory.Type, string) {
	n := y.random.IntN(100000)
	switch y.random.IntN(10) {
	case 0:
		return memory.Emotion, y.person() + y.pick(" was happy about ", " was worried about ", "为这件事开心：", "有点担心：") + y.pick("the demo", "发布", "the budget", "考试") + fmt.Sprint(" ", n)
	case 1, 2:
		return memory.Knowledge, fmt.Sprintf("Ticket PROJ-%d concerns the %s of %s", n, y.pick("login page", "导出功能", "nightly job", "invoice table"), y.person())
	case 3:
		return memory.Event, fmt.Sprintf("和%s讨论了%s，编号 %d", y.person(), y.pick("排期", "接口", "预算", "招聘"), n)
	}
	return memory.Event, fmt.Sprintf("%s %s build %d in %d minutes", y.person(), y.pick("deployed", "reverted", "tested", "reviewed"), n, y.random.IntN(60))
}

// treasure is something that stays worth knowing: what a judge would want to find.
func (y *year) treasure(i int) memory.Memory {
	m := memory.Memory{Type: memory.Knowledge, Form: memory.Note, Confidence: .8, InitialImportance: .5}
	switch i % 5 {
	case 0:
		m.Form, m.Title, m.Confidence = memory.Decision, fmt.Sprintf("Component %d", i), .9
		m.URI = fmt.Sprintf("decision://%s-component-%d", y.now.Format("20060102"), i)
		m.Content = fmt.Sprintf("Component %d stores its data in %s-%d", i, y.pick("SQLite", "Postgres", "Redis"), i)
	case 1:
		m.URI, m.Content = fmt.Sprintf("knowledge://preferences/topic-%d", i), fmt.Sprintf("关于主题%d：回复要%s，格式第 %d 号", i, y.pick("简短", "详细", "用表格"), i)
	case 2:
		m.URI, m.Content = fmt.Sprintf("knowledge://lessons/case-%d", i), fmt.Sprintf("Lesson of outage %d: never skip step %d of the runbook", i, i)
	case 3:
		m.Content = fmt.Sprintf("!REMEMBER the contact for vendor %d is extension %d", i, 4000+i)
	default:
		m.Content = fmt.Sprintf("The endpoint of service %d listens behind gateway g%d", i, i)
	}
	return m
}

func (y *year) remember(m memory.Memory) {
	m.ID = fmt.Sprintf("y%06d", len(y.store))
	m.Namespace, m.Status, m.Trust = "main", memory.Active, memory.TrustAgent
	m.CreatedAt, m.UpdatedAt, m.ImportanceSet, m.ContentHash = y.now, y.now, y.now, memory.Hash(m.Content)
	m.Importance = m.InitialImportance
	if m.URI == "" {
		m.URI = fmt.Sprintf("%s%d", memory.JournalURI(m.Type, y.now), len(y.store))
	}
	m.Home.File = "memory/" + y.now.Format(time.DateOnly) + ".md"
	v := Guard(Arrival{Memory: Marked(m), Now: y.now}, y.similar(m), y.profile.Guard)
	y.apply(v.Changes)
}

// similar finds the newest memories that share the rarest term, as the store does.
func (y *year) similar(m memory.Memory) []Similar {
	rarest, fewest := "", 1<<30
	for _, t := range text.Index(m.Content) {
		if n := len(y.holders[t]); n > 0 && n < fewest {
			rarest, fewest = t, n
		}
	}
	list := y.holders[rarest]
	found := []Similar{}
	for _, i := range list[max(0, len(list)-8):] {
		found = append(found, Similar{Memory: y.store[i]})
	}
	return found
}

func (y *year) apply(changes []memory.Change) {
	for _, c := range changes {
		i, known := y.place[c.Memory.ID]
		if known {
			y.store[i] = changed(y.store[i], c)
			continue
		}
		y.place[c.Memory.ID] = len(y.store)
		for _, t := range text.Index(c.Memory.Content) {
			y.holders[t] = append(y.holders[t], len(y.store))
		}
		y.store = append(y.store, c.Memory)
	}
}

// recall uses ten memories a day: half of them recent, half of them valuable,
// the same few far more often than the others.
func (y *year) recall(treasures []string) {
	zipf := rand.NewZipf(y.random, 1.1, 8, uint64(max(1, len(treasures))))
	for i := range 10 {
		y.now = y.now.Add(7 * time.Minute)
		at := max(0, len(y.store)-1-y.random.IntN(60))
		if i%2 == 0 && len(treasures) > 0 {
			at = y.place[treasures[min(int(zipf.Uint64()), len(treasures)-1)]]
		}
		y.store[at] = Strengthen(y.store[at], y.now)
	}
}

func (y *year) live(t *testing.T, days int) {
	var treasures []string
	for d := range days {
		for i := range 20 {
			y.now = y.now.Add(10 * time.Minute)
			if i == 5 && d%3 == 0 {
				before := len(y.store)
				y.remember(y.treasure(d / 3))
				y.valuable[y.store[before].ID] = true
				treasures = append(treasures, y.store[before].ID)
				continue
			}
			kind, content := y.trifle()
			y.remember(memory.Memory{Type: kind, Form: memory.Note, Content: content, Confidence: .8, InitialImportance: .5})
		}
		y.recall(treasures)
		y.now = time.Date(2025, 1, 2+d, 9, 0, 0, 0, y.now.Location())
		y.jobs(t, d)
	}
}

func (y *year) jobs(t *testing.T, d int) {
	if d%3 == 0 {
		if shown := len(linesOf(Surface(y.store, y.now, y.profile, nil))); shown > y.profile.Surface.Total {
			t.Fatalf("day %d: RECENT.md shows %d entries", d, shown)
		}
	}
	if d%7 != 6 {
		return
	}
	plan, _ := All(y.store, y.now, time.Time{}, y.profile)
	y.apply(plan.Changes)
	y.apply(Decisions(y.store, y.now, y.profile).Changes)
	page, outline := writeOutline(Compound(y.outline, y.store, y.now, y.profile, nil))
	y.outline = outline
	y.worst = Cap{Lines: max(y.worst.Lines, strings.Count(page, "\n")), Chars: max(y.worst.Chars, len([]rune(page)))}
}

func TestASimulatedYear(t *testing.T) {
	y := newYear(t, "openclaw")
	y.live(t, 365)
	inFile, alive, active := map[string]bool{}, 0, 0
	for _, l := range y.outline.Lines {
		inFile[l.MemoryID] = true
	}
	found := 0
	for id := range y.valuable {
		m := y.store[y.place[id]]
		if inFile[id] {
			found++
		}
		if m.Status == memory.Active {
			alive++
		}
	}
	for _, m := range y.store {
		if m.Status == memory.Active {
			active++
		}
	}
	t.Logf("%d memories, %d active; MEMORY.md up to %d lines, %d characters; it holds %d of %d valuable ones, %d of which are active",
		len(y.store), active, y.worst.Lines, y.worst.Chars, found, len(y.valuable), alive)
	if y.worst.Lines > 200 || y.worst.Chars > HostCap {
		t.Errorf("MEMORY.md grew to %d lines and %d characters", y.worst.Lines, y.worst.Chars)
	}
	if found*10 < len(y.valuable)*9 {
		t.Errorf("MEMORY.md holds %d of %d valuable memories", found, len(y.valuable))
	}
	if alive < len(y.valuable) {
		t.Errorf("%d of %d valuable memories decayed away", len(y.valuable)-alive, len(y.valuable))
	}
	if len(y.store) < 7000 || active > 4000 {
		t.Errorf("%d memories, %d active", len(y.store), active)
	}
}

func TestAStoreLeftAloneForASeasonIsNotEmptied(t *testing.T) {
	y := newYear(t, "openclaw")
	y.live(t, 30)
	y.now = y.now.AddDate(0, 6, 0)
	plan, _ := All(y.store, y.now, time.Time{}, y.profile)
	y.apply(plan.Changes)
	events, lost := 0, 0
	for _, m := range y.store {
		if m.Status == memory.Active && m.Type == memory.Event {
			events++
		}
		if y.valuable[m.ID] && m.Status != memory.Active {
			lost++
		}
	}
	if events < y.profile.Tidy.Keep || lost > 0 {
		t.Errorf("%d events are left, %d valuable memories are gone", events, lost)
	}
}
