package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A folder of extra_paths that is not there is no secret of the log: status says it.
func TestStatusNamesAFolderOfExtraPathsThatIsMissing(t *testing.T) {
	for language, want := range map[string]string{"C.UTF-8": "files: a folder of extra_paths cannot be read: ", "zh_CN.UTF-8": "文件：extra_paths 中有文件夹无法读取："} {
		env, home := surround(t, "LANG="+language)
		if code, out, errs := program(t, env, "init"); code != 0 {
			t.Fatal(out, errs)
		}
		writeFile(t, filepath.Join(home, ".agent-memory", ".agent-memory", "config.toml"), "time_zone = \"UTC\"\n[[extra_paths]]\nname = \"notes\"\npath = \"nowhere\"\n")
		answer[rememberView](t, env, "remember", "The tea house pays yearly")
		if code, out, errs := program(t, env, "status"); code != 0 || !strings.Contains(out, want) || !strings.Contains(out, "nowhere") {
			t.Errorf("LANG=%s: status %d says\n%s%s", language, code, out, errs)
		}
	}
}

// What is wrong with a value is said once, in the reader's language, without codes.
func TestAProblemWithinAnotherIsSaidInWords(t *testing.T) {
	for language, want := range map[string]string{
		"C.UTF-8":     "agent-memory: --items is not JSON: line 1, column 18: \"}\" cannot stand there; the comma before it is one too many\n  hint: for example '[{\"content\": \"…\"}]'\n",
		"zh_CN.UTF-8": "agent-memory：--items 不是 JSON：第 1 行第 18 列：不应出现 \"}\"；它前面多了一个逗号\n  提示：例如 '[{\"content\": \"…\"}]'\n",
	} {
		env, _ := surround(t, "LANG="+language)
		if code, _, errs := program(t, env, "remember", "--items", `[{"content": "x",}]`); code != 2 || errs != want {
			t.Errorf("LANG=%s: %d\n%s", language, code, errs)
		}
	}
}
