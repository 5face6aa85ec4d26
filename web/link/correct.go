package link

import (
	"cmp"
	"strings"

	"impalab/learner/hyper"
)

// A misspelled link opens without its unknown words, and the page offers the link with the nearest known words.

// Correction is such an offer: the corrected words, like "p=lag-cliff", and the corrected fragment.
type Correction struct{ Words, Fragment string }

// Correct returns the corrected link. It returns the zero value if every word is known, or if none is near.
func Correct(fragment string) Correction {
	l := Parse(fragment)
	if l.From.Run != "" { // String does not write the fork
		return Correction{}
	}
	words := l.correct()
	for i := range l.View {
		if s := &l.View[i]; s.Key == columnKey {
			column := Parse(s.Value)
			if more := column.correct(); len(more) > 0 {
				s.Value, words = column.bare(), append(words, more...)
			}
		}
	}
	if len(words) == 0 {
		return Correction{}
	}
	return Correction{strings.Join(words, ", "), l.String()}
}

// correct replaces misspelled words by the nearest known words, and returns the settings that it changed.
func (l *Link) correct() (words []string) {
	for i := range l.Settings {
		s := &l.Settings[i]
		was, key := *s, s.Key
		switch s.Key {
		case "preset":
			key, s.Value = "p", closest(s.Value, presetNames())
		case hyper.PlanKey, hyper.UpToKey:
		default:
			s.Key = closest(s.Key, hyper.Keys())
			key, s.Value = s.Key, nearestValue(s.Key, s.Value)
		}
		if *s != was {
			words = append(words, key+"="+s.Value)
		}
	}
	return words
}

// nearestValue returns the value itself, unless the setting refuses it and knows a near one.
func nearestValue(key, value string) string {
	row, err := hyper.Lookup(key)
	if err != nil || row.Choices == nil || new(hyper.Config).Set(key, value) == nil {
		return value
	}
	return closest(value, row.Choices)
}

// closest returns the nearest known word, or the word itself.
func closest(word string, known []string) string { return cmp.Or(hyper.Nearest(word, known), word) }

func presetNames() (names []string) {
	for _, p := range hyper.Presets {
		names = append(names, p.Name)
	}
	return names
}
