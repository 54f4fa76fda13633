package lifecycle

import (
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Finished reports whether the card of a task says that it has come to an end.
func Finished(task memory.Memory) bool {
	said := strings.Trim(text.Fold(task.Field("final_status")), " .!。！✅✓")
	ends := []string{"done", "complete", "ok", "success", "succeeded", "failed", "abandoned", "dropped", "完成", "成功", "失败", "放弃", "结束"}
	return slices.Contains(ends, said) || statusOf(said).done
}
