package capture_test

import (
	"strings"
	"testing"

	"agentmemory/internal/capture"
	"agentmemory/internal/redact"
)

// Many write Chinese with the signs of an English keyboard; what is found is the same.
func TestChineseWithEnglishSignsIsCutTheSame(t *testing.T) {
	e := capture.NewExtractor(capture.Options{Redactor: redact.New()})
	wide := strings.NewReplacer("!", "！", "?", "？", ";", "；", ",", "，", ":", "：")
	for _, said := range []string{
		"好的!以后回答都用中文", "辛苦了!记住:周报每周五发", "不对!端口是9090", "在吗?我不吃香菜", "天气不错;我们决定账本用SQLite", "为什么报错?必须先备份再升级!谢谢",
	} {
		hear := func(text string) (found []string) {
			for _, f := range e.Listen().Hear(capture.Message{Number: 1, Role: capture.User, Nature: capture.Spoken, Text: text}) {
				found = append(found, string(f.Class)+" "+wide.Replace(f.Text))
			}
			return found
		}
		if narrow, want := hear(said), hear(wide.Replace(said)); strings.Join(narrow, "\n") != strings.Join(want, "\n") || len(want) == 0 {
			t.Errorf("%s: %q, with wide signs %q", said, narrow, want)
		}
	}
}
