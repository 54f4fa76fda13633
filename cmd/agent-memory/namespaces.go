package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
	"agentmemory/tools"
)

// agentAccess is what the settings say of an agent: a private one has a
// namespace, a tree of files below agents/, of its own; a shared one works in
// the memory of the main agent, which is told apart only by the actor.
type agentAccess struct {
	ID        string `json:"id" toml:"id"`
	Namespace string `json:"namespace" toml:"namespace"` // "": the id
	Access    string `json:"access" toml:"access"`       // private (default) or shared
}

// everyAgent is what the main agent gives as agent_id to read all memories.
const everyAgent = "*"

func (c *config) takeAgents(text string, tree map[string]any, path string) error {
	if _, given := tree["agents"]; !given {
		return nil
	}
	delete(tree, "agents")
	var typed struct {
		Agents []agentAccess `toml:"agents"`
	}
	if err := decodeTable(text, "agents", "id, namespace and access", path, &typed); err != nil {
		return err
	}
	for i := range typed.Agents {
		a := &typed.Agents[i]
		a.Namespace, a.Access = cmp.Or(a.Namespace, a.ID), cmp.Or(a.Access, "private")
		switch {
		case a.ID == "" || a.ID == everyAgent || a.ID == memory.DefaultNamespace || len(a.ID) > memory.MaxLabel:
			return memory.Errorf(memory.InvalidArgument, "an agent in %s cannot have the id %q", path, a.ID)
		case a.Access != "private" && a.Access != "shared":
			return memory.Errorf(memory.InvalidArgument, "access of agent %q in %s is %q", a.ID, path, a.Access).WithHint("private or shared")
		case a.Access == "shared":
			a.Namespace = memory.DefaultNamespace
		}
	}
	c.Agents = typed.Agents
	return nil
}

// namespaceOf returns the namespace of an agent: main for those nobody configured.
func (c *config) namespaceOf(agent string) string {
	for _, a := range c.Agents {
		if a.ID == agent {
			return ownNamespace(a.Namespace)
		}
	}
	return memory.DefaultNamespace
}

// namespaces lists those of private agents.
func (c *config) namespaces() []string {
	var list []string
	for _, a := range c.Agents {
		if a.Namespace != memory.DefaultNamespace && !slices.Contains(list, a.Namespace) {
			list = append(list, a.Namespace)
		}
	}
	return list
}

// checkAgent refuses a process of an agent whom nobody has configured.
func (c *config) checkAgent() error {
	agent := c.text(setAgent)
	if agent == "" || agent == memory.DefaultNamespace || slices.ContainsFunc(c.Agents, func(a agentAccess) bool { return a.ID == agent }) {
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "no agent %q is configured", agent).
		WithHint("add to %s: [[agents]] with id = %q and access = \"private\" or \"shared\"", configPath(c), agent)
}

// ns is the namespace that this engine works in.
func (e *engine) ns() string { return cmp.Or(e.namespace, memory.DefaultNamespace) }

// in is the engine of another namespace: the same parts, another memory.
func (e *engine) in(namespace string) *engine {
	other := *e
	other.namespace = namespace
	return &other
}

// tree is the folder of this namespace, "" for the main one.
func (e *engine) tree() string { return mirror.Tree(e.ns()) }

// byAgent makes the tools of a process: one of the main agent serves others by
// their agent_id, one of another agent serves that one only.
func (e *engine) byAgent(build func(*engine) []tools.Tool) []tools.Tool {
	if e.ns() != memory.DefaultNamespace {
		return e.ownTools(build)
	}
	list := build(e)
	if len(e.config.namespaces()) == 0 {
		return list
	}
	others := map[string][]tools.Tool{}
	for _, n := range e.config.namespaces() {
		others[n] = e.in(n).ownTools(build)
	}
	for i, tool := range list {
		main := tool.Call
		list[i].Call = func(ctx context.Context, raw json.RawMessage) (any, error) {
			agent := agentIn(tool, raw)
			if agent == everyAgent && tool.Name == "recall" {
				return e.recallEverywhere(ctx, raw)
			}
			if err := e.config.oneMemory(tool, raw, agent); err != nil {
				return nil, err
			}
			if other := others[e.config.namespaceOf(agent)]; other != nil {
				return other[i].Call(ctx, raw)
			}
			return main(ctx, raw)
		}
	}
	return list
}

