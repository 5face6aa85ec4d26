package quantity

import "math"

// raced are the quantities of a learner and its actors: act and learn are the milliseconds of a batch of play and of an
// update, and a queue between them has places for some batches.
var raced = []Quantity{
	{"updates-in-turns", args{"act": 40, "learn": 10, "actors": 1}, plain(func(g args) float64 {
		return 1000 / (g["act"]/g["actors"] + g["learn"])
	})},
	{"updates-racing", args{"act": 40, "learn": 10, "actors": 1}, plain(func(g args) float64 {
		return 1000 / max(g["act"]/g["actors"], g["learn"])
	})},
	// The lag once the queue no longer grows. It stays empty as long as the actors do not play faster than the learner
	// learns, and else it is full.
	{"behind-racing", args{"act": 40, "learn": 10, "actors": 1, "queue": 4}, plain(func(g args) float64 {
		if g["act"]/g["actors"] >= g["learn"] {
			return g["actors"]
		}
		return g["actors"] + g["queue"]
	})},
}

// Race is some actors, a learner and the queue between them. Each actor plays batches of its own with the newest
// parameters, and waits when the queue is full. The learner takes the oldest batch.
type Race struct {
	Act    float64 `yaml:"act"`   // milliseconds of a batch of play
	Learn  float64 `yaml:"learn"` // and of an update
	Queue  int     `yaml:"queue"` // places for batches
	Actors int     `yaml:"-"`
	Turns  bool    `yaml:"-"` // the actors play one batch together, then wait for its update
}

// Span is a stretch of time in milliseconds.
type Span struct{ From, To float64 }

// Learned is an update. Its lag is the number of updates since the parameters that played its batch.
type Learned struct {
	Span
	Lag int
}

// Level is the length of the queue from a time on.
type Level struct {
	At      float64
	Batches int
}

// Timeline is the course of a race. Waits are those for a place in the queue.
type Timeline struct {
	Plays, Waits [][]Span // of each actor
	Queue        []Level
	Updates      []Learned
}

// actor is the state of one actor: it plays until ends with the parameters of an update, or waits since then.
type actor struct {
	began, ends float64
	version     int
	waits       bool
}

// Run returns the course of the race from 0 to a time. The actors begin one after the other, at equal distances.
func (r *Race) Run(until float64) *Timeline {
	out := &Timeline{Plays: make([][]Span, r.Actors), Waits: make([][]Span, r.Actors)}
	if r.Turns {
		r.takeTurns(out, until)
		return out
	}
	actors := make([]actor, r.Actors)
	for i := range actors {
		actors[i].began = float64(i) * r.Act / float64(r.Actors)
		actors[i].ends = actors[i].began + r.Act
	}
	var queue []int // versions that played
	version, learnt := 0, math.Inf(1)
	for {
		now := learnt
		for i := range actors {
			if !actors[i].waits {
				now = min(now, actors[i].ends)
			}
		}
		if now >= until {
			break
		}
		if now == learnt {
			version, learnt = version+1, math.Inf(1)
		}
		for i := range actors {
			if a := &actors[i]; !a.waits && a.ends == now {
				a.waits = true
				out.Plays[i] = append(out.Plays[i], Span{a.began, now})
			}
		}
		for moved := true; moved; {
			moved = false
			if math.IsInf(learnt, 1) && len(queue) > 0 {
				out.Updates = append(out.Updates, Learned{Span{now, now + r.Learn}, version - queue[0]})
				queue, learnt, moved = queue[1:], now+r.Learn, true
			}
			if i := first(actors); i >= 0 && len(queue) < r.Queue {
				if now > actors[i].ends {
					out.Waits[i] = append(out.Waits[i], Span{actors[i].ends, now})
				}
				queue, moved = append(queue, actors[i].version), true
				actors[i] = actor{began: now, ends: now + r.Act, version: version}
			}
		}
		out.Queue = append(out.Queue, Level{now, len(queue)})
	}
	for i, a := range actors { // cut off by the end
		if a.waits {
			out.Waits[i] = append(out.Waits[i], Span{a.ends, until})
		} else if a.began < until {
			out.Plays[i] = append(out.Plays[i], Span{a.began, until})
		}
	}
	return out
}

// first returns the actor that waits longest, or −1.
func first(actors []actor) int {
	found := -1
	for i, a := range actors {
		if a.waits && (found < 0 || a.ends < actors[found].ends) {
			found = i
		}
	}
	return found
}

// takeTurns lets all actors play a part of each batch, then the learner learn from it.
func (r *Race) takeTurns(out *Timeline, until float64) {
	act := r.Act / float64(r.Actors)
	for now := 0.; now < until; now += act + r.Learn {
		for i := range out.Plays {
			out.Plays[i] = append(out.Plays[i], Span{now, min(until, now+act)})
		}
		if now+act < until {
			out.Updates = append(out.Updates, Learned{Span{now + act, now + act + r.Learn}, 0})
		}
	}
}
