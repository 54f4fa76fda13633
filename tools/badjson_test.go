package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"agentmemory/internal/locale"
	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// What is wrong with a JSON text is said in our words, with its place, in both languages.
func TestBrokenJSONIsExplained(t *testing.T) {
	for _, c := range []struct{ text, english, chinese string }{
		{`{"content": "x",}`, `line 1, column 17: "}" cannot stand there; the comma before it is one too many`, `第 1 行第 17 列：不应出现 "}"；它前面多了一个逗号`},
		{"{\n \"内容\": x}", `line 2, column 8: "x" cannot stand there`, `第 2 行第 8 列：不应出现 "x"`},
		{`{'content': 1}`, `line 1, column 2: "'" cannot stand there; names and texts stand in straight double quotes`, `第 1 行第 2 列：不应出现 "'"；名称和文字要用英文双引号`},
		{`{“content”: 1}`, `line 1, column 2: "“" cannot stand there; names and texts stand in straight double quotes`, `第 1 行第 2 列：不应出现 "“"；名称和文字要用英文双引号`},
		{"{\"content\": \"a\nb\"}", `line 1, column 15: "\n" cannot stand there; a line break within a text is written \n`, `第 1 行第 15 列：不应出现 "\n"；文字中的换行写作 \n`},
		{`{"content": "x"`, `it ends before the JSON is complete; a quotation mark or bracket is missing`, `JSON 不完整：缺少引号或括号`},
		{``, `it ends before the JSON is complete; a quotation mark or bracket is missing`, `JSON 不完整：缺少引号或括号`},
		{`{"content": 5}`, `the value of "content" is a number where a text belongs`, `"content" 的值是数字，应为文字`},
		{`{"seq": "five"}`, `the value of "seq" is a text where a whole number belongs`, `"seq" 的值是文字，应为整数`},
		{`{"links": {}}`, `the value of "links" is an object where a list belongs`, `"links" 的值是对象，应为列表`},
		{`[]`, `there is a list where an object belongs`, `此处是列表，应为对象`},
	} {
		var target struct {
			Content string   `json:"content"`
			Seq     int      `json:"seq"`
			Links   []string `json:"links"`
		}
		err := json.Unmarshal([]byte(c.text), &target)
		if err == nil {
			t.Fatalf("%q is JSON", c.text)
		}
		got := memory.Spoken(tools.JSONProblem([]byte(c.text), err))
		if got != c.english || locale.Sentence(locale.Chinese, got) != c.chinese {
			t.Errorf("%q:\n%s\n%s", c.text, got, locale.Sentence(locale.Chinese, got))
		}
	}
}

// Arguments and lines to import say so, too, without Go's words.
func TestBrokenArgumentsNameNoTypesOfOurs(t *testing.T) {
	var args tools.RememberArgs
	for _, raw := range []string{`{"content": "x",}`, `{"content"`, `["x"]`, `"x"`} {
		err := tools.RememberSpec().Input.Decode(json.RawMessage(raw), &args)
		if err == nil || strings.Contains(err.Error(), "json:") || strings.Contains(err.Error(), "invalid character") || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: %v", raw, err)
		}
	}
	for _, line := range []string{`{"content": 5}`, `{"content": "x"`, `{"content":"a","id":[1]}`, `nothing`} {
		_, err := tools.ParseRecord([]byte(line), nil)
		if err == nil || strings.Contains(err.Error(), "json:") || strings.Contains(err.Error(), "invalid character") || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
