package firstpage

import (
	"fmt"
	"math"
	"strconv"

	"impalab/web/number"
)

// Lags are the stops of the slider.
var Lags = [...]int{0, 1, 2, 4, 8, 16, 32, 64}

// Stop returns the index of the stop at a lag, or of the nearest below it.
func Stop(lag int) (stop int) {
	for i, l := range Lags {
		if l <= lag {
			stop = i
		}
	}
	return stop
}

// Late returns a lag in words: "now" or "8 updates ago".
func Late(lag int) string {
	if lag == 0 {
		return "now"
	}
	return Updates(lag) + " ago"
}

// Updates returns a lag as the slider shows it.
func Updates(lag int) string {
	if lag == 1 {
		return "1 update"
	}
	return strconv.Itoa(lag) + " updates"
}

// Sentence returns the headline in three parts: its beginning, the age of the data, and which learner allows for it.
// Lag is the slider's.
func (s *Story) Sentence(lag int) [3]string {
	tail := "Only the left one allows for it."
	switch {
	case lag == 0:
		return [...]string{"Both learners study what they do", Late(lag), "There is nothing to allow for."}
	case s.mended():
		tail = "Now both allow for it."
	}
	return [...]string{"Both learners study what they did", Late(lag), tail}
}

// Name returns a learner's name, and Manner how it treats old steps.
func (s *Story) Name(right bool) string {
	switch {
	case !right:
		return "V-trace"
	case s.mended():
		return "V-trace, late"
	}
	return "No correction"
}

func (s *Story) Manner(right bool) string {
	if right && !s.mended() {
		return "takes old steps at face value"
	}
	return "gives old steps new weights"
}

// Unit returns the words below a learner's score.
func (s *Story) Unit(right bool) string {
	if right && s.down() && (s.Phase == Held || s.Phase == Unaided) {
		return "fell at " + thousands(s.fellAt)
	}
	return "steps upright"
}

// Mean returns a score in whole steps.
func Mean(v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return strconv.Itoa(int(math.Round(v)))
}

func thousands(step uint64) string {
	return strconv.FormatUint((step+500)/1000, 10) + number.Thin + "k"
}

// Act returns the words of the button, or "" if there is nothing to press.
func (s *Story) Act() string {
	switch {
	case s.Phase == Held || s.Phase == Unaided:
		return "Give it V-trace"
	case s.Phase == Over || s.free:
		return "Again, with other luck"
	}
	return ""
}

// Hint is a sentence about the next thing to do or to see. Lag is the slider's.
func (s *Story) Hint(lag int) string {
	if !s.caught() {
		return "Connecting."
	}
	step := s.step()
	since := step - min(step, s.turned)
	switch {
	case s.Phase == Held && s.seconds > 0:
		return fmt.Sprintf("Both hold. In %d s the page does it by itself.", s.seconds)
	case s.Phase == Held:
		return "Both hold, and wait for you: the button, or the slider."
	case s.Phase == Over && s.fellAt == 0:
		return "It did not fall this time."
	case s.Phase == Over && s.risen(step):
		return s.standsAgain(lag)
	case s.Phase == Over:
		return "It did not get up this time: the longer it lies, the harder it gets up."
	case s.still:
		return "Both pause."
	case s.Phase == Unaided && lag > 0:
		return fmt.Sprintf("Its data are still %s old. Try 0, or give it V-trace.", Updates(lag))
	case s.Phase == Unaided:
		return FreshAlone
	case s.Phase == Mended && s.fellAt > 0 && lag == 0:
		return "Watch the right one get up."
	case s.Phase == Mended && s.fellAt > 0:
		return "Watch the right one get up, though its data stay as old."
	case s.Phase == Mended:
		return "Both reweigh old steps: late data do no harm."
	case lag == 0 && s.Touched:
		return "Drag the slider to 64."
	case lag == 0 && step < DragAt:
		return fmt.Sprintf("Two learners practise with the same luck. Drag the slider to 64, or wait: at %s steps "+
			"the page does it.",
			thousands(DragAt))
	case lag == 0:
		return "Drag the slider to 64."
	case since < doubtful && s.Moved:
		return "The page has moved the slider to 64. Watch the right one."
	case since < doubtful:
		return "Watch the right one."
	case lag < 64:
		return fmt.Sprintf("%s: not late enough yet. Go on to 64.", Updates(lag))
	case !s.pole.Rose():
		return "It has not learned to stand yet, so it cannot fall: go back to 0 for a while, then to 64."
	}
	return "It wavers. Most fall within seconds, some take longer."
}

// FreshAlone is measured by the study "break-and-mend" over 16 seeds: the row "none, lag 0 when it is down".
const FreshAlone = "Fresh data alone got 14 of 16 up, after about 41\u2009k steps."

// standsAgain says how the right one recovered.
func (s *Story) standsAgain(lag int) string {
	if !s.mended() {
		if lag == 0 {
			return "It stands again: fresh data alone got it up, in " +
				thousands(s.roseAt-min(s.roseAt, s.helpedAt())) + " steps."
		}
		return fmt.Sprintf("It stands again, on data %s old and without a correction.", Updates(lag))
	}
	if lag == 0 {
		return "It stands again."
	}
	return "It stands again, though its data are " + Updates(lag) + " old."
}
