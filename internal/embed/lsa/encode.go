package lsa

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"agentmemory/internal/text"
)

// format names the layout of an encoded space; another one is refused.
const format = "am-lsa-1"

// header precedes the terms of an encoded space.
type header struct {
	Format  [len(format)]byte
	Text    uint32 // text.Version of the analysis that it was learned with
	Entries uint32
	Terms   uint32
	Learned uint32
	Rare    float32
}

// MarshalBinary encodes the space. The same space has the same encoding.
func (s *Space) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	h := header{Text: uint32(text.Version), Entries: uint32(s.entries), Terms: uint32(len(s.terms)), Rare: s.rare}
	copy(h.Format[:], format)
	if s.Learned() {
		h.Learned = 1
	}
	if err := binary.Write(&b, binary.LittleEndian, h); err != nil {
		return nil, fmt.Errorf("encoding the header of a space: %w", err)
	}
	for i, t := range s.terms {
		b.Write(binary.AppendUvarint(nil, uint64(len(t))))
		b.WriteString(t)
		b.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(s.weight[i])))
	}
	if err := binary.Write(&b, binary.LittleEndian, s.scale); err != nil {
		return nil, fmt.Errorf("encoding a space: %w", err)
	}
	if err := binary.Write(&b, binary.LittleEndian, s.basis); err != nil {
		return nil, fmt.Errorf("encoding a space: %w", err)
	}
	return b.Bytes(), nil
}

// errOutdated means that a space was made by another version of the program
// and has to be learned again.
var errOutdated = errors.New("the space was learned by another version")

// Decode reads an encoded space. A damaged one is an error.
func Decode(encoded []byte) (*Space, error) {
	r := bytes.NewReader(encoded)
	var h header
	if err := binary.Read(r, binary.LittleEndian, &h); err != nil {
		return nil, fmt.Errorf("decoding the header of a space: %w", err)
	}
	if string(h.Format[:]) != format || h.Text != uint32(text.Version) {
		return nil, errOutdated
	}
	if int64(h.Terms) > int64(len(encoded)) {
		return nil, fmt.Errorf("decoding a space: %d terms in %d bytes", h.Terms, len(encoded))
	}
	s := &Space{index: make(map[string]int32, h.Terms), terms: make([]string, h.Terms), weight: make([]float32, h.Terms), rare: h.Rare, entries: int(h.Entries)}
	if err := s.readTerms(r); err != nil {
		return nil, fmt.Errorf("decoding the terms of a space: %w", err)
	}
	if h.Learned == 1 {
		if err := s.readBasis(r); err != nil {
			return nil, fmt.Errorf("decoding the basis of a space: %w", err)
		}
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("decoding a space: %d bytes too many", r.Len())
	}
	return s, nil
}

func (s *Space) readTerms(r *bytes.Reader) error {
	for i := range s.terms {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		if n > uint64(r.Len()) {
			return io.ErrUnexpectedEOF
		}
		term := make([]byte, n)
		if _, err := io.ReadFull(r, term); err != nil {
			return err
		}
		if err := binary.Read(r, binary.LittleEndian, &s.weight[i]); err != nil {
			return err
		}
		s.terms[i] = string(term)
		s.index[s.terms[i]] = int32(i)
	}
	return nil
}

func (s *Space) readBasis(r *bytes.Reader) error {
	if want := len(s.terms) * (Dimension + 4); r.Len() != want {
		return fmt.Errorf("%d bytes instead of %d", r.Len(), want)
	}
	s.scale = make([]float32, len(s.terms))
	if err := binary.Read(r, binary.LittleEndian, s.scale); err != nil {
		return err
	}
	s.basis = make([]int8, len(s.terms)*Dimension)
	return binary.Read(r, binary.LittleEndian, s.basis)
}
