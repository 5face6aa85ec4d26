package class

// What is seen of the fleet: the run by everybody, each student's part by that student and the teacher.

import (
	"cmp"
	"slices"

	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/server/store"
)

// Fleet is the fleet as the class sees it.
type Fleet struct {
	On         bool     `json:"on" doc:"Students' browsers act; else they rest, and the run with them."`
	Run        string   `json:"run" doc:"Name of the run: its page is /r/NAME."`
	State      string   `json:"state" enum:"waiting,queued,running,paused,resting,done,diverged" doc:"Of the run; waiting: it is not there yet."`
	Reason     string   `json:"reason" doc:"Why it is in that state, for people; or empty."`
	World      string   `json:"world"`
	Lockstep   bool     `json:"lockstep" doc:"All wait for each other: who plays decides nothing."`
	Correction string   `json:"correction" doc:"In force."`
	Return     *float64 `json:"return" doc:"Mean of the last hundred episodes; null before the first."`
	Lag        *float64 `json:"lag" doc:"Updates between the parameters that played an unroll and those that learned from it, mean over the class's; null before the first."`
	Forged     uint64   `json:"forged" doc:"Blocks of the class that were something else than was ordered, and were dropped."`
	Acting     int      `json:"acting" doc:"How many are connected."`
	Share      float64  `json:"share" doc:"Of the steps that the run has learned from, those that the class played."`
	Again      int      `json:"again" doc:"How often the run began again because the server was interrupted: a live one cannot be kept."`
	Shown
}

// Actor is a student's part in the fleet.
type Actor struct {
	Here    bool     `json:"here" doc:"The browser is connected."`
	Playing bool     `json:"playing" doc:"It has a place; else it waits for one."`
	Steps   uint64   `json:"steps" doc:"Of this student's, that the run has learned from."`
	Unrolls uint64   `json:"unrolls"`
	Forged  uint64   `json:"forged" doc:"Blocks that were something else than was ordered, and were dropped."`
	Lag     *float64 `json:"lag" doc:"Mean, in updates; null before the first unroll."`
	Return  *float64 `json:"return" doc:"Mean of the last 20 episodes; null before the first."`
}

// seenFleet is the fleet as all see it; nil before the room has had one. The caller holds mu.
func (r *Room) seenFleet() *Fleet {
	kept := r.set.Fleet
	if kept == nil {
		return nil
	}
	v := &Fleet{On: kept.On, Run: kept.Run, State: "waiting", Again: kept.Again,
		Shown: Shown{Curve: []float64{}, Whole: curvePoints, Differs: []KeyAndValue{}}}
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
	for key, value := range kept.Settings {
		v.Differs = append(v.Differs, KeyAndValue{key, value})
	}
	slices.SortFunc(v.Differs, func(a, b KeyAndValue) int { return cmp.Compare(a.Key, b.Key) })
	f := r.fleet
	if f == nil {
		return v
	}
	v.Reason, v.Acting = f.trouble, len(f.seats)
	v.Curve = append(v.Curve, f.curve.points...)
	if f.run == nil {
		return v
	}
	is := f.run.Stands()
	v.State, v.Reason, v.Steps, v.Return = string(is.State), is.Reason, uint64(is.Steps), store.Finite(is.ReturnMean100)
	if is.State == store.Paused {
		v.Reason = "It waits until somebody acts."
	}
	v.World, v.Lockstep, v.Correction = is.Config.World, is.Config.Mode != hyper.Live, is.Config.Correction.String()
	if is.Steps > 0 {
		v.Share = float64(min(steps, v.Steps)) / float64(is.Steps)
	}
	return v
}

// seenActor is a member's part; nil before the fleet's run has had any of it. The caller holds mu.
func (r *Room) seenActor(member int64) *Actor {
	var s *seat
	if r.fleet != nil {
		s = r.fleet.seats[member]
	}
	tally := r.tallies[member]
	if tally == nil {
		if s == nil {
			return nil
		}
		tally = new(remote.Tally)
	}
	c := tally.Count()
	return &Actor{Here: s != nil, Playing: s != nil && s.Playing(), Steps: c.Steps, Unrolls: c.Unrolls, Forged: c.Forged,
		Lag: store.Finite(c.Lag), Return: store.Finite(c.Return)}
}
