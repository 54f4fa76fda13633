//go:build !mutant_trusts

package tools

// quarantines says that text with instructions to its reader is put aside.
const quarantines = true
