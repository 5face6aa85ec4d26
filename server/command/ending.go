package command

// How a server ends: everything is closed in its order, and nothing of it may take for ever.

import "time"

const (
	farewell = 8 * time.Second // that open pages, jobs and runs have to end
	lastRest = 2 * time.Second // that everything else has then
)

// ending closes things for as long as they like, and no longer than until it is over.
type ending struct{ over chan struct{} }

func newEnding() *ending { return &ending{over: make(chan struct{})} }

// in has it be over then.
func (e *ending) in(d time.Duration) { time.AfterFunc(d, func() { close(e.over) }) }

// close waits for f; if it is over before, f ends with the process.
func (e *ending) close(f func()) { within(e.over, f) }

// within waits for f, but not past limit; f then ends with the process.
func within(limit <-chan struct{}, f func()) {
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
	case <-limit:
	}
}
