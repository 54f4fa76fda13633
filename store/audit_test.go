package store_test

import (
	"fmt"
	"testing"
	"time"

	"agentmemory/store"
	"agentmemory/store/storetest"
)

// The audit log keeps the newest entries and does not grow for ever.
func TestTheAuditLogIsBounded(t *testing.T) {
	s, clock := storetest.Open(t)
	const more = 5_000
	note := func(from, n int) {
		entries := make([]store.AuditEntry, n)
		for i := range entries {
			entries[i] = store.AuditEntry{At: clock.Now().Add(time.Duration(from+i) * time.Second), Tool: "remember", ID: fmt.Sprintf("m%d", from+i)}
		}
		if err := s.Audit(t.Context(), entries); err != nil {
			t.Fatal(err)
		}
	}
	for from := 0; from < store.KeptAudit+more; from += more {
		note(from, more)
	}
	kept, err := s.AuditLog(t.Context(), 10*store.KeptAudit)
	if err != nil || len(kept) != store.KeptAudit {
		t.Fatalf("%d entries are kept, want %d, %v", len(kept), store.KeptAudit, err)
	}
	if newest, oldest := kept[0].ID, kept[len(kept)-1].ID; newest != fmt.Sprintf("m%d", store.KeptAudit+more-1) || oldest != fmt.Sprintf("m%d", more) {
		t.Errorf("kept from %s to %s", oldest, newest)
	}
}
