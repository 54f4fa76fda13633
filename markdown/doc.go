// Package markdown reads and writes every kind of file that a memory workspace
// holds. It works on raw source lines, never on rendered text: what it does not
// change it keeps byte for byte.
//
// Three things make up the package. Documents: Parse finds the entries of a
// file and the prose between them, and edits by id (Put, Remove) leave all else
// alone; Merge joins our edits with a person's. Files: Append and Exchange are
// the durable steps, below an os.Root, of which the mirror makes its writing;
// what a job writes for itself has an owner type, so that no other can name it.
// Codecs: the projections, cards, facts and states, as pure functions.
package markdown
