package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"impalab/learner/telemetry"
	"impalab/server/lab"
	"impalab/server/series"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/wire"
)

// What the stream of a run's events tells, by the name of the event.
type (
	// StateEvent is "state".
	StateEvent struct {
		State  store.State `json:"state"`
		Reason string      `json:"reason"`
	}
	// ChangedEvent is "changed": a setting changed between two updates.
	ChangedEvent struct {
		Step   uint64 `json:"step"`
		Update uint64 `json:"update"`
		Key    string `json:"key"`
		From   string `json:"from"`
		To     string `json:"to"`
	}
	// PointEvent is "point": one point of the curves. What has no value is left out.
	PointEvent struct {
		Step          uint64             `json:"step"`
		Update        uint64             `json:"update"`
		Episodes      uint64             `json:"episodes"`
		ReturnMean100 *float64           `json:"return_mean_100,omitempty"`
		ReturnMean10  *float64           `json:"return_mean_10,omitempty"`
		Figures       map[string]float64 `json:"figures"`
	}
	// ValueErrorEvent is "value_error": a measurement of V on episodes that nobody learns from.
	ValueErrorEvent struct {
		Step       uint64   `json:"step"`
		Update     uint64   `json:"update"`
		ValueError *float64 `json:"value_error,omitempty"`
		States     uint32   `json:"states"`
	}
)

// events streams what a run tells. A run that somebody streams is watched: one that rests goes on.
func (a *api) events(ctx context.Context, in *struct {
	Named
	LastEventID string `header:"Last-Event-ID" doc:"The id of the last event that arrived; the stream continues after it."`
}) (*huma.StreamResponse, error) {
	watched, err := a.Runs.Join(ctx, in.ID, "")
	if err != nil {
		return nil, a.said(err)
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		_, w := humago.Unwrap(c)
		Tell(ctx, w, watched, in.LastEventID, a.Beat, a.Closing)
	}}, nil
}

// Tell streams what a run tells after the event of that id, until the run is over, nobody reads on, or one of the
// contexts ends. It leaves the run.
func Tell(ctx context.Context, w http.ResponseWriter, run hub.Run, lastID string, beat time.Duration,
	closing context.Context) {
	defer run.Leave()
	after, _ := strconv.ParseUint(lastID, 10, 64) // what is no id of ours is none
	from := run.Subscribe(after)
	defer from.Close()
	s := &stream{to: w, after: after}
	for {
		batch, err := from.Take()
		if err == nil && batch != nil {
			err = s.send(batch)
			if err == nil {
				continue
			}
		}
		if err != nil {
			return // the run is over, or held no more, or nobody reads on
		}
		select {
		case <-from.Ready():
		case <-time.After(beat):
			if s.write(":\n\n") != nil {
				return
			}
		case <-ctx.Done():
			return
		case <-closing.Done():
			return
		}
	}
}

// stream is one reader's events.
type stream struct {
	to    http.ResponseWriter
	after uint64 // the newest event that the reader has
	begun bool
}

func streamTo(c huma.Context) *stream {
	_, w := humago.Unwrap(c)
	return &stream{to: w}
}

// news is what a batch has for programs, made once for all who read it.
type news struct {
	text    []byte
	welcome *wire.Welcome // nil: there is none in it
	over    bool          // nothing follows
	err     error
}

func textOf(frame []byte) any {
	var t news
	var messages []wire.Message
	messages, t.err = wire.DecodeAll(frame, wire.FromServer)
	for _, m := range messages {
		switch m := m.(type) {
		case *wire.Welcome:
			t.welcome = m
		case *wire.Status:
			t.add(m.Event, "state", StateEvent{lab.StateOf(m.State), m.Reason})
			t.over = wire.Over(m.State)
		case *wire.Changed:
			t.add(m.Event, "changed", ChangedEvent{m.Step, m.Update, m.Key, m.From, m.To})
		case *wire.Point:
			t.add(m.Event, "point", pointEvent(m))
		case *wire.Judged:
			t.add(m.Event, "value_error", ValueErrorEvent{m.Step, m.Update, series.Finite(float64(m.ValueError)), m.States})
		case *wire.Bye:
			t.over = true
		}
		if t.over {
			break
		}
	}
	return t
}

func (t *news) add(id uint64, name string, data any) {
	text, err := eventText(id, name, data)
	t.text, t.err = append(t.text, text...), errors.Join(t.err, err)
}

// send sends what a batch has for programs. An error ends the stream.
func (s *stream) send(b *hub.Batch) error {
	if _, err := b.Frame(); err != nil {
		return err
	}
	t := b.Form(hub.Events, textOf).(news)
	err := t.err
	if err == nil && t.welcome != nil {
		err = s.welcome(t.welcome)
	}
	if err == nil && len(t.text) > 0 {
		err = s.write(string(t.text))
	}
	if err == nil && t.over {
		err = hub.ErrClosed
	}
	return err
}

// welcome begins the stream with the state that the run is in; the history of one that is over ends with it anyway.
func (s *stream) welcome(w *wire.Welcome) error {
	if wire.Over(w.State) && !w.Fresh && w.Event <= s.after {
		s.to.WriteHeader(http.StatusNoContent) // an EventSource asks no more
		return hub.ErrClosed
	}
	if s.begun || wire.Over(w.State) {
		return nil
	}
	return s.event(0, "state", StateEvent{State: lab.StateOf(w.State)})
}

// figures are the names of a point's figures, as every Welcome of this build has them.
var figures = telemetry.FigureNames()

func pointEvent(p *wire.Point) PointEvent {
	e := PointEvent{p.Step, p.Update, p.Episodes, series.Finite(float64(p.Return)), series.Finite(float64(p.Recent)),
		map[string]float64{}}
	for i, v := range p.Figures {
		if n := series.Finite(float64(v)); n != nil && i < len(figures) {
			e.Figures[figures[i]] = *n
		}
	}
	return e
}

// event sends one event; id 0: one that is not of the run's history.
func (s *stream) event(id uint64, name string, data any) error {
	text, err := eventText(id, name, data)
	if err != nil {
		return err
	}
	return s.write(string(text))
}

func eventText(id uint64, name string, data any) ([]byte, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	line := ""
	if id != 0 {
		line = fmt.Sprintf("id: %d\n", id)
	}
	return fmt.Appendf(nil, "%sevent: %s\ndata: %s\n\n", line, name, text), nil
}

func (s *stream) write(text string) error {
	if !s.begun {
		s.begun = true
		s.to.Header().Set("Content-Type", eventType)
		s.to.Header().Set("Cache-Control", "no-store")
		s.to.Header().Set("X-Accel-Buffering", "no") // nginx holds answers back otherwise
	}
	if _, err := s.to.Write([]byte(text)); err != nil {
		return err
	}
	return http.NewResponseController(s.to).Flush()
}
