package class

// Answers that runs decide. Each is a job, queued with the answer. The job trains the runs from zero, in any worker
// process, and stores the verdict together with its end. The room's pages follow it through the store.

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/trial"
	"impalab/server/exercise"
	"impalab/server/job"
	"impalab/server/seedjob"
	"impalab/server/store"
)

const (
	jobKind     = "class"
	jobPriority = 1  // of all: these jobs have a queue of their own
	classWeight = 3  // of a member's share of the cores; a watched run has 8
	curvePoints = 50 // of a run's chart
)

// jobArgs names a job's answer. The hidden seeds follow from the room's secret and are not in it.
type jobArgs struct {
	Room   string `json:"room"`
	Answer int64  `json:"answer"`
}

// training is an answer's runs and the judge of their results.
type training struct {
	config hyper.Config
	seeds  []uint64
	judge  func(*exercise.Measured) (exercise.Verdict, error)
}

func (t *training) steps() uint64 { return t.config.Steps * uint64(len(t.seeds)) }

// Public seeds: up to four of public checks, and one of each member's own runs.
const (
	publicSeed = 11
	ownSeed    = 3000
)

// hidden returns seeds that follow from the room's secret: 2^31 or more, and within the 32 bits of a setting's seed.
func (r *identity) hidden(name string, n int) (seeds []uint64) {
	for i := range n {
		seeds = append(seeds, 1<<31|binary.BigEndian.Uint64(draw(r.secret, "seed", name, i))>>33)
	}
	return seeds
}

// training returns the runs that judge an answer. It depends on the answer and the room's identity only, so every
// process gets the same runs.
func (r *identity) training(a *answer) (t training, err error) {
	e, unknown := exercise.Named(a.Task)
	if unknown == nil && e.Reach != nil {
		t.config, err = e.Reach.Config(&a.said)
		if a.Kind == HandIn {
			t.seeds = r.hidden(e.Name, e.Reach.Hidden.Seeds)
			t.judge = func(m *exercise.Measured) (exercise.Verdict, error) {
				return e.Judge(&a.said, exercise.Hidden{Runs: m})
			}
			return t, err
		}
		for i := range e.Reach.Public.Seeds {
			t.seeds = append(t.seeds, publicSeed+uint64(i))
		}
		t.judge = func(m *exercise.Measured) (exercise.Verdict, error) { return e.Public(&a.said, m) }
		return t, err
	}
	for _, p := range exercise.Plans() { // the room's plan may have changed
		for i := range p.Steps {
			if start := p.Steps[i].Run; start != nil && p.Steps[i].Name == a.Task {
				t.config, err = start.Config(a.said.Settings)
				t.seeds, t.judge = []uint64{ownSeed + uint64(a.Member)}, ownRun
				return t, err
			}
		}
	}
	return t, errNoTask
}

// ownRun is the judge of a run that earns no credit.
func ownRun(m *exercise.Measured) (exercise.Verdict, error) {
	end := m.Returns[0]
	v := exercise.Verdict{Figure: &end, Say: fmt.Sprintf("It ended at %.0f.", end)}
	if end < exercise.FallenBelow {
		v.Say = fmt.Sprintf("It fell: it ended at %.1f.", end)
	}
	return v, nil
}

// describe sets the length and world of an open answer's runs, for their chart.
func (r *identity) describe(a *answer) {
	if t, err := r.training(a); err == nil {
		a.result.Steps, a.result.World = t.config.Steps, t.config.World
	}
}

// enqueue queues the job of an answer in the transaction that stores the answer. Members share the queue and the cores
// equally: the submitter is a hash of the member, because a room's code lets anyone join.
func (r *Room) enqueue(tx *store.Tx, a *answer) (err error) {
	o := job.Order{Kind: jobKind, Args: jobArgs{r.code, a.Number}, Priority: jobPriority, Submitter: r.submitter(a)}
	if t, err := r.training(a); err == nil { // a job without runs fails with a sentence
		o.Cost = int64(t.steps()) / 1000
	}
	if a.job, err = r.rooms.opts.Queue.Add(tx, o); err != nil {
		return err
	}
	before, err := tx.JobPlace(a.job)
	a.place = int(before) + 1
	return err
}

