//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"agentmemory/bench/stdio"
)

const processes = 4

// register is an operation on one address, which holds a number.
type register struct {
	key   int
	write bool
	value int // written
}

// word is a word that only the memory of one key holds.
func word(key int) string {
	letters := "quill"
	for n := key + 26; n > 0; n /= 26 {
		letters += string(rune('a' + n%26))
	}
	return letters
}

func registerURI(key int) string { return "knowledge://registers/" + word(key) }

// registers is what a store promises of its addresses: each holds what was
// written last, and 0 is an address that nothing was written to yet.
func registers() porcupine.Model {
	return porcupine.Model{
		Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
			byKey := map[int][]porcupine.Operation{}
			for _, o := range history {
				key := o.Input.(register).key //nolint:forcetypeassert // we made it
				byKey[key] = append(byKey[key], o)
			}
			for _, part := range byKey {
				parts = append(parts, part)
			}
			return parts
		},
		Init: func() any { return 0 },
		Step: func(state, input, output any) (bool, any) {
			if in := input.(register); in.write { //nolint:forcetypeassert // we made it
				return true, in.value
			}
			return output == state, state
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v = %v", input, output) },
	}
}

// linearizable lets four processes write and read the same few addresses at
// once, by address and by question, and has the history judged by porcupine.
func linearizable(ctx context.Context, t *trial) (string, error) {
	ws, err := t.Fresh("processes")
	if err != nil {
		return "", err
	}
	servers := make([]*stdio.Server, processes)
	for i := range servers {
		if servers[i], err = t.Serve(ctx, ws); err != nil {
			return "", err
		}
	}
	each := t.count(60, 1500)
	histories := make([][]porcupine.Operation, processes)
	problems := make([]error, processes)
	began := time.Now()
	var wg sync.WaitGroup
	for who, s := range servers {
		random := rand.New(rand.NewPCG(t.random.Uint64(), uint64(who))) //nolint:gosec // not for secrets
		wg.Go(func() {
			c := client{server: s, who: who, random: random, began: began}
			histories[who], problems[who] = c.work(ctx, each)
		})
	}
	wg.Wait()
	for _, s := range servers {
		problems = append(problems, s.Stop(30*time.Second))
	}
	if err := errors.Join(problems...); err != nil {
		return "", err
	}
	var history []porcupine.Operation
	for _, h := range histories {
		history = append(history, h...)
	}
	return fmt.Sprintf("%d processes, %d reads and writes of the same addresses: linearizable", processes, len(history)), judge(history)
}

func judge(history []porcupine.Operation) error {
	switch porcupine.CheckOperationsTimeout(registers(), history, time.Minute) {
	case porcupine.Illegal:
		return broken(errors.New("no order of the writes explains what was read"))
	case porcupine.Unknown:
		return errors.New("porcupine did not come to an end in a minute")
	}
	return nil
}

// client is one of those who work at once.
type client struct {
	server *stdio.Server
	who    int
	random *rand.Rand
	began  time.Time
}

// work does operations on a few addresses, which change as it goes on: new ones are where caches are stale.
func (c *client) work(ctx context.Context, operations int) (history []porcupine.Operation, err error) {
	for i := range operations {
		in := register{key: i/6 + c.random.IntN(3), write: c.random.IntN(5) < 2, value: 1 + c.who + processes*i}
		call := time.Since(c.began)
		out, err := c.do(ctx, in)
		if err != nil {
			return history, err
		}
		history = append(history, porcupine.Operation{
			ClientId: c.who, Input: in, Call: call.Nanoseconds(), Output: out, Return: time.Since(c.began).Nanoseconds(),
		})
	}
	return history, nil
}

func (c *client) do(ctx context.Context, in register) (int, error) {
	if in.write {
		text := fmt.Sprintf("register %s holds value %d", word(in.key), in.value)
		return in.value, c.server.Call(ctx, "remember", map[string]any{"content": text, "uri": registerURI(in.key)}, nil)
	}
	if c.random.IntN(2) == 0 {
		return c.readAddress(ctx, in.key)
	}
	return c.ask(ctx, in.key)
}

func (c *client) readAddress(ctx context.Context, key int) (int, error) {
	var r struct {
		Memory struct {
			Content string `json:"content"`
		} `json:"memory"`
	}
	err := c.server.Call(ctx, "recall_path", map[string]any{"uri": registerURI(key)}, &r)
	return valueOf(key, r.Memory.Content), err
}

func (c *client) ask(ctx context.Context, key int) (int, error) {
	var r struct {
		Memories []struct {
			Content string `json:"content"`
		} `json:"memories"`
	}
	err := c.server.Call(ctx, "recall", map[string]any{"query": word(key)}, &r)
	for _, m := range r.Memories {
		if v := valueOf(key, m.Content); v != 0 {
			return v, err
		}
	}
	return 0, err
}

// valueOf reads what a register holds; 0 if the text is not of this one.
func valueOf(key int, text string) (value int) {
	if !strings.HasPrefix(text, "register "+word(key)+" ") {
		return 0
	}
	if _, err := fmt.Sscanf(text, "register "+word(key)+" holds value %d", &value); err != nil {
		return -1
	}
	return value
}
