package mirror_test

import (
	"agentmemory/internal/mirror"
	"agentmemory/store"
)

var _ mirror.Store = (*store.Store)(nil)
