// Package mirror keeps the Markdown files of a workspace and the rows of the
// store in step, both ways. What the store committed is drained into files;
// what people wrote into files becomes rows; what was lost on one side is
// rebuilt from the other.
//
// Two promises rule everything here: a line that a person wrote is never
// lost, whatever we were writing at that moment, and an acknowledged memory
// stands in Markdown exactly once after a restart. All writing happens under
// one lock of the workspace, so that any number of processes may share it.
package mirror
