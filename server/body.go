package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/semaphore"
)

// errCrowded says that the bodies of other requests take all the memory that bodies may.
var errCrowded = errors.New("too many bodies at once")

// Of the memory, a body takes firstPiece before anything of it has come; then it
// doubles. Up to smallBody it takes from a part of its own, so that large bodies
// leave room for the small ones, which most are.
const (
	firstPiece  = 4 << 10
	smallBody   = 60 << 10
	smallMemory = 8 << 20 // of all bodies up to smallBody
)

// bodies is the memory that bodies may take together while they come and are worked on.
type bodies struct{ small, large *semaphore.Weighted }

func newBodies() *bodies {
	return &bodies{small: semaphore.NewWeighted(smallMemory), large: semaphore.NewWeighted(bodyMemory)}
}

// share is what one body has taken.
type share struct {
	of           *bodies
	small, large int64
}

// take takes more, or nothing when there is no more.
func (s *share) take(piece int64) bool {
	part, taken := s.of.large, &s.large
	if s.small+piece <= smallBody {
		part, taken = s.of.small, &s.small
	}
	if !part.TryAcquire(piece) {
		return false
	}
	*taken += piece
	return true
}

func (s *share) giveBack() {
	s.of.small.Release(s.small)
	s.of.large.Release(s.large)
}

// received reads a message before it is its turn: a client that sends slowly
// must not hold the turn of another one.
func (b *bodies) received(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			refuse(w, http.StatusUnsupportedMediaType, "content type must be application/json")
			return
		}
		taken := &share{of: b}
		defer taken.giveBack()
		body, err := taken.read(w, r)
		if err != nil {
			refuseBody(w, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// read bounds the time for the body alone: a deadline on the connection would
// also end calls that take longer. It takes memory as the body comes.
func (s *share) read(w http.ResponseWriter, r *http.Request) (body []byte, err error) {
	control := http.NewResponseController(w)
	late := time.AfterFunc(bodyTime, func() { _ = control.SetReadDeadline(time.Unix(1, 0)) })
	defer late.Stop()
	for piece := int64(firstPiece); ; piece *= 2 {
		if !s.take(piece) {
			return nil, errCrowded
		}
		body = slices.Grow(body, int(piece))
		n, err := io.ReadFull(r.Body, body[len(body):len(body)+int(piece)])
		body = body[:len(body)+n]
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && int64(len(body)) >= r.ContentLength {
			return body, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading the body: %w", err)
		}
	}
}

func refuseBody(w http.ResponseWriter, err error) {
	var long *http.MaxBytesError
	switch {
	case errors.Is(err, errCrowded):
		crowded(w)
	case errors.As(err, &long):
		answer(w, http.StatusRequestEntityTooLarge, &rpcError{Code: invalidRequest, Message: "the message is longer than 1048576 bytes"})
	default:
		answer(w, http.StatusBadRequest, &rpcError{Code: parseError, Message: "the message could not be read"})
	}
}

// crowded asks a client to come again.
func crowded(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "1")
	refuse(w, http.StatusTooManyRequests, "too many requests at once")
}
