package memory

// PutAway reports whether a memory is archived or forgotten.
func (m Memory) PutAway() bool { return m.Status == Archived || m.Status == Forgotten }

// Brief is what governing a store asks of a memory that is put away: which one it
// is, since when, what it replaced or is replaced by, and where its links lead.
func (m Memory) Brief() Memory {
	return Memory{
		ID: m.ID, Namespace: m.Namespace, URI: m.URI, Form: m.Form, Status: m.Status, Trust: m.Trust,
		Supersedes: m.Supersedes, SupersededBy: m.SupersededBy, Links: m.Links,
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, Revision: m.Revision,
	}
}
