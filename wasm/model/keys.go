package model

import (
	"errors"
	"math/rand/v2"

	"impalab/wasm/run"
	"impalab/web/wire"
)

// Act is what a key or a button asks for.
type Act uint8

// Acts: the verbs of a run first, then what concerns the page alone.
const (
	Nothing Act = iota
	Play
	Pause
	PlayPause
	Step
	Again
	Reseed
	Undo
	SpeedDown
	SpeedUp
	Share
	Help
	Theme
	Hand
	Rewind  // to the cursor
	Fork    // from the cursor, with what is in force now
	Back    // the cursor, by one point
	On      //
	BackFar // …to the change before
	OnFar   //
	LetGo   // of the cursor
	Runs    // the browser's own, to choose from
	Table   // of a chart
	Compare
	Away
	OverSeeds // eight of them
	Sweep
	Microscope // of the run in hand, at the cursor
	LookBack   // to before the run fell
	PutAway    // what is said of that
	First      // takes a column in hand; so do the next three
	Second
	Third
	Fourth
)

// keys is the keyboard of the page, by KeyboardEvent.key.
var keys = map[string]Act{
	" ": PlayPause, ".": Step, "[": SpeedDown, "]": SpeedUp,
	"r": Again, "R": Again, "n": Reseed, "N": Reseed, "s": Share, "S": Share, "?": Help,
	"p": Hand, "P": Hand, "z": Undo, "Z": Undo, "Escape": LetGo, "c": Compare, "C": Compare, "x": Away, "X": Away,
	"8": OverSeeds, "w": Sweep, "W": Sweep, "t": Table, "T": Table,
	"m": Microscope, "M": Microscope,
	"1": First, "2": Second, "3": Third, "4": Fourth,
}

// walks are the keys of the cursor. They scroll and choose in most places, so they are the page's only where nothing
// else has the focus.
var walks = map[string]Act{"ArrowLeft": Back, "ArrowRight": On, "PageUp": BackFar, "PageDown": OnFar}

// buttons are the page's data-verb values.
var buttons = map[string]Act{
	"play": Play, "pause": Pause, "step": Step, "again": Again, "reseed": Reseed, "undo": Undo,
	"slower": SpeedDown, "faster": SpeedUp, "share": Share, "help": Help, "theme": Theme, "hand": Hand,
	"rewind": Rewind, "fork": Fork, "runs": Runs, "table": Table,
	"over-seeds": OverSeeds, "sweep": Sweep, "microscope": Microscope, "look-back": LookBack, "put-away": PutAway,
	"compare": Compare, "close": Away, "column-1": First, "column-2": Second, "column-3": Third, "column-4": Fourth,
}

// Key is a pressed key and what had the focus.
type Key struct {
	Name     string // KeyboardEvent.key
	Modified bool   // with Ctrl, Alt or Meta; Shift is part of the name
	Tag      string // of the element with the focus, in capitals
	Type     string // of an input element
}

// KeyAct is what a key asks for. Keys typed into a field are the field's; Space on a button presses the button.
func KeyAct(k Key) Act {
	act := keys[k.Name]
	if k.Modified {
		return Nothing
	}
	if k.Typing() {
		return Nothing
	}
	if walk := walks[k.Name]; walk != Nothing && (k.Tag == "" || k.Tag == "BODY" || k.Tag == "DIV") {
		return walk
	}
	switch k.Tag {
	case "SELECT":
		return Nothing
	case "BUTTON", "A", "SUMMARY", "INPUT":
		if k.Name == " " && k.Type != "range" {
			return Nothing
		}
	}
	return act
}

// Typing reports whether keys are the field's that has the focus. A slider uses arrows, Home, End and the page keys:
// none of the page's.
func (k Key) Typing() bool {
	return k.Tag == "TEXTAREA" || k.Tag == "INPUT" && k.Type != "range" && k.Type != "checkbox"
}

// ButtonAct is what a button's data-verb asks for.
func ButtonAct(verb string) Act { return buttons[verb] }

// verbs are the acts that go to the server.
var verbs = map[Act]uint8{
	Play: wire.VerbPlay, Pause: wire.VerbPause, Step: wire.VerbStep,
}

// Request is what an act asks for of one run.
type Request struct {
	Run     *run.Run
	Message wire.Message // nil if there is nothing to ask the server for
	Err     error
}

// Ask turns an act into what it asks for of the server; none if the act concerns the page alone.
func (m *Model) Ask(act Act) []Request {
	switch act {
	case PlayPause:
		act = Play
		if m.InHand().State == wire.StateRunning {
			act = Pause
		}
	case Again:
		return m.each(m.All, func(r *run.Run) (wire.Message, error) { return r.Again(), nil })
	case Reseed:
		seed := rand.Uint32N(1_000_000) // the one draw that no seed decides: it makes the seed
		return m.each(m.All, func(r *run.Run) (wire.Message, error) { return r.Reseed(seed), nil })
	case Undo:
		return m.each(m.All, func(r *run.Run) (wire.Message, error) { return r.Undo(), nil })
	case Rewind, Fork:
		return m.each(m.All, func(r *run.Run) (wire.Message, error) {
			update, ok := r.Update()
			if !ok {
				return nil, errors.New("nothing has been learned yet to go back to")
			}
			if act == Rewind {
				return r.Rewind(update), nil
			}
			return r.Fork(update), nil
		})
	case Back:
		return m.look(func(r *run.Run) { r.Walk(-1) })
	case On:
		return m.look(func(r *run.Run) { r.Walk(1) })
	case BackFar, OnFar:
		return m.look(func(r *run.Run) { r.WalkMarks(act == OnFar) })
	case LetGo:
		return m.look(func(r *run.Run) { r.Cursor.LetGo() })
	case SpeedUp:
		return m.Set("speed", m.InHand().Faster())
	case SpeedDown:
		return m.Set("speed", m.InHand().Slower())
	}
	if verb, ok := verbs[act]; ok {
		return m.each(true, func(r *run.Run) (wire.Message, error) { return r.Do(verb), nil })
	}
	return nil
}

// Set asks for a value: of the run in hand, or of all.
func (m *Model) Set(key, value string) []Request {
	return m.each(m.All || key == "speed", func(r *run.Run) (wire.Message, error) { return r.Set(key, value) })
}

// SetOption asks for a value of an option of the world. The first refusal is its error.
func (m *Model) SetOption(key, value string) (requests []Request, err error) {
	requests = m.each(m.All, func(r *run.Run) (wire.Message, error) { return r.SetOption(key, value) })
	for _, q := range requests {
		if err == nil {
			err = q.Err
		}
	}
	return requests, err
}

// look moves the cursor. That asks nothing of the server, and is a request all the same: the page draws where there is
// one, and a run that is paused has nothing else drawn.
func (m *Model) look(move func(*run.Run)) []Request {
	return m.each(false, func(r *run.Run) (wire.Message, error) {
		move(r)
		return nil, nil
	})
}

// each asks the run in hand, or all that can be asked: one that waits for the server meets the others later.
func (m *Model) each(all bool, ask func(*run.Run) (wire.Message, error)) (requests []Request) {
	for _, r := range m.Runs {
		if r == m.InHand() || all && !r.Waiting() {
			message, err := ask(r)
			requests = append(requests, Request{r, message, err})
		}
	}
	return requests
}
