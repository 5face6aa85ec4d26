package page

import (
	"fmt"

	"impalab/envs"
	"impalab/web/chart"
	"impalab/web/number"
	"impalab/web/play"
	"impalab/web/wire"
)

// Last is the end of an episode, played by the agent of a run.
type Last struct {
	World  envs.World  // as it is at the end
	Frame  *wire.Frame // its last
	Update uint64      // of the agent
}

// Size of the picture, in pixels.
const (
	lastWide = 236
	lastHigh = 336
)

// fall returns the played fall of the episode. It is down if the agent fell.
func (l *Last) fall() *play.Tumble {
	var t play.Tumble
	t.See(l.Frame, l.World, true, true, 0)
	return &t
}

// picture returns the inside of the SVG: a stick on its cart with its fall, or the world's own picture.
func (l *Last) picture() string {
	if s, ok := envs.StickOf(l.World); ok {
		t, x, track := l.fall(), float64(s.X), float64(s.Track)
		if pole := chart.LayPole(lastWide, lastHigh); t.Down() { // the whole stick lies inside the picture
			room := (lastWide/2 - pole.Reach()) / (lastWide * chart.PoleTrack) * track
			if s.Lean < 0 {
				x = max(x, -room)
			} else {
				x = min(x, room)
			}
		}
		return chart.DrawPole("pi", x, track, float64(s.Lean), t.Down(), t.Fan, lastWide, lastHigh)
	}
	s := scene{ink: -1}
	s.drawWorld(l.World, 0, 0, lastWide, lastHigh)
	s.close()
	return s.out.String()
}

// numbered writes how many things there are.
func numbered(n uint64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return number.Count(n) + " " + thing + "s"
}

// words says how the episode ended.
func (l *Last) words() string {
	said := fmt.Sprintf("An episode after %s: return %s in %s", numbered(l.Update, "update"),
		number.Score(float64(l.Frame.Return)), numbered(uint64(l.Frame.Length), "step"))
	switch {
	case l.fall().Down():
		said += ", then it fell"
	case l.Frame.End == uint8(envs.Running):
		said += ", and it continues"
	}
	return said + "."
}
