package class

// Views of the fleet: everybody sees the run; the student and the teacher see a student's part.

import (
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/server/store"
	"impalab/web/exercise"
)

// Fleet is the fleet in a view.
type Fleet struct {
	On         bool     `json:"on" doc:"Students' browsers act; otherwise they rest, and the run with them."`
	Run        string   `json:"run" doc:"Name of the run: its page is /r/NAME."`
	State      string   `json:"state" enum:"waiting,queued,running,paused,resting,done,diverged" doc:"Of the run; waiting: it is not there yet."`
	Reason     string   `json:"reason" doc:"Why it is in that state, for people; or empty."`
	World      string   `json:"world"`
	Lockstep   bool     `json:"lockstep" doc:"All actors wait for each other."`
	Correction string   `json:"correction" doc:"In force."`
	Return     *float64 `json:"return" doc:"Mean of the last hundred episodes; null before the first."`
	Lag        *float64 `json:"lag" doc:"Updates between the parameters that played an unroll and those that learned from it, mean over the class's unrolls; null before the first."`
	Forged     uint64   `json:"forged" doc:"Blocks of the class that differed from what was ordered, and were dropped."`
	Acting     int      `json:"acting" doc:"Connected actors."`
	Share      float64  `json:"share" doc:"The class's share of the steps that the run has learned from."`
	Again      int      `json:"again" doc:"Restarts after interruptions of the server: a live run cannot be stored."`
	exercise.Shown
}

// Actor is a student's part in the fleet.
type Actor struct {
	Here    bool     `json:"here" doc:"The browser is connected."`
	Playing bool     `json:"playing" doc:"It plays; otherwise it waits."`
	Steps   uint64   `json:"steps" doc:"This student's steps that the run has learned from."`
	Unrolls uint64   `json:"unrolls"`
	Forged  uint64   `json:"forged" doc:"Blocks that differed from what was ordered, and were dropped."`
	Lag     *float64 `json:"lag" doc:"Mean, in updates; null before the first unroll."`
	Return  *float64 `json:"return" doc:"Mean of the last 20 episodes; null before the first."`
}

// fleetView returns the fleet; nil before the room has had one. The caller holds mu.
func (r *Room) fleetView() *Fleet {
	is := &r.set.Fleet
	if is.Run == "" {
		return nil
	}
	v := &Fleet{On: is.On, Run: is.Run, State: "waiting", Again: is.Again,
		Shown: *exercise.Show(is.Settings, "", &exercise.Curve{}, nil)}
	lags, unrolls, steps := 0., uint64(0), uint64(0)
	for _, t := range r.tallies {
		c := t.Count()
		v.Forged += c.Forged
		if c.Unrolls > 0 {
			lags += c.Lag * float64(c.Unrolls)
			unrolls += c.Unrolls
			steps += c.Steps
		}
	}
	v.Lag = store.Finite(lags / float64(unrolls))
	f := r.fleet
	if f == nil {
		return v
	}
	v.Reason, v.Acting = f.trouble, len(f.actors)
	if f.run == nil {
		return v
	}
	run := f.run.Status()
	v.Shown = *exercise.Show(is.Settings, run.Config.World, &f.curve, nil)
	v.State, v.Reason, v.Steps = string(run.State), run.Reason, uint64(run.Steps)
	v.Return = store.Finite(run.ReturnMean100)
	if run.State == store.Paused {
		v.Reason = "It waits for an actor."
	}
	v.World, v.Lockstep = run.Config.World, run.Config.Mode != hyper.Live
	v.Correction = run.Config.Correction.String()
	if run.Steps > 0 {
		v.Share = float64(min(steps, v.Steps)) / float64(run.Steps)
	}
	return v
}

// actorView returns a member's part in the fleet; nil before there is any. The caller holds mu.
func (r *Room) actorView(member int64) *Actor {
	var a *actor
	if r.fleet != nil {
		a = r.fleet.actors[member]
	}
	tally := r.tallies[member]
	if tally == nil {
		if a == nil {
			return nil
		}
		tally = new(remote.Tally)
	}
	c := tally.Count()
	return &Actor{Here: a != nil, Playing: a != nil && a.Playing(), Steps: c.Steps, Unrolls: c.Unrolls, Forged: c.Forged,
		Lag: store.Finite(c.Lag), Return: store.Finite(c.Return)}
}
