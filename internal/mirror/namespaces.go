package mirror

import (
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// trees are the beginnings of the paths of every agent's files; the main one's
// is empty.
func (m *Mirror) trees() []string {
	trees := []string{""}
	for _, n := range m.Namespaces {
		if dir := namespaceDir(n); dir != "" {
			trees = append(trees, dir)
		}
	}
	return trees
}

// namespaceOf tells by its path whose a file is.
func (m *Mirror) namespaceOf(name string) string {
	for _, n := range m.Namespaces {
		if dir := namespaceDir(n); dir != "" && strings.HasPrefix(name, dir) {
			return n
		}
	}
	return memory.DefaultNamespace
}

// strange reports whether a file lies in the tree of an agent whom nobody has
// configured, and is therefore not looked at.
func (m *Mirror) strange(name string) bool {
	return markdown.OfAgent(name) && m.namespaceOf(name) == memory.DefaultNamespace
}

// Tree is the beginning of the paths of an agent's files, "" for the main one.
func Tree(namespace string) string { return namespaceDir(namespace) }

// owns reports whether a file lies in the tree for which the mirror writes.
func (m *Mirror) owns(name string) bool {
	return strings.TrimSuffix(name, markdown.WithinTree(name)) == namespaceDir(m.namespace)
}
