package class

// Training what is judged by runs: reference runs from zero, one seed at a time, on as many workers as there are cores
// but one. Whoever has had least goes first, so that thirty who ask for much wait for each other and for nobody who
// asks for little.

import (
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/learner/work"
	"impalab/server/exercise"
	"impalab/server/store"
)

// job is one answer's runs.
type job struct {
	room    *Room
	answer  *answer
	owner   string
	config  hyper.Config
	seeds   []uint64
	next    int // seed that nobody trains yet
	left    int // seeds that are not done
	returns []float64
	failed  error
	judge   func(*exercise.Measured) (exercise.Verdict, error)
}

// grader has the queue. Its mutex may be taken while a room's is held, and never the other way round.
type grader struct {
	ctx     context.Context
	cores   *work.Cores
	workers int
	ended   sync.WaitGroup

	mu     sync.Mutex
	wake   *sync.Cond
	queue  []*job // with seeds that nobody trains yet
	used   map[string]time.Duration
	steady float64 // seconds of a worker for an environment step, by what was trained last
}

func newGrader(ctx context.Context, cores *work.Cores, workers int) *grader {
	if workers == 0 {
		workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	if cores == nil {
		cores = work.NewCores(runtime.GOMAXPROCS(0))
	}
	g := &grader{ctx: ctx, cores: cores, workers: workers, used: map[string]time.Duration{}, steady: 4e-6}
	g.wake = sync.NewCond(&g.mu)
	for range workers {
		g.ended.Go(g.work) // ends with ctx
	}
	context.AfterFunc(ctx, g.wake.Broadcast)
	return g
}

func (g *grader) wait() { g.ended.Wait() }

// add queues a job.
func (g *grader) add(j *job) {
	g.mu.Lock()
	defer g.mu.Unlock()
	j.left = len(j.seeds)
	j.returns = make([]float64, len(j.seeds))
	if _, known := g.used[j.owner]; !known { // what was not asked for before is not saved up
		least := time.Duration(math.MaxInt64)
		for _, d := range g.used {
			least = min(least, d)
		}
		if len(g.used) == 0 {
			least = 0
		}
		g.used[j.owner] = least
	}
	g.queue = append(g.queue, j)
	g.wake.Signal()
	for range min(len(j.seeds), g.workers) - 1 {
		g.wake.Signal()
	}
}

// forget drops the jobs of a room.
func (g *grader) forget(r *Room) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.queue = slices.DeleteFunc(g.queue, func(j *job) bool { return j.room == r })
}

// first is the place in the queue of the job that goes next. The caller holds mu.
func (g *grader) first() int {
	best := 0
	for i, j := range g.queue {
		if g.used[j.owner] < g.used[g.queue[best].owner] {
			best = i
		}
	}
	return best
}

// where says at which place an answer waits, from 1, and for how long; 0: it is being trained, or is not there.
func (g *grader) where(a *answer) (place int, wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	own := slices.IndexFunc(g.queue, func(j *job) bool { return j.answer == a })
	if own < 0 || g.queue[own].next > 0 {
		return 0, 0
	}
	steps := 0.
	for i, j := range g.queue {
		mine, others := g.used[g.queue[own].owner], g.used[j.owner]
		if i != own && (others < mine || others == mine && i < own) {
			place++
			steps += float64(j.config.Steps) * float64(len(j.seeds)-j.next)
		}
	}
	return place + 1, time.Duration(steps * g.steady / float64(g.workers) * float64(time.Second))
}

// work trains one seed after the other.
func (g *grader) work() {
	for {
		g.mu.Lock()
		for len(g.queue) == 0 && g.ctx.Err() == nil {
			g.wake.Wait()
		}
		if g.ctx.Err() != nil {
			g.mu.Unlock()
			return
		}
		at := g.first()
		j := g.queue[at]
		i := j.next
		if j.next++; j.next == len(j.seeds) {
			g.queue = slices.Delete(g.queue, at, at+1)
		}
		// Charged before it is trained, so that several workers do not all go to the same owner.
		cost := time.Duration(float64(j.config.Steps) * g.steady * float64(time.Second))
		g.used[j.owner] += cost
		g.mu.Unlock()

		began := time.Now()
		mean, err := g.train(j, i)
		took := time.Since(began)

		g.mu.Lock()
		g.used[j.owner] += took - cost
		if err == nil {
			g.steady += .2 * (took.Seconds()/float64(j.config.Steps) - g.steady)
		}
		if err != nil {
			j.failed = err
		}
		j.returns[i] = mean
		j.left--
		over := j.left == 0
		if len(g.queue) == 0 {
			clear(g.used)
		}
		g.mu.Unlock()
		if over && g.ctx.Err() == nil {
			j.room.judged(j)
		}
	}
}

// train trains one seed of a job and returns the mean return of its last hundred episodes.
func (g *grader) train(j *job, i int) (mean float64, err error) {
	share := g.cores.Share(j.owner, classWeight)
	defer share.Close()
	err = work.Catch(func() error {
		share.Hold()
		defer share.Drain()
		t := trial.Trial{Config: j.config, Seeds: []uint64{j.seeds[i]}, Jobs: 1,
			Begin: learner.Engine{Lower: graph.Lower, Cores: share}.New,
			Hooks: func() learner.Hooks { return j.watch(i, share) },
		}
		reports, err := t.Run(g.ctx, func(trial.Report) {})
		if err == nil && len(reports) == 1 {
			mean = float64(reports[0].ReturnMean100)
		}
		return err
	})
	return mean, err
}

