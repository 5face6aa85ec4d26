package lesson

import (
	"math"
	"strings"
)

// A reader's pace. The words are technical prose with formulas; a guess is made and compared; a run is watched, or the
// check is solved.
const (
	wordsPerMinute  = 130
	minutesPerGuess = 0.5
	minutesPerRun   = 0.5
	minutesPerCheck = 3
)

// Minutes returns about how long a reader needs for the short path, or for the whole lesson with its check.
func (l *Lesson) Minutes(whole bool) int {
	words, minutes := 0, 0.0
	for i := range l.Steps {
		s := &l.Steps[i]
		if !whole && !s.Core {
			continue
		}
		words += len(strings.Fields(s.Prose)) + len(strings.Fields(s.Reveal))
		if s.Predict != nil {
			minutes += minutesPerGuess
		}
		if len(s.Live) > 0 {
			minutes += minutesPerRun
		}
	}
	if whole {
		words += len(strings.Fields(l.Check.Prose))
		minutes += minutesPerCheck
	}
	return int(math.Ceil(minutes + float64(words)/wordsPerMinute))
}
