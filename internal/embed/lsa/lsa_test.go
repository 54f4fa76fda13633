package lsa

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"agentmemory/internal/embed"
)

var _ embed.Embedder = (*Embedder)(nil)

// conversations about three subjects, whose words never meet in one entry but
// stand side by side within a conversation.
func conversations(n int) []Entry {
	subjects := [][]string{
		{"the kitten drinks milk", "a cat purrs and sleeps", "our kitten chased the cat toy", "the cat likes milk"},
		{"the engine leaks oil", "a car needs new tyres", "the mechanic fixed the engine", "my car failed inspection"},
		{"数据库需要备份", "每天晚上备份一次", "数据库迁移完成", "备份文件放在硬盘"},
	}
	var entries []Entry
	for i := range n {
		subject := subjects[i%len(subjects)]
		for seq, line := range subject {
			entries = append(entries, Entry{Group: fmt.Sprintf("s%d", i), Seq: seq, Text: line})
		}
	}
	return entries
}

func trained(t *testing.T, n int) *Space {
	t.Helper()
	s, err := Train(t.Context(), conversations(n))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestWordsOfOneSubjectAreNear(t *testing.T) {
	s := trained(t, 60)
	near := cosine(s.Query("mechanic"), s.Document("tyres of the car"))
	far := cosine(s.Query("mechanic"), s.Document("milk for the cat"))
	if !s.Learned() || near < far+0.3 {
		t.Errorf("mechanic is %.2f near to tyres and %.2f near to milk", near, far)
	}
	if got := cosine(s.Query("備份"), s.Document("数据库")); got < 0.3 {
		t.Errorf("backup is only %.2f near to the database, across scripts", got)
	}
}

func TestVectorsAreUnits(t *testing.T) {
	for _, n := range []int{3, 60} {
		s := trained(t, n)
		for _, v := range [][]float32{s.Document("the cat"), s.Query("the engine 数据库")} {
			if norm := math.Sqrt(cosine(v, v)); len(v) != Dimension || math.Abs(norm-1) > 1e-5 {
				t.Errorf("%d values of length %g", len(v), norm)
			}
		}
	}
}

func TestTrainingIsDeterministicAndIgnoresOrder(t *testing.T) {
	entries := conversations(40)
	want, err := trained(t, 40).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for i, j := 0, len(entries)-1; i < j; i, j = i+1, j-1 {
		entries[i], entries[j] = entries[j], entries[i]
	}
	s, err := Train(t.Context(), entries)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := s.MarshalBinary(); !bytes.Equal(got, want) {
		t.Error("the same entries in another order give another space")
	}
}

func TestSmallStoresAreHashed(t *testing.T) {
	s := trained(t, 5)
	if s.Learned() {
		t.Fatal("twenty entries are too few to learn from")
	}
	same, other := cosine(s.Query("engine"), s.Document("the engine leaks oil")), cosine(s.Query("engine"), s.Document("a cat purrs"))
	if same < other+0.2 {
		t.Errorf("the same word %.2f, another %.2f", same, other)
	}
}

func TestEncodingRoundTrip(t *testing.T) {
	for _, n := range []int{5, 60} {
		s := trained(t, n)
		encoded, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if back.Entries() != s.Entries() || back.Terms() != s.Terms() || cosine(back.Query("car tyres"), s.Query("car tyres")) < 0.9999 {
			t.Errorf("the space of %d conversations comes back different", n)
		}
	}
}

func TestTrainingStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ctx, conversations(60)); err == nil {
		t.Error("training went on after its context had ended")
	}
}

func FuzzDecode(f *testing.F) {
	s, err := Train(f.Context(), conversations(20))
	if err != nil {
		f.Fatal(err)
	}
	encoded, err := s.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encoded)
	f.Add(encoded[:len(encoded)/2])
	f.Add([]byte("am-lsa-1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := Decode(b); err == nil {
			s.Query("any question")
		}
	})
}
