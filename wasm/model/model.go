// Package model is the page: its runs, side by side in columns, what it has to say, the keyboard, and a person's own
// game. What is known of one run is package run's. It knows neither browser nor picture, so all of it is tested
// natively. Look at Model first, then at keys.go.
package model

import (
	"impalab/wasm/run"
	"impalab/web/play"
	"impalab/web/wire"
)

// Model is the state of one page. One goroutine uses it: in the browser there is only one thread.
type Model struct {
	run.Speech
	Runs []*run.Run // from left to right; each has a connection of its own

	game    *game                  // of a person; nil: no one plays
	tallies map[string]*play.Tally // of the person's episodes, by world
}

// New is a page of one run, for a link's fragment, before anything was said.
// Key is the browser's own, which its runs belong to; "" before it has one.
func New(fragment, key string) *Model {
	m := new(Model)
	m.Runs = []*run.Run{run.New(fragment, &m.Speech)}
	m.Own(key)
	return m
}

// Own says whose the runs are that begin from now on.
func (m *Model) Own(key string) {
	for _, r := range m.Runs {
		r.Key = key
	}
}

// Open forgets the runs and what was said, and starts from another link.
func (m *Model) Open(fragment string) {
	m.Speech, m.game = run.Speech{}, nil
	for _, r := range m.Runs {
		r.Open(fragment)
	}
}

// Apply takes one message for a run from the server.
func (m *Model) Apply(r *run.Run, message wire.Message) {
	if w, ok := message.(*wire.Welcome); ok && m.plays(r) && r.Renews(w) {
		m.LeaveHand() // the world may be another
	}
	r.Apply(message)
}
