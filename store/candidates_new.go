package store

import (
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// candidateOf is what scanCandidate would read of a row that was just inserted.
func (s *Store) candidateOf(r *row, terms string) *keptCandidate {
	k := &keptCandidate{namespace: r.Namespace, Candidate: memory.Candidate{
		Key: r.key, ID: strings.Clone(r.ID), Group: r.group, Seq: int(r.groupSeq), Type: r.Type, Form: r.Form, Status: r.Status, Trust: r.Trust,
		Actor: r.Actor, Cold: coldIn(r.Home.File, r.Form), Pinned: r.Pinned, Confidence: r.Confidence, Stability: r.Stability, Importance: r.Importance,
		Accesses: r.AccessCount, LastAccess: r.LastAccess, Observed: time.UnixMicro(r.Observed().UnixMicro()).In(s.zone), Created: r.CreatedAt, Terms: terms,
	}}
	marks := 0
	if len(r.Fields) > 0 {
		marks |= 2
	}
	if !r.ObservedAt.IsZero() {
		marks |= 1
	}
	k.about = s.shown.labels.about(r.Actor, r.Target, r.Title, marks)
	return k
}

// replace forgets what is kept of rows that this process has just written, and
// keeps the new ones: the next look-alikes of a conversation are as a rule among
// them.
func (s *Store) replace(rows []written) {
	s.shown.drop(rows)
	s.shown.mu.Lock()
	defer s.shown.mu.Unlock()
	if s.shown.kept.most == 0 {
		return // nobody has asked for candidates yet
	}
	for _, w := range rows {
		if w.row == nil { // perhaps one that the same transaction has added
			s.shown.kept.drop(w.key)
			continue
		}
		k := s.candidateOf(w.row, w.terms)
		k.intern(&s.shown.words)
		s.shown.kept.put(k.Key, k, 1)
	}
}
