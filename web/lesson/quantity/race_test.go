package quantity

import (
	"math"
	"testing"
)

// A race that is played out has the pace and the lag that the formulas give, once its queue no longer grows.
func TestARaceHasThePaceAndTheLagOfTheFormulas(t *testing.T) {
	const half, until = 20_000., 40_000.
	for actors := 1; actors <= 8; actors++ {
		race := Race{Act: 40, Learn: 10, Queue: 4, Actors: actors}
		given := args{"act": 40, "learn": 10, "actors": float64(actors), "queue": 4}
		updates, lags := 0.0, 0.0
		for _, u := range race.Run(until).Updates {
			if u.From >= half {
				updates, lags = updates+1, lags+float64(u.Lag)
			}
		}
		for name, have := range map[string]float64{
			"updates-racing": 1000 * updates / (until - half), "behind-racing": lags / updates,
		} {
			q, _, err := Find(name)
			if err != nil {
				t.Fatal(err)
			}
			if want, err := q.Of(given); err != nil || math.Abs(have-want) > .01*want {
				t.Errorf("%d actors: %s is %.4g in the race, want %.4g (%v)", actors, name, have, want, err)
			}
		}
		turns := race
		turns.Turns = true
		want, err := Compute("updates-in-turns actors=" + string(rune('0'+actors)))
		if have := float64(len(turns.Run(until).Updates)) / until * 1000; err != nil || math.Abs(have-want) > .2 {
			t.Errorf("%d actors in turns: %.4g updates a second, want %.4g (%v)", actors, have, want, err)
		}
	}
}

// An actor plays or waits at any time, the queue never holds more than its places, and the learner never learns twice
// at once.
func TestARaceIsPossible(t *testing.T) {
	for actors := 1; actors <= 8; actors++ {
		race := Race{Act: 40, Learn: 10, Queue: 4, Actors: actors}
		line := race.Run(320)
		for i := range actors {
			busy := 0.0
			for _, s := range append(append([]Span(nil), line.Plays[i]...), line.Waits[i]...) {
				busy += s.To - s.From
			}
			if want := 320 - float64(i)*40/float64(actors); math.Abs(busy-want) > 1e-9 {
				t.Errorf("actor %d of %d plays and waits for %v ms, want %v", i, actors, busy, want)
			}
		}
		most := 0
		for _, l := range line.Queue {
			most = max(most, l.Batches)
		}
		if want := map[bool]int{false: 0, true: 4}[actors > 4]; most != want {
			t.Errorf("%d actors: the queue grows to %d, want %d", actors, most, want)
		}
		for i := 1; i < len(line.Updates); i++ {
			if line.Updates[i].From < line.Updates[i-1].To-1e-9 {
				t.Errorf("%d actors: an update begins at %v and the one before ends at %v", actors,
					line.Updates[i].From, line.Updates[i-1].To)
			}
		}
	}
}
