package embed

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// protocol is how one kind of provider is asked.
type protocol interface {
	path() string
	request(s *Settings, texts []string) any
	// parse returns the vectors in the order of the texts, and the model that
	// says to have made them, if it says.
	parse(body []byte, count int) (vectors [][]float32, model string, err error)
}

func protocolOf(provider string) protocol {
	if provider == OpenAI {
		return openAIProtocol{}
	}
	return ollamaProtocol{}
}

// ollamaProtocol is POST /api/embed of Ollama.
type ollamaProtocol struct{}

func (ollamaProtocol) path() string { return "/api/embed" }

func (ollamaProtocol) request(s *Settings, texts []string) any {
	return struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{s.Model, texts, shortened(s)}
}

func (ollamaProtocol) parse(body []byte, _ int) ([][]float32, string, error) {
	var answer struct {
		Model      string   `json:"model"`
		Embeddings []values `json:"embeddings"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, "", fmt.Errorf("reading the answer: %w", err)
	}
	vectors := make([][]float32, len(answer.Embeddings))
	for i, v := range answer.Embeddings {
		vectors[i] = v
	}
	return vectors, answer.Model, nil
}

// openAIProtocol is POST /v1/embeddings of OpenAI and of all that imitate it.
type openAIProtocol struct{}

func (openAIProtocol) path() string { return "/v1/embeddings" }

func (openAIProtocol) request(s *Settings, texts []string) any {
	return struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Format     string   `json:"encoding_format"`
		Dimensions int      `json:"dimensions,omitempty"`
	}{s.Model, texts, "float", shortened(s)}
}

func (openAIProtocol) parse(body []byte, count int) ([][]float32, string, error) {
	var answer struct {
		Model string `json:"model"`
		Data  []struct {
			Index     int    `json:"index"`
			Embedding values `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, "", fmt.Errorf("reading the answer: %w", err)
	}
	if len(answer.Data) != count {
		return nil, "", fmt.Errorf("%d vectors for %d texts", len(answer.Data), count)
	}
	vectors := make([][]float32, count)
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= count || vectors[d.Index] != nil {
			return nil, "", fmt.Errorf("the index %d is out of range or there twice", d.Index)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, answer.Model, nil
}

func shortened(s *Settings) int {
	if s.Shorten {
		return s.Dimension
	}
	return 0
}

// values reads a JSON array of finite numbers. encoding/json alone would turn
// null into 0 and read on after a number that float32 cannot hold.
type values []float32

// UnmarshalJSON refuses everything but numbers that a float32 can hold.
func (v *values) UnmarshalJSON(raw []byte) error {
	inner, opened := bytes.CutPrefix(bytes.TrimSpace(raw), []byte("["))
	inner, closed := bytes.CutSuffix(inner, []byte("]"))
	if !opened || !closed {
		return fmt.Errorf("a vector is not an array: %.20q", raw)
	}
	if len(bytes.TrimSpace(inner)) == 0 {
		*v = values{}
		return nil
	}
	*v = make(values, 0, bytes.Count(inner, []byte(","))+1)
	for field := range bytes.SplitSeq(inner, []byte(",")) {
		x, err := strconv.ParseFloat(string(bytes.TrimSpace(field)), 32)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("a vector holds %.20q", field)
		}
		*v = append(*v, float32(x))
	}
	return nil
}
