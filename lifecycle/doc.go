// Package lifecycle holds the policies by which memories live: how they fade,
// what a new one does to those already there, what is tidied, promoted, shown
// and collected. Every policy is a pure function of stored facts and a given
// now, and answers with a plan that says why; nothing here reads a clock, a
// file or a database. The location of now is the workspace's time zone: local
// days and weeks are counted in it.
package lifecycle
