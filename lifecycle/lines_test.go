package lifecycle

import (
	"strings"
	"testing"

	"agentmemory/internal/memory"
)

func TestADecisionIsOneLineWithItsContent(t *testing.T) {
	field := func(name, value string) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Fields = append(m.Fields, memory.Field{Name: name, Value: value}) }
	}
	title := func(s string) func(*memory.Memory) { return func(m *memory.Memory) { m.Title = s } }
	card := formed(memory.Decision)
	for _, c := range []struct {
		name string
		m    memory.Memory
		want string
	}{
		{"title and conclusion", stored("a", "long text", card, title("账本存储"), field("conclusion", "用 SQLite")), "账本存储: 用 SQLite"},
		{"title and content", stored("a", "最终选择 SQLite，因为部署简单", card, title("账本存储")), "账本存储: 最终选择 SQLite，因为部署简单"},
		{"a title taken from the content", stored("a", "We keep the ledger in SQLite for now", card, title("We keep the ledger…")), "We keep the ledger in SQLite for now"},
		{"only a finding", stored("a", "", card, title("Ledger"), field("finding", "Postgres is too much")), "Ledger: Postgres is too much"},
		{"a list with a head", stored("a", "Back to the ledger.\n- We use SQLite.\n- Reports go out on Fridays."), "Back to the ledger; We use SQLite; Reports go out on Fridays."},
		{"a list in Chinese", stored("a", "继续做账本。\n- 用 SQLite。\n- 周报周五发。"), "继续做账本；用 SQLite；周报周五发。"},
		{"a list of exclamations", stored("a", "记住这两点！\n- 不要改 api_key！\n- 周报周五发？\n- 好"), "记住这两点！不要改 api_key！周报周五发？好"},
		{"a list of questions", stored("a", "Open!\n- Who pays?\n- And when?"), "Open! Who pays? And when?"},
		{"a list after a colon", stored("a", "Shopping:\n- milk\n- bread"), "Shopping: milk; bread"},
		{"nothing but a list", stored("a", "- 浅色主题\n- 回答简短"), "浅色主题；回答简短"},
		{"lines that are no list", stored("a", "one\ntwo - three"), "one two - three"},
		{"nothing but a title", stored("a", "", card, title("Ledger in SQLite")), "Ledger in SQLite"},
	} {
		if got := OneLine(c.m, 200); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestARedactedLineIsNotCarriedIntoEveryConversation(t *testing.T) {
	p, err := ProfileByName("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	all := []memory.Memory{
		stored("a", "数据库密码必须是 [redacted:password]，请记住"),
		stored("b", "always log in with [redacted:api_key]", at("knowledge://lessons/login")),
		stored("c", "部署必须先跑测试"),
	}
	ids := []string{}
	for _, m := range ranked(all, today(), p, nil) {
		ids = append(ids, m.ID)
	}
	if got := strings.Join(ids, " "); got != "c" {
		t.Errorf("MEMORY.md would hold %q, want c alone", got)
	}
}

func TestAFactIsWithoutTheRequestToKeepIt(t *testing.T) {
	for said, want := range map[string]string{
		"记录这个决策：我们最终选择了 SQLite 而不是 Postgres。":                 "我们最终选择了 SQLite 而不是 Postgres。",
		"Record this decision: we chose SQLite over Postgres": "we chose SQLite over Postgres",
		"请记住: 部署使用 make release":                              "部署使用 make release",
		"数据库：使用 SQLite":                                       "数据库：使用 SQLite",
		"The deadline: we decided on Friday":                  "The deadline: we decided on Friday",
		"记录的格式使用 JSON":                                        "记录的格式使用 JSON",
	} {
		if got := withoutRequest(said); got != want {
			t.Errorf("%q became %q, want %q", said, got, want)
		}
	}
}
