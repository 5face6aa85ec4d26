//go:build js && wasm

package page

import (
	"strconv"
	"strings"

	"impalab/learner/correct"
	"impalab/wasm/firstpage"
	drawn "impalab/web/chart"
)

// alone makes the words about two learners words about one.
var alone = strings.NewReplacer("Both study", "It studies", "they do", "it does", "they did", "it did")

// mostLanes is how many runs the Lab's belt shows.
const mostLanes = 2

// bindBelt binds the belt under the worlds. It is the lag's second slider.
func (c *desk) bindBelt() {
	place := part(c.body, "belted")
	slider, dragged := find(place, "input"), false
	c.belt = belt{element: part(place, "belt"), read: c.readBelt}
	c.shows.hidden(place, func() bool { return c.run.Belt.Poses == nil || len(c.lanes()) == 0 })
	c.shows.toggle(slider, "disabled", func() bool { return c.run.Link.Locked("lag") || !c.run.Steers })
	c.shows.add(func() {
		if !dragged {
			put(slider, strconv.Itoa(drawn.Stop(c.lag())))
		}
	})
	c.shows.attribute(slider, "aria-valuetext", func() string { return firstpage.Updates(c.lag()) })
	for i, name := range [...]string{"lead", "when"} {
		c.shows.text(find(place, `[data-say="`+name+`"]`), func() string {
			words := firstpage.Caption(c.lag())
			if len(c.lanes()) == 1 {
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

// lanes returns the belt's lanes: the selected run and another run with its lag, if their worlds have sticks.
func (c *desk) lanes() (lanes []drawn.BeltLane) {
	lag := c.run.Control("lag").Shown()
	for _, r := range c.model.Runs {
		if _, ok := stickOf(r.Frame); !ok || r.Control("lag").Shown() != lag || len(lanes) == mostLanes {
			continue
		}
		class := "strong"
		if r == c.run {
			class = "pi"
		}
		lanes = append(lanes, lane(r, class, r.Control("correction").Shown() == correct.MethodNone.String()))
	}
	return lanes
}

// belted reports whether the page has room for the belt.
func (c *desk) belted() bool {
	return c.run.Belt.Poses != nil && (c.watching() || c.body.Call("hasAttribute", "data-embed").Bool())
}

func (c *desk) readBelt() (*drawn.Belt, int) {
	revision := 0
	for _, r := range c.model.Runs {
		revision += r.Belt.Revision
	}
	return &drawn.Belt{Lag: min(c.lag(), drawn.Lags[len(drawn.Lags)-1]), Lanes: c.lanes()}, revision
}
