package page

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/web/wire"
)

// ended plays an action in CartPole until the pole falls.
func ended(t *testing.T, action int) *Last {
	t.Helper()
	world, err := envs.New("cartpole")
	if err != nil {
		t.Fatal(err)
	}
	chance := envs.NewRand(1, 0)
	world.Reset(&chance)
	f := wire.Frame{World: "cartpole"}
	for f.End == uint8(envs.Running) {
		f.End = uint8(world.Step(&chance, action).End)
		f.Length++
		f.Return++
	}
	return &Last{World: world, Frame: &f, Update: 1}
}

func TestAFallenStickLiesWholeInItsPicture(t *testing.T) {
	for action := range 2 {
		l := ended(t, action)
		lines := regexp.MustCompile(`class="(?:rod|stroke) lies" x1="([-0-9.]+)" y1="[-0-9.]+" x2="([-0-9.]+)"`)
		found := lines.FindAllStringSubmatch(l.picture(), -1)
		if len(found) < 8 {
			t.Fatalf("action %d: %d lines of a fallen stick in %s", action, len(found), l.picture())
		}
		for _, one := range found {
			for _, x := range one[1:] {
				if v, err := strconv.ParseFloat(x, 64); err != nil || v < 0 || v > lastWide {
					t.Errorf("action %d: a line reaches %s of %d pixels", action, x, lastWide)
				}
			}
		}
		if said := l.words(); !strings.HasPrefix(said, "An episode after 1 update: return ") ||
			!strings.HasSuffix(said, " steps, then it fell.") {
			t.Errorf("it says %q", said)
		}
	}
}

// Every world has a picture of its end, also one without a stick, like a room.
func TestEveryWorldHasAPictureOfItsEnd(t *testing.T) {
	for _, e := range envs.Table {
		world := e.New()
		chance := envs.NewRand(1, 0)
		world.Reset(&chance)
		l := &Last{World: world, Frame: &wire.Frame{World: e.Spec.Name, Length: 1}, Update: 2}
		if drawn := l.picture(); len(drawn) < 100 || strings.Contains(drawn, "NaN") {
			t.Errorf("%s: %.200s", e.Spec.Name, drawn)
		}
		said := l.words()
		if !strings.Contains(said, "after 2 updates") || !strings.HasSuffix(said, "in 1 step, and it continues.") {
			t.Errorf("%s says %q", e.Spec.Name, said)
		}
	}
}
