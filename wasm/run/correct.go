package run

import (
	"slices"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// A misspelled link opens without the words that nobody knows, and offers the link with the nearest known words.

// Correction is such an offer: the words to put right, like "p=lag-cliff", and the corrected fragment.
type Correction struct{ Words, Fragment string }

// Correct offers the corrected link; its zero value says that there is nothing to correct, or nothing near.
func Correct(fragment string) Correction {
	l := ParseLink(fragment)
	if l.From.Run != "" { // a fragment does not spell the fork
		return Correction{}
	}
	words := l.correct()
	for i := range l.View {
		if s := &l.View[i]; s.Key == columnKey {
			column := ParseLink(s.Value)
			if more := column.correct(); len(more) > 0 {
				var b strings.Builder
				column.write(&b)
				s.Value, words = b.String(), append(words, more...)
			}
		}
	}
	if len(words) == 0 {
		return Correction{}
	}
	return Correction{strings.Join(words, ", "), l.String()}
}

// correct replaces what is misspelled by the nearest that is known, and returns the settings that it changed.
func (l *Link) correct() (words []string) {
	for i := range l.Settings {
		s := &l.Settings[i]
		was := *s
		if s.Key == "preset" {
			s.Value = closest(s.Value, presetNames())
		} else if !slices.Contains([]string{hyper.TurnsKey, hyper.UpToKey}, s.Key) {
			s.Key = closest(s.Key, hyper.Keys())
			s.Value = nearestValue(s.Key, s.Value)
		}
		if *s != was {
			words = append(words, spelled(s))
		}
	}
	return words
}

// spelled is a setting as a link spells it.
func spelled(s *wire.Setting) string {
	if s.Key == "preset" {
		return "p=" + s.Value
	}
	return s.Key + "=" + s.Value
}

// nearestValue is the value itself unless the setting refuses it and takes one that is near.
func nearestValue(key, value string) string {
	row, err := hyper.Lookup(key)
	if err != nil || row.Choices == nil {
		return value
	}
	var c hyper.Config
	if c.Set(key, value) == nil {
		return value
	}
	return closest(value, row.Choices())
}

// closest is the known word that is nearest, or the word itself.
func closest(word string, known []string) string {
	if near := hyper.Nearest(word, known); near != "" {
		return near
	}
	return word
}

func presetNames() (names []string) {
	for _, p := range hyper.Presets {
		names = append(names, p.Name)
	}
	return names
}
