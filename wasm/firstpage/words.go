package firstpage

import (
	"fmt"
	"strconv"
	"strings"

	"impalab/web/number"
)

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

// Caption returns the belt's caption in two parts: its beginning, and the age of the data. Lag is the slider's.
func Caption(lag int) [2]string {
	if lag == 0 {
		return [...]string{"Both study what they do", Late(lag)}
	}
	return [...]string{"Both study what they did", Late(lag)}
}

// Name returns the name of a learner. Manner says how it treats old steps.
func (s *Story) Name(right bool) string {
	switch {
	case !right:
		return s.of.name
	case s.mended():
		return s.of.name + ", late"
	}
	return "No correction"
}

func (s *Story) Manner(right bool) string {
	if right && !s.mended() {
		return "takes old steps at face value"
	}
	return s.of.manner
}

// Shown is the score of a learner's stage, which is the newest mean on its curve, and its unit. While both are held at
// a fall, the right one's score is the end of the fall, as in the chart and in the story. While its agent lies on the
// floor, the unit is the length of the episode that fell. An agent that writes has its answer's score.
func (s *Story) Shown(right bool) (score, unit string) {
	r, mean := s.Runs()[0], s.Score(right)
	if right {
		r = s.Runs()[1]
		if s.Phase == Held {
			_, _, mean = s.fall()
		}
	}
	if score, unit, ok := r.Answered(); ok {
		return score, unit
	}
	if r.Tumble.Lies() {
		return s.of.figure(mean), r.Tumble.Words()
	}
	return s.of.figure(mean), s.of.unit(mean)
}

// Lies reports whether the right one's agent should lie on the floor: until the visitor helps it, and an agent that the
// correction seldom lifts until its run is up again.
func (s *Story) Lies() bool { return s.Phase == Held || s.of.lies && s.Weak() }

// Weak reports whether the right one is down, also while its agent tries to stand.
func (s *Story) Weak() bool { return s.down() && s.fellAt <= s.step() }

// use is what stands below the button in the end.
const use = "Agents that practise on many machines at once, and language models trained by reward, learn from data " +
	"that are some updates old."

// Aside is the kind of the part below the button, and its title. Lag is the slider's.
func (s *Story) Aside(lag int) (kind, title string) {
	switch turned, _ := s.dragged(); {
	case s.Phase == Over:
		return "for", use
	case turned > 0 || lag > 0:
		return "key", s.of.weighs
	case s.of.shows != "":
		return "picture", s.of.shows
	}
	return "belt", "On the belt"
}

func thousands(step uint64) string {
	return strconv.FormatUint((step+500)/1000, 10) + number.Thin + "k"
}

// Measure returns what the chart shows, and Experiment the experiment's name.
func (s *Story) Measure() string    { return s.of.measure }
func (s *Story) Experiment() string { return s.of.Name }

// Act returns the words of the button, or "" if there is nothing to press.
func (s *Story) Act() string {
	switch {
	case s.Phase == Held || s.Phase == Unaided:
		return s.of.act
	case s.tooLate():
		return "Again, with " + s.of.cure
	case s.Phase == Over || s.free:
		return "Again, with other luck"
	case s.ripe():
		return "Make the data old"
	case s.young():
		return "Turn the lag to " + strconv.Itoa(s.of.dragTo)
	}
	return ""
}

// Hint announces the page's next action and its time; "" if the page will do nothing. Lag is the slider's.
func (s *Story) Hint(lag int) string {
	switch {
	case !s.caught():
		return ""
	case s.Phase == Held && s.seconds > 0:
		return fmt.Sprintf("Both hold. In %d s the page does it by itself.", s.seconds)
	case s.Phase == Held:
		return "Both hold, and wait for you: the button, or the slider."
	case s.Phase == Over && s.mended() && s.risen(s.step()):
		return "Seed " + s.Runs()[1].Config().Get("seed") + ". " + s.of.rescued
	case s.Phase == Over:
		return "Both wait."
	case s.still:
		return "Both pause."
	case s.ripe() && !s.Touched && s.step() < s.of.dragAt && !s.planned("lag"):
		return "The page does it at " + thousands(s.of.dragAt) + " steps."
	}
	return ""
}

// Step is a step of the story: a sentence, with words in the middle that stand out in a tone.
type Step struct {
	N                   int
	State               string // "past", "now" or "next"
	Before, Main, After string
	Tone                string // of Main: "age", "cut", "corrected" or ""
	At                  uint64 // the moment; 0: not yet
}

// Text is the step's sentence.
func (s *Step) Text() string { return s.Before + s.Main + s.After }

// Steps are the steps of the story so far and, at the beginning, the next one. Lag is the slider's.
func (s *Story) Steps(lag int) []Step {
	turned, _ := s.dragged()
	if turned == 0 {
		apart := "nothing tells"
		if s.Parted() != "" {
			apart = "only rounding tells"
		}
		return []Step{{N: 1, State: "now", Before: s.of.begins[0], Main: s.of.begins[1],
			After: s.of.begins[2] + " On fresh data " + apart + " them apart."}, {N: 2, State: "next",
			Before: "Now drag the lens away from the present, and let experience wait before it is studied."}}
	}
	same := thousands(min(turned, s.alike()))
	steps := []Step{{1, "past", "The same luck: alike up to " + same + " steps.", "", "", "", s.of.dragAt / 4}}
	by := "You"
	if s.Moved {
		by = "The page"
	}
	second := Step{2, "past", by + " let their data wait ", Updates(s.waited()), ".", "age", turned}
	if s.fellAt == 0 || s.fellAt > s.step() {
		second.State = "now"
		second.After += " " + s.watch(lag)
		return append(steps, second)
	}
	half, from, to := s.fall()
	depth := s.of.figure(from) + " → " + s.of.figure(to)
	third := Step{3, "past", "", "The right one " + s.of.fell + ": " + depth + ".", "", "", half}
	if s.helpedAt() == 0 {
		third.State, third.Tone = "now", "cut"
		third.Main = "The right one " + s.of.fell + ": " + depth + " " + s.lasted() + "."
		third.After = " " + s.of.fault
		return append(steps, second, third)
	}
	return append(steps, second, third, s.fourth(lag))
}