// ownTools are the tools of a private agent: they read and write its memory and
// its tree. Its task cards are handed over to the main agent (seed 003 §2).
func (e *engine) ownTools(build func(*engine) []tools.Tool) []tools.Tool {
	list, main := build(e), build(e.in(memory.DefaultNamespace))
	for i, tool := range list {
		own := tool.Call
		list[i].Call = func(ctx context.Context, raw json.RawMessage) (any, error) {
			if tool.Name == "remember" && handsOver(raw) {
				return main[i].Call(ctx, withAgent(raw, cmp.Or(agentIn(tool, raw), e.config.text(setAgent))))
			}
			return own(ctx, raw)
		}
	}
	return list
}

// agentIn is the agent that a call names, in whatever way its tool understands.
func agentIn(tool tools.Tool, raw json.RawMessage) string {
	var args struct {
		AgentID string `json:"agent_id"`
	}
	_ = tool.Input.Decode(raw, &args) // the tool itself says what is wrong
	return args.AgentID
}

// oneMemory refuses a batch of which an item names an agent with another memory
// than the call writes.
func (c *config) oneMemory(tool tools.Tool, raw json.RawMessage, agent string) error {
	var args struct {
		Items []struct {
			AgentID string `json:"agent_id"`
		} `json:"items"`
	}
	if tool.Name != "remember" || tool.Input.Decode(raw, &args) != nil {
		return nil // the tool itself says what is wrong
	}
	for i, item := range args.Items {
		if item.AgentID != "" && c.namespaceOf(item.AgentID) != c.namespaceOf(agent) {
			return memory.Errorf(memory.InvalidArgument, "items[%d]: the agent %q has a memory of its own", i, item.AgentID).
				WithHint("one call writes one memory: give agent_id beside items")
		}
	}
	return nil
}

// withAgent names the agent of a call that does not.
func withAgent(raw json.RawMessage, agent string) json.RawMessage {
	args := map[string]any{}
	if json.Unmarshal(raw, &args) != nil || agent == "" {
		return raw
	}
	args["agent_id"] = agent
	named, err := json.Marshal(args)
	if err != nil {
		return raw
	}
	return named
}

// handsOver reports whether all that a call remembers are task cards.
func handsOver(raw json.RawMessage) bool {
	type item struct {
		Form string `json:"form"`
		URI  string `json:"uri"`
	}
	var args struct {
		item
		Items []item `json:"items"`
	}
	if json.Unmarshal(raw, &args) != nil {
		return false
	}
	if len(args.Items) == 0 {
		args.Items = []item{args.item}
	}
	return !slices.ContainsFunc(args.Items, func(i item) bool {
		uri, _ := memory.ParseURI(i.URI)
		return cmp.Or(memory.Form(cmp.Or(i.Form, args.Form)), uri.FormOf()) != memory.Task
	})
}

// recallEverywhere asks every memory and returns the best answers of all: the
// main agent is the curator of the others.
func (e *engine) recallEverywhere(ctx context.Context, raw json.RawMessage) (any, error) {
	spec := tools.RecallSpec()
	var args tools.RecallArgs
	if err := spec.Input.Decode(raw, &args); err != nil {
		return nil, fmt.Errorf("reading the arguments: %w", err)
	}
	all, err := e.recall().Run(ctx, args)
	if err != nil {
		return nil, err
	}
	for _, n := range e.config.namespaces() {
		more, err := e.in(n).recall().Run(ctx, args)
		if err != nil {
			return nil, fmt.Errorf("asking the memory of %s: %w", n, err)
		}
		for i := range more.Memories {
			more.Memories[i].Namespace = n
		}
		all.Memories, all.Near = append(all.Memories, more.Memories...), append(all.Near, more.Near...)
		all.Degraded = append(all.Degraded, more.Degraded...)
		all.Confidence, all.Notice = max(all.Confidence, more.Confidence), cmp.Or(all.Notice, more.Notice)
	}
	slices.SortStableFunc(all.Memories, func(a, b tools.RecallHit) int { return cmp.Compare(b.Score, a.Score) })
	limit := cmp.Or(args.Limit, e.profile.Recall.Results)
	all.Memories = all.Memories[:min(limit, len(all.Memories))]
	all.Count, all.Abstained = len(all.Memories), len(all.Memories) == 0
	if !all.Abstained {
		all.Near = nil
	}
	return all, nil
}
