// Package model is the state of the page: its runs side by side in columns, its notices, the keyboard, and a person's
// game. Package run holds the state of one run. Neither knows the browser or the picture, so tests run natively. Read
// Model first, then keys.go and ask.go.
package model

import (
	"impalab/wasm/run"
	"impalab/web/link"
	"impalab/web/play"
	"impalab/web/wire"
)

// Model is the state of one page. It is for one goroutine: the browser has only one thread.
type Model struct {
	run.Speech
	Runs []*run.Run // from left to right; each has its own connection
	All  bool       // a changed setting goes to all columns

	Changed func() // hears that a person changed something, so that the page draws it

	selected int      // the index of the selected column
	closed   []closed // columns, the newest last
	key      string   // of this browser, which owns its runs

	game    *game                  // of a person, or nil
	tallies map[string]*play.Tally // of the person's episodes, by world
}

// New returns the page of a link's fragment. Key is the browser's own, which owns its runs; "" if it has none yet.
func New(fragment, key string) *Model {
	m := &Model{key: key, Changed: func() {}}
	m.Open(fragment)
	return m
}

func (m *Model) own(key string) {
	m.key = key
	for _, r := range m.Runs {
		r.Key = key
	}
}

// Open forgets the runs and the notices, and starts from another link. Its first column keeps the first Run.
func (m *Model) Open(fragment string) {
	m.Speech, m.game, m.selected, m.closed = run.Speech{}, nil, 0, nil
	links, problem := link.Columns(fragment)
	if problem != "" {
		m.Notice(problem)
	}
	m.Correction = link.Correct(fragment)
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

// Apply takes a message from the server for a run.
func (m *Model) Apply(r *run.Run, message wire.Message) {
	if w, ok := message.(*wire.Welcome); ok {
		if m.plays(r) && r.Renews(w) {
			m.LeaveHand() // the world may be another
		}
		if w.Key != "" {
			m.own(w.Key)
		}
	}
	r.Apply(message)
}
