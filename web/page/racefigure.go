package page

import (
	"fmt"
	"strings"

	"impalab/web/lesson"
	"impalab/web/lesson/quantity"
)

// The drawing of a race has a lane of raceLane units for each of its most actors, then the queue and the learner. The
// units are percent of its height, and milliseconds along the axis.
const (
	raceLane    = 6
	queueFloor  = 76
	queueHigh   = 22
	learnerTop  = 84
	learnerHigh = 16
)

// raceDrawn is the paths of a race.
type raceDrawn struct {
	Play  string    `json:"play"`
	Wait  string    `json:"wait"`
	Queue string    `json:"queue"`
	Learn string    `json:"learn"`
	Lags  []lagMark `json:"lags"`
}

// lagMark is the lag of an update, and its middle in percent of the axis.
type lagMark struct {
	At  float64 `json:"at"`
	Lag int     `json:"lag"`
}

// drawRace draws the race with a number of actors, at a position of the switch.
func drawRace(p *lesson.Plot, actors float64, choice int) (d raceDrawn) {
	race := p.Race.At(actors, choice)
	for i := range race.Plays {
		d.Play += blocks(race.Plays[i], float64(raceLane*i), raceLane-1.5)
		d.Wait += blocks(race.Waits[i], float64(raceLane*i)+1.5, raceLane-4.5)
	}
	var queue strings.Builder
	fmt.Fprintf(&queue, "M0 %d", queueFloor)
	for _, l := range race.Queue {
		fmt.Fprintf(&queue, "H%sV%s", coord(l.At), coord(queueFloor-queueHigh*float64(l.Batches)/float64(p.Race.Queue)))
	}
	fmt.Fprintf(&queue, "H%sV%dZ", coord(p.Race.Until), queueFloor)
	d.Queue = queue.String()
	var learns []quantity.Span
	for _, u := range race.Updates {
		learns = append(learns, quantity.Span{From: u.From, To: min(u.To, p.Race.Until)})
		if u.To <= p.Race.Until {
			d.Lags = append(d.Lags, lagMark{tenth((u.From + u.To) / 2 / p.Race.Until), u.Lag})
		}
	}
	d.Learn = blocks(learns, learnerTop, learnerHigh)
	return d
}

// blocks draws stretches of time as bars, with a gap between two of them.
func blocks(spans []quantity.Span, top, high float64) string {
	const gap = .6
	var s strings.Builder
	for _, span := range spans {
		fmt.Fprintf(&s, "M%s %sH%sv%sH%sZ", coord(span.From), coord(top), coord(max(span.From, span.To-gap)), coord(high),
			coord(span.From))
	}
	return s.String()
}
