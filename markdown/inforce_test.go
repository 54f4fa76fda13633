package markdown

import "testing"

func TestWhatIsInForce(t *testing.T) {
	journal := `# 2026-03-10

→ [parser](recent/parser.md)

## 09:00

- 我们决定用 Redis 做缓存 <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nb n=1 t=knowledge s=superseded -->
- 缓存用 Valkey <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nc n=2 t=knowledge -->
- a person's line <!-- a person's comment -->
- Deploy like this: <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nd n=3 -->
  make release

## Decision: Old <!-- am:06g3zk9w2r4tq8m1c5xd7hj0ne -->
- id: DECISION-20260310-old
- status: superseded

## Decision: New <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nf -->
- id: DECISION-20260310-new
- status: active
`
	want := `# 2026-03-10

→ [parser](recent/parser.md)

## 09:00

- 缓存用 Valkey
- a person's line <!-- a person's comment -->
- Deploy like this:
  make release

## Decision: New
- id: DECISION-20260310-new
- status: active
`
	if got := Parse("memory/2026-03-10.md", []byte(journal)).InForce(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