// classWeight is how much of the cores a member gets beside a run that people watch, which has 8.
const classWeight = 3

// watch tells the room how far the first seed is, and leaves the core to others where they have had less.
func (j *job) watch(i int, share *work.Share) learner.Hooks {
	shown := time.Now()
	return learner.Hooks{Between: func(l *learner.Learner) error {
		share.Yield()
		if i == 0 {
			now := time.Now()
			j.room.progress(j.answer, l.Steps(), l.Return100(), &shown, now)
		}
		return nil
	}}
}

// curvePoints is how many points a tile draws.
const curvePoints = 60

// curve is a run's mean return at equal distances of its budget.
type curve struct {
	points []float64
	steps  uint64
}

// progress adds a point where the run has come to one, and tells those who look twice a second.
func (r *Room) progress(a *answer, steps uint64, mean float64, shown *time.Time, now time.Time) {
	budget := a.result.Steps
	if steps < budget*uint64(len(a.curve.points)+1)/curvePoints {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if math.IsNaN(mean) {
		mean = 0
	}
	for len(a.curve.points) < curvePoints && steps >= budget*uint64(len(a.curve.points)+1)/curvePoints {
		a.curve.points = append(a.curve.points, math.Round(mean*100)/100)
	}
	a.curve.steps = steps
	if now.Sub(*shown) >= time.Second/2 {
		*shown = now
		r.tell()
	}
}

// seeds that everybody may know: four or fewer for public checks, and one for each member's own runs.
const (
	publicSeed = 11
	ownSeed    = 3000
)

// hidden are seeds that follow from the room's secret. They are drawn from numbers so large that no table names them.
func (r *Room) hidden(name string, n int) (seeds []uint64) {
	for i := range n {
		seeds = append(seeds, 1<<40|binary.BigEndian.Uint64(draw(r.secret, "seed", name, i))>>24)
	}
	return seeds
}

// train queues the runs of an answer. The caller holds mu, or nobody else has the room yet.
func (r *Room) train(a *answer) {
	j := &job{room: r, answer: a, owner: r.code + " " + text(a.Member)}
	var err error
	if e, known := exercise.Named(a.Task); known == nil && e.Reach != nil {
		j.config, err = e.Reach.Config(&a.said)
		if a.Kind == HandIn {
			j.seeds = r.hidden(e.Name, e.Reach.Hidden.Seeds)
			j.judge = func(m *exercise.Measured) (exercise.Verdict, error) {
				return e.Judge(&a.said, exercise.Hidden{Runs: m})
			}
		} else {
			for i := range e.Reach.Public.Seeds {
				j.seeds = append(j.seeds, publicSeed+uint64(i))
			}
			j.judge = func(m *exercise.Measured) (exercise.Verdict, error) { return e.Public(&a.said, m) }
		}
	} else if start := r.run(a.Task); start != nil {
		j.config, err = start.Config(a.said.Settings)
		j.seeds = []uint64{ownSeed + uint64(a.Member)}
		j.judge = ran
	} else {
		err = errNoTask
	}
	if err != nil { // of another build
		r.finish(a, exercise.Verdict{Say: "This could not be judged: " + err.Error()})
		return
	}
	a.result.Steps = j.config.Steps
	r.rooms.grader.add(j)
}

// run is what a step trains, of any plan: the room's may have changed meanwhile.
func (r *Room) run(name string) *exercise.Start {
	for _, p := range exercise.Plans() {
		for i := range p.Steps {
			if p.Steps[i].Name == name && p.Steps[i].Run != nil {
				return p.Steps[i].Run
			}
		}
	}
	return nil
}

// judged takes what a job came to.
func (r *Room) judged(j *job) {
	m := &exercise.Measured{Returns: j.returns, IQM: math.NaN()}
	known := slices.DeleteFunc(slices.Clone(j.returns), math.IsNaN)
	if len(known) > 0 {
		m.IQM = trial.InterquartileMean(known)
	}
	v, err := exercise.Verdict{}, j.failed
	if err == nil {
		v, err = j.judge(m)
	}
	if err != nil {
		v = exercise.Verdict{Say: "This could not be judged: " + err.Error()}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if j.failed != nil { // not the student's fault: it costs no turn
		j.answer.Kind = Try
	}
	r.finish(j.answer, v)
	r.tell()
}

// finish keeps a verdict. The caller holds mu, or nobody else has the room yet.
func (r *Room) finish(a *answer, v exercise.Verdict) {
	if v.Figure != nil && (math.IsNaN(*v.Figure) || math.IsInf(*v.Figure, 0)) {
		v.Figure = nil
	}
	a.result.Verdict, a.result.Curve = v, a.curve.points
	r.seal(a)
	err := r.do(r.rooms.ctx, func(tx *store.Tx) error {
		return tx.SetVerdict(r.code, a.Number, text(a.result), a.Credit)
	})
	if err != nil && CodeOf(err) != NotFound {
		r.rooms.opts.Log.Error("a verdict could not be kept; it is judged again after the next start", "error", err)
	}
	a.open, a.Judged = false, r.now().UnixMilli()
}
