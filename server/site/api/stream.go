package api

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// Content types of answers that are not JSON.
const (
	tapeType  = "application/x-ndjson"
	csvType   = "text/csv; charset=utf-8"
	eventType = "text/event-stream"
	frameType = "application/octet-stream"
)

// stream is an event stream to one client.
type stream struct {
	to    http.ResponseWriter
	begun bool
	wrote time.Time // when something was last written
}

// pauses are the times between the steps of a stream.
type pauses struct {
	least, most time.Duration // between two steps; most 0: wait for news
	beat        time.Duration // between two heartbeats
}

// follow calls step until it returns an error, the client disconnects or the server closes. step writes the news
// and returns a channel that reports more.
func (s *stream) follow(ctx, closing context.Context, every pauses, step func() (news <-chan struct{}, err error)) {
	for {
		news, err := step()
		if err != nil {
			return
		}
		tick := time.NewTicker(cmp.Or(every.most, every.beat))
		for waiting := true; waiting; {
			select {
			case <-news:
				waiting = false
			case <-tick.C:
				waiting = every.most == 0
				if time.Since(s.wrote) > every.beat/2 && s.write(":\n\n") != nil {
					return
				}
			case <-ctx.Done():
				return
			case <-closing.Done():
				return
			}
		}
		if every.least == 0 {
			continue
		}
		select {
		case <-time.After(every.least):
		case <-ctx.Done():
			return
		case <-closing.Done():
			return
		}
	}
}

// stream returns an answer that follows step.
func (a *api) stream(ctx context.Context, least, most time.Duration,
	step func(*stream) (<-chan struct{}, error)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		_, w := humago.Unwrap(c)
		s := &stream{to: w}
		s.follow(ctx, a.Closing, pauses{least, most, a.Beat}, func() (<-chan struct{}, error) { return step(s) })
	}}
}

// download returns an answer with a file that write makes.
func download(kind, name string, write func(c huma.Context)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", kind)
		if name != "" {
			c.SetHeader("Content-Disposition", `attachment; filename="`+name+`"`)
		}
		write(c)
	}}
}

// event sends one event. Id "": it is not part of a history.
func (s *stream) event(id, name string, data any) error {
	text, err := eventText(id, name, data)
	if err != nil {
		return err
	}
	return s.write(text)
}

func eventText(id, name string, data any) (string, error) {
	text, err := json.Marshal(data)
	if id != "" {
		id = "id: " + id + "\n"
	}
	return fmt.Sprintf("%sevent: %s\ndata: %s\n\n", id, name, text), err
}

func (s *stream) write(text string) error {
	if !s.begun {
		s.begun = true
		s.to.Header().Set("Content-Type", eventType)
		s.to.Header().Set("Cache-Control", "no-store")
		s.to.Header().Set("X-Accel-Buffering", "no") // nginx would buffer the events
	}
	s.wrote = time.Now()
	if _, err := s.to.Write([]byte(text)); err != nil {
		return err
	}
	return http.NewResponseController(s.to).Flush()
}

// noMore answers an EventSource that asks again after the last event.
func (s *stream) noMore() { s.to.WriteHeader(http.StatusNoContent) }
