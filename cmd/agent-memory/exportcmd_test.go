package main

import (
	"bytes"
	"testing"

	"agentmemory/internal/locale"
	"agentmemory/tools"
)

func TestAnExportTellsHowMuchThereWas(t *testing.T) {
	for _, c := range []struct {
		language string
		result   tools.ExportResult
		want     string
	}{
		{"en", tools.ExportResult{}, "0 memories exported\n"},
		{"en", tools.ExportResult{Memories: 1, Versions: 1}, "1 memory exported\n1 earlier version with them\n"},
		{"en", tools.ExportResult{Memories: 2, Versions: 3, Omitted: 1}, "2 memories exported\n3 earlier versions with them\n1 of the oldest versions left out: the line of one memory has no room for more\n"},
		{locale.Chinese, tools.ExportResult{Memories: 1, Versions: 1}, "已导出 1 条记忆\n连同 1 个历史版本\n"},
		{locale.Chinese, tools.ExportResult{Memories: 2}, "已导出 2 条记忆\n"},
	} {
		var said bytes.Buffer
		(&app{streams: streams{Err: &said}, language: c.language}).tellExported(c.result)
		if said.String() != c.want {
			t.Errorf("%+v in %s:\n got %q\nwant %q", c.result, c.language, said.String(), c.want)
		}
	}
}
