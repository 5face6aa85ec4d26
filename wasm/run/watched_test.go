package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/web/number"
	"impalab/web/wire"
)

// Whatever a moment showed while it was the newest, it shows again when the cursor comes back to it: every figure,
// chart, frame and map.
func TestAHeldMomentEqualsItsLiveView(t *testing.T) {
	m := learned("p=destination")
	m.Pin(1)
	m.Cursor.Unpin()
	look := func() string {
		var all strings.Builder
		for i := range Texts {
			one := &Texts[i] // a story is of a whole curve
			if !slices.Contains([]string{"moment", "watched", "rate"}, one.Name) && !strings.HasPrefix(one.Name, "story-") {
				fmt.Fprintf(&all, "%s: %s\n", one.Name, one.Read(m))
			}
		}
		for _, name := range []string{"ratios", "age", "gauge"} {
			i := slices.IndexFunc(Charts, func(c Chart) bool { return c.Name == name })
			fmt.Fprintf(&all, "%s: %s\n", name, Charts[i].Draw(m, 300, 100))
		}
		fmt.Fprintf(&all, "%+v", m.Watched())
		if c := m.Chart(); c != nil {
			fmt.Fprintf(&all, "\n%+v", c.Clone())
		}
		return all.String()
	}
	m.Apply(weights(m, 0))
	live := map[uint64]string{}
	for i := range uint64(60) {
		step := 2000 + 100*i
		m.Apply(&wire.Point{Event: m.last + 1, Step: step, Update: 20 + i, Return: float32(i), Recent: float32(2 * i),
			Figures: row("kl", float32(i)/100)})
		m.Apply(&wire.XRay{Step: step, Update: 20 + i, Figures: row("kl", float32(i)/100), Ratios: []uint32{uint32(i), 3},
			Ages: []uint32{uint32(i)}})
		m.Apply(&wire.Gauge{Learned: float32(i), Implied: 4, Worst: 0, Best: 5})
		m.Apply(weights(m, float32(i)))
		m.noteFrame(&wire.Frame{Number: i, World: "four-rooms", Return: float32(i), Value: float32(i) / 7, Ratio: 1.5})
		live[step] = look()
	}
	if m.Chart() == nil {
		t.Fatal("there is no map")
	}
	for i := range uint64(60) {
		step := 2000 + 100*i
		m.Cursor.Pin(step)
		got, want := strings.Split(look(), "\n"), strings.Split(live[step], "\n")
		for k := range want {
			if got[k] != want[k] {
				t.Fatalf("at step %d the page shows\n%s\nand live it showed\n%s", step, got[k], want[k])
			}
		}
		if got, want := m.WatchedAt(), "at "+number.Count(step); got != want {
			t.Errorf("the world is said to be %s, want %s", got, want)
		}
	}
	m.Cursor.Pin(2050) // between two: the one before
	if f := m.Watched(); f.Number != 0 {
		t.Errorf("between two the world shows %+v", f)
	}
	m.Cursor.Pin(500) // before the page has seen any
	if f := m.Watched(); f.Number != 59 || m.WatchedAt() != "live" {
		t.Errorf("before the first the world shows %+v, %s", f, m.WatchedAt())
	}
}

// weights are parameters that all are v.
func weights(m *Run, v float32) *wire.Weights {
	w := &wire.Weights{Target: make([]float32, m.local.size), Scale: []float32{1}, Shift: []float32{0}}
	for i := range w.Target {
		w.Target[i] = v / 100
	}
	return w
}

// A held moment does not change while the run continues: not by a newer update, and not by a nearer moment. It changes
// when its very update is made again.
func TestAHeldMomentStaysWhileTheRunContinues(t *testing.T) {
	m := learned("p=destination")
	tell := func(update uint64) {
		m.Apply(&wire.Point{Event: m.last + 1, Step: 100 * update, Update: update})
		m.Apply(&wire.XRay{Step: 100 * update, Update: update})
		m.Apply(&wire.Gauge{Learned: float32(update), Best: 100})
	}
	shows := func(want string) {
		t.Helper()
		if got := read(m, "v-learned") + " of update " + read(m, "updates"); got != want {
			t.Errorf("at step %d it shows %s, want %s", m.Cursor.Step, got, want)
		}
	}
	tell(20)
	m.Cursor.Pin(2000)
	m.Apply(&wire.Gauge{Learned: 21, Best: 100})
	shows("20.000 of update 20")
	m.Cursor.Unpin()
	tell(30)
	m.Apply(&wire.Point{Event: m.last + 1, Step: 3900, Update: 39})
	m.Cursor.Pin(3900)
	shows("30.000 of update 30")
	tell(40)
	shows("30.000 of update 30")
	m.MadeAgain(madeAgain(m, 39, 45))
	shows("39.000 of update 39")
	m.Cursor.Pin(3800)
	shows("40.000 of update 40")
}

// The picture of a world whose agent writes has words: the prompt, the answer, and how likely its last symbol was.
func TestAnAnswerIsToldInWords(t *testing.T) {
	m := learned("#v=1&p=reverse")
	w, err := envs.New(m.World())
	if err != nil {
		t.Fatal(err)
	}
	chance := envs.NewRand(1, 1)
	w.Reset(&chance)
	show := func(action uint8) string {
		m.noteFrame(&wire.Frame{World: w.Spec().Name, State: w.State(nil), Action: action,
			Target: []float32{.02, .03, .9, .05}})
		return read(m, "story-world")
	}
	if got := show(0); !strings.HasPrefix(got, "Prompt ") || !strings.HasSuffix(got, ". Nothing is written yet.") {
		t.Errorf("before the first symbol: %q", got)
	}
	w.Step(&chance, 2)
	writing, _ := envs.WritingOf(w)
	right := "0"
	if a := writing.Answer(); a.Prompt[len(a.Prompt)-1] == "c" {
		right = "1"
	}
	if got := show(2); !strings.HasSuffix(got, ". Written c, "+right+" right. π gave the last, c, 90%.") {
		t.Errorf("after one symbol: %q", got)
	}
	for range 7 {
		w.Step(&chance, 2)
	}
	m.Tumble.Stays = true
	f := &wire.Frame{World: w.Spec().Name, State: w.State(nil), Action: 2, End: uint8(envs.Terminated), Length: 8}
	m.noteFrame(f)
	m.Tumble.See(f, w, true, true, 0)
	if _, score, unit, weak := m.Staged(); !strings.HasSuffix(score, "/8") || unit != "always “c”" || !weak {
		t.Errorf("a fallen answer is %q, %q", score, unit)
	}
	if got := read(learned(""), "story-world"); got != "" {
		t.Errorf("CartPole's picture says %q", got)
	}
}
