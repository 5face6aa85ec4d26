package envs

import (
	"strings"
	"testing"
)

// A board in a test is a list of lines: a row's number, a space, ten cells. Rows that are not listed are empty.
// Several lines of one row lie over each other.

// each calls f for every cell of a board that is not '.'.
func each(board []string, f func(x, y int8, rune byte)) {
	for _, line := range board {
		if len(line) != 2+boardSide {
			panic("a line of a board needs a digit, a space and ten cells: " + line)
		}
		for x := range boardSide {
			if rune := line[2+x]; rune != '.' {
				f(int8(x), int8(line[0]-'0'), rune)
			}
		}
	}
}

// sees compares the observation of a game with a board. runes has a rune for each plane. Where planes overlap the first
// one counts, and a plane whose rune is a space is left out.
func sees(t *testing.T, w World, runes string, board ...string) {
	t.Helper()
	var got, want [boardSide][boardSide]byte
	for y := range want {
		for x := range want[y] {
			got[y][x], want[y][x] = '.', '.'
		}
	}
	each(board, func(x, y int8, rune byte) { want[y][x] = rune })
	planes := len(runes)
	obs := make([]float32, w.Spec().Size())
	w.Observe(obs)
	for plane := planes - 1; plane >= 0; plane-- {
		for i := range boardSide * boardSide {
			if runes[plane] != ' ' && obs[i*planes+plane] == 1 {
				got[i/boardSide][i%boardSide] = runes[plane]
			}
		}
	}
	if got != want {
		var text strings.Builder
		for y := range got {
			text.WriteString(string(got[y][:]) + "   " + string(want[y][:]) + "\n")
		}
		t.Errorf("on the left what is, on the right what should be:\n%s", &text)
	}
}

// act plays one step with the given draws after the draw of the sticky action; the step must use all of them.
func act(t *testing.T, w World, action int, draws ...goldenDraw) Outcome {
	t.Helper()
	r := Rand{Recorded: newRecorded(append([]goldenDraw{{"u", .5}}, draws...))}
	out := w.Step(&r, action)
	if r.Recorded.Read != len(r.Recorded.Draws) {
		t.Errorf("%d of %d draws were taken", r.Recorded.Read, len(r.Recorded.Draws))
	}
	return out
}

func wants(t *testing.T, got Outcome, reward float32, end End) {
	t.Helper()
	if got != (Outcome{Reward: reward, End: end}) {
		t.Errorf("%v, want reward %v, end %v", got, reward, end)
	}
}

func is[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestAStickyActionRepeatsTheLastPlayedAction(t *testing.T) {
	m := newMinAtar()
	choose := func(u float64, action, want int) {
		t.Helper()
		r := Rand{Recorded: newRecorded([]goldenDraw{{"u", u}})}
		is(t, "the action", m.choose(&r, action), want)
	}
	choose(.05, actFire, 0) // before the first action the action is noop
	choose(.1, actLeft, actLeft)
	choose(.0999, actRight, actLeft)
	choose(.05, actUp, actLeft) // not the one chosen last
	choose(.9, actUp, actUp)
	m.sticky = 0
	choose(0, actDown, actDown) // drawn all the same
}

func TestAResetRemembersTheActionAndAVectorsResetDoesNot(t *testing.T) {
	w := newBreakout().(*breakout)
	r := NewRand(1, 0)
	w.Reset(&r)
	act(t, w, actFire)
	w.Reset(&r)
	is(t, "the action before", w.last, actFire)
	v, _ := NewVector("breakout", 1, 1)
	v.Step([]int32{actFire}, make([]Outcome, 1))
	v.Reset(1)
	is(t, "the action before, of a vector begun anew", v.(*vector).worlds[0].(*breakout).last, 0)
}

func TestAfterTheEndNothingMoves(t *testing.T) {
	for _, name := range []string{"breakout", "asterix", "freeway", "seaquest", "space-invaders"} {
		w, err := New(name)
		if err != nil {
			t.Fatal(err)
		}
		r := NewRand(3, 0)
		w.Reset(&r)
		before, after := make([]float32, w.Spec().Size()), make([]float32, w.Spec().Size())
		for w.Step(&r, r.IntN(6)).End == Running {
		}
		w.Observe(before)
		for action := range 6 {
			wants(t, act(t, w, action), 0, Terminated)
			is(t, "the action carried out", int(minAtarOf(w).last), action)
		}
		w.Observe(after)
		for i := range before {
			if before[i] != after[i] {
				t.Fatalf("%s: the board moves after the end", name)
			}
		}
	}
}
