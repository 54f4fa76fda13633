//go:build !mutant_unescaped

package markdown

// escapeMark is what keeps a comment in content from being one.
const escapeMark = "\\"
