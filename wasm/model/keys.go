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
)

// keys is the keyboard of the page, by KeyboardEvent.key.
var keys = map[string]Act{
	" ": PlayPause, ".": Step, "[": SpeedDown, "]": SpeedUp,
	"r": Again, "R": Again, "n": Reseed, "N": Reseed, "s": Share, "S": Share, "?": Help,
	"p": Hand, "P": Hand, "z": Undo, "Z": Undo, "Escape": LetGo,
}

// walks are the keys of the cursor. They scroll and choose in most places, so they are the page's only where nothing
// else has the focus.
var walks = map[string]Act{"ArrowLeft": Back, "ArrowRight": On, "PageUp": BackFar, "PageDown": OnFar}

// buttons are the page's data-verb values.
var buttons = map[string]Act{
	"play": Play, "pause": Pause, "step": Step, "again": Again, "reseed": Reseed, "undo": Undo,
	"slower": SpeedDown, "faster": SpeedUp, "share": Share, "help": Help, "theme": Theme, "hand": Hand,
	"rewind": Rewind, "fork": Fork, "runs": Runs,
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

// Ask turns an act upon a run into the message that asks the server for it; nil if the act concerns the page alone.
func Ask(r *run.Run, act Act) (wire.Message, error) {
	switch act {
	case PlayPause:
		act = Play
		if r.State == wire.StateRunning {
			act = Pause
		}
	case Again:
		return r.Again(), nil
	case Reseed:
		return r.Reseed(rand.Uint32N(1_000_000)), nil // the one draw that no seed decides: it makes the seed
	case Undo:
		return r.Undo(), nil
	case Rewind, Fork:
		update, ok := r.Update()
		if !ok {
			return nil, errors.New("nothing has been learned yet to go back to")
		}
		if act == Rewind {
			return r.Rewind(update), nil
		}
		return r.Fork(update), nil
	case Back:
		r.Walk(-1)
	case On:
		r.Walk(1)
	case BackFar, OnFar:
		r.WalkMarks(act == OnFar)
	case LetGo:
		r.Cursor.LetGo()
	case SpeedUp:
		return r.Set("speed", r.Faster())
	case SpeedDown:
		return r.Set("speed", r.Slower())
	}
	if verb, ok := verbs[act]; ok {
		return r.Do(verb), nil
	}
	return nil, nil
}
