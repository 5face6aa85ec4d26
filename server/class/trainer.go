package class

// Training what is judged by runs, in this process or in another: an answer is one job of the store's queue, which
// trains its seeds from zero, one after the other. Where they stand is kept, so whoever takes the job after a worker
// has died goes on from there, and what they come to is written with the end of the job: it counts once.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"impalab/learner"
	"impalab/learner/schedule"
	"impalab/learner/trial"
	"impalab/server/exercise"
	"impalab/server/job"
	"impalab/server/seedjob"
	"impalab/server/store"
)

// jobKind is what these jobs are called. They stand in a line of their own, so they have one priority.
const jobKind, jobFirst = "class", 1

// jobArgs is what a job is told. The hidden seeds follow from the room's secret, and are not in it.
type jobArgs struct {
	Room   string `json:"room"`
	Answer int64  `json:"answer"`
}

const (
	classWeight = 3  // of the cores that a member gets beside a run that people watch, which has 8
	curvePoints = 60 // that a tile draws
)

// Kinds are the jobs that judge answers, for a worker that is no server. Of the options Store, Cores and Workers count.
func Kinds(o Options) []job.Kind {
	o.defaults()
	return (&trainer{opts: &o}).kinds()
}

// Kinds are those of this server, whose pages are shown how far the runs are.
func (rs *Rooms) Kinds() []job.Kind { return (&trainer{&rs.opts, rs}).kinds() }

// trainer judges answers by runs.
type trainer struct {
	opts  *Options
	rooms *Rooms // nil: in another process
}

func (t *trainer) kinds() []job.Kind {
	return []job.Kind{{Name: jobKind, Slots: t.opts.slots(), Work: t.do}}
}

// do does one job.
func (t *trainer) do(ctx context.Context, w *job.Work) error {
	var told jobArgs
	if err := w.Args(&told); err != nil {
		return err
	}
	var room store.Room
	a := new(answer)
	err := t.opts.Store.View(ctx, func(tx *store.Tx) (err error) {
		if room, err = tx.Room(told.Room); err == nil {
			a.Answer, err = tx.Answer(told.Room, told.Answer)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return job.Refuse(err) // the room is deleted
	}
	if err != nil {
		return err
	}
	if a.Verdict != "" {
		return w.Finish(func(*store.Tx) error { return nil })
	}
	of := identity{room.Code, room.Secret}
	err = json.Unmarshal([]byte(a.Answer.Answer), &a.said)
	if err == nil {
		err = schedule.Catch(func() error { return t.judge(ctx, w, &of, a) })
	}
	if err == nil {
		of.seal(a)
	} else if again := seedjob.Again(ctx, err); again != nil {
		return again
	} else { // not the student's fault: it costs no turn
		a.result.Verdict = unjudged(err)
		a.result.Verdict.Say = of.unsaid(a, a.result.Verdict.Say)
		t.opts.Log.Error("an answer could not be judged", "job", w.ID(), "answer", told.Answer, "said", a.result.Say)
	}
	err = w.Finish(func(tx *store.Tx) error {
		return tx.SetVerdict(told.Room, told.Answer, text(a.result), a.Credit)
	})
	if err == nil && t.rooms != nil {
		t.rooms.look(ctx, false) // at once, where the next round is half a second away
	}
	return err
}

// unjudged is what is said of an answer that no run decides. A fault's stack, which has seeds in it, is not kept.
func unjudged(err error) exercise.Verdict {
	var fault *schedule.Fault
	if errors.As(err, &fault) {
		err = fmt.Errorf("a fault of ours: %v", fault.Value)
	}
	return exercise.Verdict{Say: "This could not be judged: " + err.Error()}
}

// judge trains the runs of an answer and writes into it what they come to.
func (t *trainer) judge(ctx context.Context, w *job.Work, of *identity, a *answer) error {
	plan, err := of.plan(a)
	if err != nil { // of another build
		return err
	}
	var c curve
	share := t.opts.Cores.Share(submitter(of.code, a.Member), classWeight)
	defer share.Close()
	began, before, shown := time.Now(), uint64(0), time.Now()
	reports, err := seedjob.Train(ctx, w, seedjob.Order{Config: plan.config, Seeds: plan.seeds, Share: share,
		Curve: &c.points,
		Between: func(l *learner.Learner) {
			if l.Config().Seed != plan.seeds[0] {
				return
			}
			drawn, mean := len(c.points), l.Return100()
			if math.IsNaN(mean) {
				mean = 0
			}
			c.add(plan.config.Steps, l.Steps(), mean)
			if len(c.points) > drawn && t.rooms != nil && time.Since(shown) >= time.Second/2 {
				shown = time.Now()
				t.rooms.show(of.code, a.Number, c.points)
			}
		},
		Progress: func(steps uint64) {
			if before == 0 {
				before = steps
			}
			w.Progress(int64(steps), int64(plan.config.Steps)*int64(len(plan.seeds)))
		}})
	if err != nil {
		return err
	}
	if all := plan.config.Steps * uint64(len(reports)); t.rooms != nil && all > before {
		t.rooms.pace(time.Since(began).Seconds() / float64(all-before))
	}
	m := &exercise.Measured{Returns: make([]float64, len(reports)), IQM: math.NaN()}
	for i := range reports {
		m.Returns[i] = float64(reports[i].ReturnMean100)
	}
	if known := slices.DeleteFunc(slices.Clone(m.Returns), math.IsNaN); len(known) > 0 {
		m.IQM = trial.InterquartileMean(known)
	}
	v, err := plan.judge(m)
	if err != nil {
		return err
	}
	if v.Figure != nil && (math.IsNaN(*v.Figure) || math.IsInf(*v.Figure, 0)) {
		v.Figure = nil
	}
	a.result = Result{Verdict: v, Curve: c.points, Steps: plan.config.Steps}
	return nil
}

// curve is a run's mean return at equal distances of its budget.
type curve struct {
	points []float64
	steps  uint64 // so far
}
