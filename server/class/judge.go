package class

// Answers that runs decide. Each is a job, queued with the answer. The job trains the runs from zero, in any worker
// process, and stores the verdict together with its end. The room's pages follow it through the store.

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/places"
	"impalab/server/seedjob"
	"impalab/server/store"
	"impalab/web/exercise"
)

const (
	jobKind     = "class"
	jobPriority = 1 // of all: these jobs have a queue of their own
	classWeight = 3 // of an address's share of the cores; a watched run has 8
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
	names  []string // of hidden seeds; nil: the seeds are public
	judge  func(*exercise.Measured) (exercise.Verdict, error)
}

// ownSeed is before the public seeds of the members' own runs, one for each.
const ownSeed = 3000

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
			for i := range t.seeds {
				t.names = append(t.names, fmt.Sprintf("hidden:%d", i))
			}
			t.judge = func(m *exercise.Measured) (exercise.Verdict, error) {
				return e.Judge(&a.said, exercise.Hidden{Runs: m})
			}
			return t, err
		}
		t.seeds = e.Reach.PublicSeeds()
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

// enqueue queues the job of an answer in the transaction that stores the answer. Addresses share the queue and the
// cores equally: anybody may make rooms and join them under any number of names.
func (r *Room) enqueue(ctx context.Context, tx *store.Tx, a *answer) (err error) {
	j := store.Job{Kind: jobKind, Priority: jobPriority,
		Submitter: store.HashAddress(places.Visitor(ctx), r.rooms.opts.Salt)}
	if t, err := r.training(a); err == nil { // a job without runs fails with a sentence
		j.Cost = seedjob.Cost(&t.config, len(t.seeds))
	}
	if a.Job, err = r.rooms.opts.Queue.Add(tx, j, jobArgs{r.code, a.Number}); err != nil {
		return err
	}
	before, err := tx.JobPlace(a.Job)
	a.place = int(before) + 1
	return err
}

// Kinds returns the jobs that judge answers, for a worker. Store, Cores, Workers and Log of the options count.
func Kinds(o Options) []job.Kind {
	o.defaults()
	return []job.Kind{seedjob.Kind(job.Kind{Name: jobKind, Slots: o.Workers, Failed: failed},
		seedjob.Worker{Store: o.Store, Cores: o.Cores, Log: o.Log}, order)}
}

// Kinds returns the jobs that judge these rooms' answers.
func (rs *Rooms) Kinds() []job.Kind { return Kinds(rs.opts) }

// order returns the training of an answer; nil if it has its verdict.
func order(tx *store.Tx, work *job.Work, args jobArgs) (*seedjob.Order, error) {
	room, err := tx.Room(args.Room)
	if err != nil {
		return nil, err
	}
	a := new(answer)
	if a.Answer, err = tx.Answer(args.Room, args.Answer); err != nil || !a.open() {
		return nil, err
	}
	of := identity{room.Code, room.Secret}
	keep := func(tx *store.Tx) error { return tx.SetVerdict(args.Room, args.Answer, store.JSON(a.result), a.Credit) }
	order := &seedjob.Order{Owner: work.Submitter(), Weight: classWeight}
	if err := json.Unmarshal([]byte(a.Answer.Answer), &a.said); err != nil {
		return order, err
	}
	t, err := of.training(a)
	order.Config, order.Seeds, order.Names, order.Poses = t.config, t.seeds, t.names, a.Kind == Try
	order.Done = func(reports []trial.Report) (func(*store.Tx) error, error) {
		if a.result, err = t.result(reports); err != nil {
			return nil, err
		}
		of.seal(a)
		return keep, nil
	}
	return order, err
}

// failed stores the verdict on an answer whose training failed. That is not the student's mistake, and no try.
func failed(tx *store.Tx, j store.Job) error {
	return tx.FailAnswer(j.ID, store.JSON(exercise.Verdict{Say: "This could not be judged: " + j.Reason}))
}

// result returns the result of an answer's runs.
func (t *training) result(reports []trial.Report) (Result, error) {
	var returns []float64
	for i := range reports {
		returns = append(returns, float64(reports[i].ReturnMean100))
	}
	v, err := t.judge(exercise.MeasuredOf(returns))
	if v.Figure != nil {
		v.Figure = store.Finite(*v.Figure)
	}
	return Result{Verdict: v, Curve: thin(reports[0].Curve.At), Steps: t.config.Steps, World: t.config.World,
		Poses: reports[0].Curve.Poses}, err
}