// alike returns the last step until which the two curves are equal.
func (s *Story) alike() uint64 {
	runs := s.Runs()
	return alikeUntil(s.curve(runs[0]), s.curve(runs[1]))
}

// Parted says what parted the two before anything was turned, for "Why?"; "": nothing has.
func (s *Story) Parted() string {
	until, alike := s.step(), s.alike()
	if turned := s.firstTurn(); turned > 0 {
		until = min(until, turned)
	}
	if alike >= until || until-alike <= s.of.dragAt/40 {
		return ""
	}
	return "The two part at " + thousands(alike) + " steps, before anything is turned. On fresh data each ratio is 1, " +
		"but its last digit is rounded. Each update enlarges such an error."
}

// waited returns the lag of the second step of the story.
func (s *Story) waited() int {
	lag := 0
	for _, m := range s.Runs()[1].Marks {
		if m.Key == "lag" && (s.fellAt == 0 || m.Step <= s.fellAt) {
			lag, _ = strconv.Atoi(m.To)
		}
	}
	return lag
}

// watch returns the viewer's hint between the turn of the lag and a fall.
func (s *Story) watch(lag int) string {
	step := s.step()
	since := step - min(step, s.turned)
	switch {
	case s.Phase == Over && s.mended():
		return "With " + s.of.cure + " from then on it did not " + s.of.fall + "."
	case s.Phase == Over:
		return "It did not " + s.of.fall + " this time."
	case s.mended():
		return s.of.both
	case lag == 0:
		return "Now their data are fresh again."
	case since < s.of.doubtful:
		return "Watch the right one."
	case lag < s.of.dragTo:
		return fmt.Sprintf("%s: not late enough yet. Drag on to %d.", Updates(lag), s.of.dragTo)
	case !s.pole.Rose():
		return fmt.Sprintf("It has not learned to %s yet, so it cannot %s: go back to 0 for a while, then to %d.",
			s.of.learned, s.of.fall, s.of.dragTo)
	}
	return "It wavers. Most " + s.of.fall + " within seconds, some take longer."
}

// fourth returns the step about the outcome after the fall.
func (s *Story) fourth(lag int) Step {
	step := Step{N: 4, State: "now", At: s.helpedAt()}
	risen := s.risen(s.step())
	switch {
	case s.tooLate() && !s.stood:
		step.Main, step.Tone = sentence(s.of.cure)+" came too late", "cut"
		step.After = ": it " + s.of.still + ". " + s.of.lying
	case s.Phase == Over && !risen:
		step.Before = s.unrecovered()
	case s.mended() && risen && lag > 0:
		step.Before, step.Main, step.Tone = "With "+s.of.cure+" ", "it "+s.of.again, "corrected"
		step.After = ", on data as old as before. " + s.of.enough
	case s.mended() && risen:
		step.Before, step.Main, step.Tone = "With "+s.of.cure+" ", "it "+s.of.again, "corrected"
		step.After = "."
	case s.mended() && lag == 0:
		step.Before = "It has " + s.of.cure + " now, and fresh data. Watch whether the right one " + s.of.gets + "."
	case s.mended():
		step.Before = "It has " + s.of.cure + " now. " + s.of.hope
	case risen && lag == 0:
		step.Before = fmt.Sprintf("It %s again: fresh data alone %s, in %s steps.", s.of.stands, s.of.taught,
			thousands(s.roseAt-min(s.roseAt, s.helpedAt())))
	case risen:
		step.Before = fmt.Sprintf("It %s again, on data %s old and without a correction.", s.of.stands, Updates(lag))
	case lag > 0:
		step.Before = fmt.Sprintf("Both continue. Its data are still %s old: try 0, or give it %s.", Updates(lag), s.of.cure)
	default:
		step.Before = "Both continue. " + s.of.fresh
	}
	return step
}

// sentence begins a sentence with words.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// unrecovered returns the outcome of a story whose right run did not stand for long.
func (s *Story) unrecovered() string {
	switch {
	case !s.stood:
		return s.of.lying
	case s.Score(true) > s.of.levels.Risen:
		return "It " + s.of.again + " late, and has not " + s.of.stood + " for long."
	}
	return "It " + s.of.again + ", and " + s.of.fell + " again: it did not recover this time."
}

// Rescued is measured by the same study: the row "none, V-trace when it is down".
const Rescued = "In our study V-trace with ρ̄ 2 got 16 of 16 up again."

// FreshAlone is a result of the study "break-and-mend" over 16 seeds: the row "none, lag 0 when it is down".
const FreshAlone = "Fresh data alone got 16 of 16 up, after about 38\u2009k steps."

// BodiesRescued is what TestExperimentsOnSixteenSeeds/second counts: 14 of 16 fell, and V-trace lifted none.
const BodiesRescued = "That is rare: of 14 agents that fell, V-trace lifted none."

// WritersRescued is what TestExperimentsOnSixteenSeeds/third counts, where the page gives the taper at its next point.
const WritersRescued = "Given at once, the taper taught 14 of 16 again."

// WritersFresh is a result of the study "forget-to-write" over 16 seeds: the row "none, lag 0 when it is down".
const WritersFresh = "Fresh data alone taught 16 of 16 again, after about 88\u2009k steps."
