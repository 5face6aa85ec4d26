package model

import "strings"

// Act is the meaning of a key or a button. The act of a button is its data-verb.
type Act string

// The acts of buttons.
const (
	Nothing    Act = ""
	Play       Act = "play"
	Pause      Act = "pause"
	Step       Act = "step"
	Again      Act = "again"
	Reseed     Act = "reseed"
	Undo       Act = "undo"
	SpeedDown  Act = "slower"
	SpeedUp    Act = "faster"
	Share      Act = "share"
	Help       Act = "help"
	Theme      Act = "theme"
	Hand       Act = "hand"        // starts or ends a person's game
	Rewind     Act = "rewind"      // forks at the cursor
	Fork       Act = "fork"        // forks at the cursor with the current settings
	ForkNewest Act = "fork-newest" // forks at the newest update with the current settings
	Table      Act = "table"
	Compare    Act = "compare"
	Close      Act = "close"
	OverSeeds  Act = "over-seeds"
	Sweep      Act = "sweep"
	Microscope Act = "microscope"
	Watch      Act = "watch"     // the worlds take most of the page, or give it back
	Log        Act = "log"       // a logarithmic or a linear scale of the returns
	Whole      Act = "whole"     // shows the whole axis again
	LookBack   Act = "look-back" // moves the cursor to before the run fell
)

// The acts that only keys have.
const (
	PlayPause   Act = "play or pause"
	Back        Act = "back" // moves the cursor by one point
	Forward     Act = "forward"
	BackMark    Act = "back to a change"
	ForwardMark Act = "forward to a change"
	LetGo       Act = "let go" // of the cursor
)

// selects begins the acts that select a column: column-1 to column-4.
const selects = "column-"

// Column returns the index of the column that an act selects.
func (a Act) Column() (index int, ok bool) {
	number, ok := strings.CutPrefix(string(a), selects)
	if !ok || len(number) != 1 {
		return 0, false
	}
	return int(number[0] - '1'), true
}

// keys is the keyboard of the page, by KeyboardEvent.key. Letters stand in lower case.
var keys = map[string]Act{
	" ": PlayPause, ".": Step, "[": SpeedDown, "]": SpeedUp, "r": Again, "n": Reseed, "s": Share, "?": Help, "p": Hand,
	"z": Undo, "Escape": LetGo, "c": Compare, "x": Close, "8": OverSeeds,
	"g": Sweep, "w": Watch, "l": Log, "t": Table, "m": Microscope,
	"1": selects + "1", "2": selects + "2", "3": selects + "3", "4": selects + "4",
}

// cursorKeys move the cursor. They also scroll and choose, so the page takes them only where nothing else has the
// focus.
var cursorKeys = map[string]Act{
	"ArrowLeft": Back, "ArrowRight": Forward, "PageUp": BackMark, "PageDown": ForwardMark,
}

// Key is a pressed key and the element that had the focus.
type Key struct {
	Name     string // KeyboardEvent.key
	Modified bool   // with Ctrl, Alt or Meta; Shift is part of the name
	Tag      string // of the element with the focus, in capitals
	Type     string // of an input element
}

// KeyAct returns the act of a key. A field keeps the keys typed into it; Space on a button presses the button.
func KeyAct(k Key) Act {
	if k.Modified || k.Typing() {
		return Nothing
	}
	if act := cursorKeys[k.Name]; act != Nothing && (k.Tag == "" || k.Tag == "BODY" || k.Tag == "DIV") {
		return act
	}
	switch k.Tag {
	case "SELECT":
		return Nothing
	case "BUTTON", "A", "SUMMARY", "INPUT":
		if k.Name == " " && k.Type != "range" {
			return Nothing
		}
	}
	return keys[lower(k.Name)]
}

// Repeats reports whether an act is repeated while its key is held down.
func (a Act) Repeats() bool {
	switch a {
	case Step, SpeedUp, SpeedDown, Back, Forward:
		return true
	}
	return false
}

// Typing reports whether the element with the focus takes typed keys. A slider takes arrows, Home, End and the page
// keys only, which the page does not use there.
func (k Key) Typing() bool {
	return k.Tag == "TEXTAREA" || k.Tag == "INPUT" && k.Type != "range" && k.Type != "checkbox"
}
