package main

import (
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/tools"

	"github.com/BurntSushi/toml"
)

// entityNames is what the settings say of an entity: where it belongs and by
// which other names texts speak of it.
type entityNames struct {
	Name  string   `json:"name" toml:"name"`
	Area  string   `json:"area" toml:"area"`
	Names []string `json:"names" toml:"names"`
}

// takeTables reads the settings that are lists of tables.
func (c *config) takeTables(text string, tree map[string]any, path string) error {
	if err := c.takeExtraPaths(text, tree, path); err != nil {
		return err
	}
	if err := c.takeAgents(text, tree, path); err != nil {
		return err
	}
	return c.takeEntities(text, tree, path)
}

func (c *config) takeEntities(text string, tree map[string]any, path string) error {
	if _, given := tree["entities"]; !given {
		return nil
	}
	delete(tree, "entities")
	var typed struct {
		Entities []entityNames `toml:"entities"`
	}
	if err := decodeTable(text, "entities", "name, area and names", path, &typed); err != nil {
		return err
	}
	for i, e := range typed.Entities {
		if e.Area == "" {
			typed.Entities[i].Area = "projects"
		} else if !slices.Contains(tools.Areas(), e.Area) {
			return memory.Errorf(memory.InvalidArgument, "entity %q in %s cannot be in %q", e.Name, path, e.Area).WithHint("area is one of %s", strings.Join(tools.Areas(), ", "))
		}
		if e.Name == "" {
			return memory.Errorf(memory.InvalidArgument, "an entity in %s has no name", path).WithHint("the name is that of its folder below memory/life/<area>/")
		}
	}
	c.Entities = typed.Entities
	return nil
}

// decodeTable reads one list of tables and refuses keys that it does not have.
func decodeTable(text, name, keys, path string, into any) error {
	meta, err := toml.Decode(text, into)
	if err != nil {
		return memory.Errorf(memory.InvalidArgument, "table %s in %s: %w", name, path, err).WithHint("write [[%s]] with %s", name, keys)
	}
	for _, key := range meta.Undecoded() {
		if key[0] == name {
			return memory.Errorf(memory.InvalidArgument, "unknown key %s in %s", key, path).WithHint("[[%s]] has %s", name, keys)
		}
	}
	return nil
}
