// Package markdown reads and writes every kind of file that a memory workspace
// holds. It works on raw source lines, never on rendered text: what it does not
// change it keeps byte for byte.
//
// Three things make up the package. Documents: Parse finds the entries of a
// file and the prose between them, and edits by id (Put, Remove) leave all else
// alone; Merge joins our edits with a person's. Files: Replace exchanges a file
// atomically and durably below an os.Root, and each kind of file has one owner
// type that alone can write it. Codecs: the projections, cards, facts and
// archive lines, as pure functions.
package markdown
