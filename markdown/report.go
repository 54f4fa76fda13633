package markdown

import (
	"strings"

	"agentmemory/internal/memory"
)

// The generated part of a report stands between these lines; the rest of the
// file is people's.
const (
	reportBegin = "<!-- am:report -->"
	reportEnd   = "<!-- /am:report -->"
)

// PainPointsPath and the other reports of seed 002 §1.
const (
	PainPointsPath     = "memory/pain-points.md"
	RetrievalAuditPath = "memory/retrieval-audit.json"
	FailuresPath       = "memory/failures.json"
	FailureReportsDir  = "memory/failure-reports"
)

func painHeadings() []namedHeading {
	return []namedHeading{
		{"failures", "失败的任务", "Failed jobs"}, {"changed", "被纠正的内容", "What had to be corrected"},
		{"ignored", "常被召回却从未用上", "Often returned, never used"}, {"uncertain", "不确定的内容", "Uncertain"},
	}
}

// EditPainPoints writes the generated part of pain-points.md into a file and
// leaves every other line of it as it is.
func EditPainPoints(disk []byte, p memory.Projection, lang Language) []byte {
	lines := []string{reportBegin, ""}
	if len(p.Sections) == 0 {
		lines = append(lines, lang.pick("目前没有。", "None at present."), "")
	}
	for _, section := range p.Sections {
		heading := section.Name
		for _, h := range painHeadings() {
			if h.name == section.Name {
				heading = lang.pick(h.zh, h.en)
			}
		}
		lines = append(lines, "## "+heading, "")
		for _, e := range section.Entries {
			line := "- " + plainLine(e.Text, RecentLine)
			if e.Link != "" {
				line += " (" + e.Link + ")"
			}
			lines = append(lines, line)
		}
		lines = append(lines, "")
	}
	report := strings.Join(append(lines, reportEnd), "\n")
	text := string(disk)
	begin, end := strings.Index(text, reportBegin), strings.Index(text, reportEnd)
	switch {
	case begin >= 0 && end > begin:
		return []byte(text[:begin] + report + text[end+len(reportEnd):])
	case strings.TrimSpace(text) == "":
		return []byte(lang.pick("# 痛点", "# Pain points") + "\n\n" + report + "\n")
	}
	return []byte(strings.TrimRight(text, "\n") + "\n\n" + report + "\n")
}
