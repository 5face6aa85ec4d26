//go:build js && wasm

package page

import (
	"strconv"
	"strings"
	"syscall/js"

	"impalab/wasm/browser"
	"impalab/wasm/firstpage"
	drawn "impalab/web/chart"
)

// alone makes the words about two learners words about one.
var alone = strings.NewReplacer("Both study", "It studies", "they do", "it does", "they did", "it did")

// queue is one of the Lab's belts: under the worlds or, where the window has room, above the knobs.
type queue struct {
	belt
	fits func() bool
}

// bindBelts binds the belts, which are further sliders of the lag.
func (c *desk) bindBelts() {
	roomy := browser.NewMedia(c.window, "(min-width: 1400px) and (min-height: 800px)")
	for _, place := range findAll(c.body, `[data-part="belted"]`) {
		inHand := data(place, "at") == "knobs"
		lanes := func() []drawn.BeltLane { return c.lanes(inHand) }
		c.bindBelt(place, lanes)
		box := &chart{element: part(place, "belt")}
		c.observe([]*chart{box})
		c.queues = append(c.queues, &queue{belt: belt{box: box, read: func() (*drawn.Belt, int) {
			return c.readBelt(lanes())
		}}, fits: func() bool {
			embedded := c.body.Call("hasAttribute", "data-embed").Bool()
			if c.run.Belt.Poses == nil {
				return false
			}
			if inHand {
				return roomy.Matches() && !c.watching() && !embedded
			}
			return c.watching() || embedded
		}})
	}
}

func (c *desk) bindBelt(place js.Value, lanes func() []drawn.BeltLane) {
	slider, dragged := find(place, "input"), false
	c.shows.hidden(place, func() bool { return c.run.Belt.Poses == nil || len(lanes()) == 0 })
	c.shows.toggle(slider, "disabled", func() bool { return c.run.Link.Locked("lag") || !c.run.Steers })
	c.shows.add(func() {
		if !dragged {
			setValue(slider, strconv.Itoa(drawn.Stop(c.lag())))
		}
	})
	c.shows.attribute(slider, "aria-valuetext", func() string { return firstpage.Updates(c.lag()) })
	for i, name := range [...]string{"lead", "when"} {
		c.shows.text(find(place, `[data-say="`+name+`"]`), func() string {
			words := firstpage.Caption(c.lag())
			if len(lanes()) == 1 {
				words[0] = alone.Replace(words[0])
			}
			return words[i]
		})
	}
	onSlide(slider, &c.pace, "lag", func(drags bool) string {
		dragged = drags
		c.scheduleDraw()
		return strconv.Itoa(drawn.Lags[min(max(whole(slider), 0), len(drawn.Lags)-1)])
	})
}

// lag is the selected run's, in updates.
func (c *desk) lag() int {
	lag, err := strconv.Atoi(c.run.Control("lag").Shown())
	if err != nil {
		return 0
	}
	return lag
}

// mostLanes is how many runs a belt shows.
const mostLanes = 2

// lanes returns a belt's lanes: of the selected run and, unless one is asked for, of another run with its lag. A run
// whose world has no stick has none.
func (c *desk) lanes(one bool) (lanes []drawn.BeltLane) {
	lag := c.run.Control("lag").Shown()
	for _, r := range c.model.Runs {
		if _, ok := stickOf(r.Frame); !ok || r.Control("lag").Shown() != lag || len(lanes) == mostLanes ||
			one && r != c.run {
			continue
		}
		class := "strong"
		if r == c.model.Runs[0] {
			class = "pi"
		}
		lanes = append(lanes, lane(r, class, r.CountsWhole()))
	}
	return lanes
}

func (c *desk) readBelt(lanes []drawn.BeltLane) (*drawn.Belt, int) {
	revision := 0
	for _, r := range c.model.Runs {
		revision += r.Belt.Revision
	}
	return &drawn.Belt{Lag: min(c.lag(), drawn.Lags[len(drawn.Lags)-1]), Lanes: lanes}, revision
}

// drawBelts draws the belt that fits. Two would share the name of a gradient.
func (c *desk) drawBelts() {
	for _, q := range c.queues {
		if q.fits() {
			q.draw()
		} else {
			q.clear()
		}
	}
}
