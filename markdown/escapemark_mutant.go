//go:build mutant_unescaped

package markdown

// escapeMark is wrong on purpose: a test has to notice.
const escapeMark = ""
