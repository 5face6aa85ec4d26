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
	All  bool       // what is turned is turned in all columns

	hand int      // the place of the one in hand
	away []closed // columns that were put away, newest last
	key  string   // the browser's own, which its runs belong to

	game    *game                  // of a person; nil: no one plays
	tallies map[string]*play.Tally // of the person's episodes, by world
}

// New is a page for a link's fragment, before anything was said.
// Key is the browser's own, which its runs belong to; "" before it has one.
func New(fragment, key string) *Model {
	m := &Model{key: key}
	m.Open(fragment)
	return m
}

// Own says whose the runs are that begin from now on.
func (m *Model) Own(key string) {
	m.key = key
	for _, r := range m.Runs {
		r.Key = key
	}
}

// Open forgets the runs and what was said, and starts from another link. Its first column keeps the first run.
func (m *Model) Open(fragment string) {
	m.Speech, m.game, m.hand, m.away = run.Speech{}, nil, 0, nil
	links, problem := run.Columns(fragment)
	if problem != "" {
		m.Notice(problem)
	}
	m.Correction = run.Correct(fragment)
	if len(m.Runs) == 0 {
		m.add(links[0])
	} else {
		m.Runs = m.Runs[:1]
		m.Runs[0].Open(links[0])
	}
	for _, link := range links[1:] {
		m.add(link)
	}
}

// Apply takes one message for a run from the server.
func (m *Model) Apply(r *run.Run, message wire.Message) {
	if w, ok := message.(*wire.Welcome); ok {
		if m.plays(r) && r.Renews(w) {
			m.LeaveHand() // the world may be another
		}
		if w.Key != "" {
			m.Own(w.Key)
		}
	}
	r.Apply(message)
}
