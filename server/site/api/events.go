package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"impalab/learner/telemetry"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/wire"
)

// Data of a run's events, by the event's name.
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
	// PointEvent is "point": one point of the curves. It omits figures without a value.
	PointEvent struct {
		Step          uint64             `json:"step"`
		Update        uint64             `json:"update"`
		Episodes      uint64             `json:"episodes"`
		ReturnMean100 *float64           `json:"return_mean_100,omitempty"`
		ReturnMean10  *float64           `json:"return_mean_10,omitempty"`
		Figures       map[string]float64 `json:"figures"`
	}
	// ValueErrorEvent is "value_error": a measurement of V on episodes outside the training data.
	ValueErrorEvent struct {
		Step       uint64   `json:"step"`
		Update     uint64   `json:"update"`
		ValueError *float64 `json:"value_error,omitempty"`
		States     uint32   `json:"states"`
	}
)

// Resume names the last event that a client received.
type Resume struct {
	LastEventID string `header:"Last-Event-ID" doc:"The id of the last event that arrived; the stream continues after it."`
}

// events streams a run's events. A stream counts as a viewer, so a resting run continues.
func (a *api) events(ctx context.Context, in *struct {
	Named
	Resume
}) (*huma.StreamResponse, error) {
	watched, err := a.Runs.Join(ctx, in.ID, "")
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		_, w := humago.Unwrap(c)
		StreamEvents(ctx, w, watched, in.LastEventID, a.Beat, a.Closing)
	}}, nil
}

// StreamEvents streams a run's events after the event lastID. It returns when the run has ended, the client disconnects
// or a context ends, and then leaves the run.
func StreamEvents(ctx context.Context, w http.ResponseWriter, run hub.Run, lastID string, beat time.Duration,
	closing context.Context) {
	defer run.Leave()
	after, _ := strconv.ParseUint(lastID, 10, 64) // any other id means: from the start
	from := run.Subscribe(after)
	defer from.Close()
	s := &stream{to: w}
	s.follow(ctx, closing, pauses{beat: beat}, func() (<-chan struct{}, error) {
		for {
			batch, err := from.Next()
			if err == nil && batch != nil {
				err = s.send(batch, after)
			}
			if err != nil || batch == nil {
				return from.Ready(), err
			}
		}
	})
}

// news is a batch as server-sent events, made once for all clients.
type news struct {
	text    string
	welcome *wire.Welcome // nil: the batch has none
	over    bool          // nothing follows
	err     error
}

func newsOf(frame []byte) any {
	var n news
	messages, err := wire.DecodeAll(frame, wire.FromServer)
	n.err = err
	for _, m := range messages {
		switch m := m.(type) {
		case *wire.Welcome:
			n.welcome = m
		case *wire.Status:
			n.add(m.Event, "state", StateEvent{lab.StateOf(m.State), m.Reason})
			n.over = wire.Over(m.State)
		case *wire.Changed:
			n.add(m.Event, "changed", ChangedEvent{m.Step, m.Update, m.Key, m.From, m.To})
		case *wire.Point:
			n.add(m.Event, "point", pointEvent(m))
		case *wire.Judged:
			n.add(m.Event, "value_error", ValueErrorEvent{m.Step, m.Update, store.Finite(float64(m.ValueError)), m.States})
		case *wire.Bye:
			n.over = true
		}
		if n.over {
			break
		}
	}
	return n
}

func (n *news) add(id uint64, name string, data any) {
	text, err := eventText(strconv.FormatUint(id, 10), name, data)
	n.text, n.err = n.text+text, errors.Join(n.err, err)
}

// send sends the events of a batch to a client that has the events up to after. An error ends the stream.
func (s *stream) send(b *hub.Batch, after uint64) error {
	if _, err := b.Frame(); err != nil {
		return err
	}
	n := b.Form(hub.Events, newsOf).(news)
	if n.err != nil {
		return n.err
	}
	if n.welcome != nil {
		if err := s.welcome(n.welcome, after); err != nil {
			return err
		}
	}
	if n.text != "" {
		if err := s.write(n.text); err != nil {
			return err
		}
	}
	if n.over {
		return hub.ErrClosed
	}
	return nil
}

// welcome starts the stream with the run's state. The history of a run that has ended contains its last state.
func (s *stream) welcome(w *wire.Welcome, after uint64) error {
	switch over := wire.Over(w.State); {
	case over && !w.Fresh && w.Event <= after:
		s.noMore()
		return hub.ErrClosed
	case over || s.begun:
		return nil
	}
	return s.event("", "state", StateEvent{State: lab.StateOf(w.State)})
}

// figures are the names of a point's figures, in the order of every Welcome of this build.
var figures = telemetry.MetricNames()

func pointEvent(p *wire.Point) PointEvent {
	e := PointEvent{p.Step, p.Update, p.Episodes, store.Finite(float64(p.Return)), store.Finite(float64(p.Recent)),
		map[string]float64{}}
	for i, v := range p.Figures {
		if n := store.Finite(float64(v)); n != nil && i < len(figures) {
			e.Figures[figures[i]] = *n
		}
	}
	return e
}