func (r *identity) submitter(a *answer) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", r.code, a.Member))
	return hex.EncodeToString(sum[:16])
}

// Kinds returns the jobs that judge answers, for a worker. Store, Cores, Workers and Log of the options count.
func Kinds(o Options) []job.Kind {
	o.defaults()
	return []job.Kind{{Name: jobKind, Slots: o.Workers, Work: o.work}}
}

// Kinds returns the jobs that judge these rooms' answers.
func (rs *Rooms) Kinds() []job.Kind { return Kinds(rs.opts) }

// work judges one answer.
func (o *Options) work(ctx context.Context, w *job.Work) error {
	var args jobArgs
	if err := w.Args(&args); err != nil {
		return err
	}
	var room store.Room
	a := new(answer)
	err := o.Store.View(ctx, func(tx *store.Tx) (err error) {
		if room, err = tx.Room(args.Room); err == nil {
			a.Answer, err = tx.Answer(args.Room, args.Answer)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return job.Refuse(err) // the room was deleted
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
		err = schedule.Catch(func() error { return o.train(ctx, w, &of, a) })
	}
	if err == nil {
		of.seal(a)
	} else if again := seedjob.Again(ctx, err); again != nil {
		return again
	} else { // not the student's mistake: it does not count as a try
		a.result.Verdict = unjudged(err)
		a.result.Say = of.withoutSeeds(a, a.result.Say)
		o.Log.Error("an answer could not be judged", "job", w.ID(), "answer", args.Answer, "said", a.result.Say)
	}
	return w.Finish(func(tx *store.Tx) error {
		return tx.SetVerdict(args.Room, args.Answer, text(a.result), a.Credit)
	})
}

// unjudged returns the verdict on an answer whose training failed. A panic's stack has seeds in it and is left out.
func unjudged(err error) exercise.Verdict {
	var fault *schedule.Fault
	if errors.As(err, &fault) {
		err = fmt.Errorf("a fault of ours: %v", fault.Value)
	}
	return exercise.Verdict{Say: "This could not be judged: " + err.Error()}
}

// withoutSeeds replaces the hidden seeds in a sentence about a hand-in.
func (r *identity) withoutSeeds(a *answer, say string) string {
	t, err := r.training(a)
	if err != nil || a.Kind != HandIn {
		return say
	}
	for i, seed := range t.seeds {
		say = strings.ReplaceAll(say, strconv.FormatUint(seed, 10), fmt.Sprintf("hidden:%d", i))
	}
	return say
}

// train trains the runs of an answer and writes its result.
func (o *Options) train(ctx context.Context, w *job.Work, of *identity, a *answer) error {
	t, err := of.training(a)
	if err != nil {
		return err
	}
	share := o.Cores.Share(of.submitter(a), classWeight)
	defer share.Close()
	reports, err := seedjob.Train(ctx, w, seedjob.Order{Config: t.config, Seeds: t.seeds, Share: share,
		Progress: func(steps uint64) { w.Progress(int64(steps), int64(t.steps())) }})
	if err != nil {
		return err
	}
	m := &exercise.Measured{IQM: math.NaN()}
	for i := range reports {
		m.Returns = append(m.Returns, float64(reports[i].ReturnMean100))
	}
	if known := slices.DeleteFunc(slices.Clone(m.Returns), math.IsNaN); len(known) > 0 {
		m.IQM = trial.InterquartileMean(known)
	}
	v, err := t.judge(m)
	if err != nil {
		return err
	}
	if v.Figure != nil && (math.IsNaN(*v.Figure) || math.IsInf(*v.Figure, 0)) {
		v.Figure = nil
	}
	a.result = Result{Verdict: v, Curve: thin(reports[0].Curve.At), Steps: t.config.Steps, World: t.config.World}
	return nil
}
