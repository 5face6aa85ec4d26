package learner

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"slices"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/replay"
	"impalab/learner/schedule"
	"impalab/learner/traj"
)

// snapshot is the complete state of a reference run. A resumed run makes the same bytes as an uninterrupted one.
type snapshot struct {
	Format     int
	Settings   []hyper.Setting
	Arithmetic string // of the learner
	Device     string // of the last update

	Theta     []float32
	Optimiser [][]float32
	OptSteps  uint64
	Algorithm [][]float32
	Machine   [][]float32
	Past      []pastEntry // oldest first

	Steps, Updates, Episodes uint64
	Solved                   uint64
	Scores                   [][]float64 // last returns of each task, by place in the ring
	ScoreCounts              []int
	ScoreBest, ScoreArea     float64
	ScoreMarks               int

	Chance    [2]uint64
	Replay    []*traj.Unroll
	Drawn     *replay.Saved // nil: uniformly
	Whole     *replay.Saved // of whole episodes; nil: uniformly
	Actors    []actor.State
	Built     uint64          // actors built so far
	Replayers []savedReplayer // of whole episodes
	Others    []snapshot      // agents that share the replay, without settings and replay: they are the watched agent's
}

type pastEntry struct {
	Theta  []float32
	Update uint64
}

const (
	snapshotFormat = 3
	snapshotLimit  = 4 << 30 // bytes unpacked; a file that claims more is refused
)

// Snapshot returns the state of the run between two updates. A live run has none: its actors never pause.
func (l *Learner) Snapshot() ([]byte, error) {
	if l.cfg.Mode == hyper.Live {
		return nil, errors.New("a snapshot needs mode=reference; a live run's actors never pause")
	}
	s, err := l.save()
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	s.Format, s.Settings, s.Replay, s.Drawn = snapshotFormat, l.cfg.Settings(), l.store.All(), l.store.Save()
	s.Whole = l.store.SaveEpisodes()
	s.Arithmetic, s.Device = l.arithmetic, l.machine.Device.Name
	for i, other := range l.others {
		if err := l.together(i, other.updates, l.updates); err != nil {
			return nil, fmt.Errorf("snapshot: %w", err)
		}
		its, err := other.save()
		if err != nil {
			return nil, fmt.Errorf("snapshot: %w", err)
		}
		s.Others = append(s.Others, its)
	}
	var out bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // other levels take four times as long and save no bytes
	if err := gob.NewEncoder(&yielding{zip, l.engine.Cores}).Encode(&s); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if err := zip.Close(); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return out.Bytes(), nil
}

// yielding writes in pieces and yields its core between them: packing a large network takes seconds.
type yielding struct {
	to    io.Writer
	cores *schedule.Share
}

func (y *yielding) Write(p []byte) (n int, err error) {
	for piece := range slices.Chunk(p, 32<<10) { // a millisecond
		wrote, err := y.to.Write(piece)
		if n += wrote; err != nil {
			return n, err
		}
		y.cores.Yield()
	}
	return n, nil
}

// unpacking yields its core before it reads.
type unpacking struct {
	from  io.Reader
	cores *schedule.Share
}

func (u *unpacking) Read(p []byte) (int, error) {
	u.cores.Yield()
	return u.from.Read(p)
}

// save returns the state of one agent of a reference run. After a device failure, its state is not used.
func (l *Learner) save() (snapshot, error) {
	f := l.fleet.(*referenceActors)
	s := snapshot{
		Theta: l.machine.Theta, Optimiser: l.machine.Opt.State(), OptSteps: *l.machine.Opt.Count(), Algorithm: l.algo.State(),
		Machine: l.machine.State(),
		Past:    l.window.list(),
		Steps:   l.steps, Updates: l.updates, Episodes: l.episodes, Solved: l.solved,
		ScoreBest: l.scores.best, ScoreArea: l.scores.area, ScoreMarks: l.scores.marks,
		Chance: l.rng.State(), Built: f.built,
	}
	s.Scores, s.ScoreCounts = l.scores.list()
	s.Actors, s.Replayers = f.stand(), l.replayers.save()
	return s, l.machine.Err()
}

// Resume makes a learner that continues from a snapshot, in the snapshot's arithmetic if the settings leave it to the
// machine and this machine has it. Another arithmetic is not an error: the learner's is Mixed from then on.
func (e Engine) Resume(blob []byte) (*Learner, error) {
	zip, err := gzip.NewReader(&unpacking{bytes.NewReader(blob), e.Cores})
	if err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	var s snapshot
	if err := gob.NewDecoder(io.LimitReader(zip, snapshotLimit)).Decode(&s); err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	if _, err := io.Copy(io.Discard, zip); err != nil { // the checksum at the end
		return nil, fmt.Errorf("not a whole snapshot: %w", err)
	}
	if s.Format != snapshotFormat {
		return nil, fmt.Errorf("snapshot of format %d; this build reads format %d", s.Format, snapshotFormat)
	}
	var cfg hyper.Config
	named := map[string]bool{}
	for _, set := range s.Settings {
		if err := cfg.Set(set.Key, set.Value); err != nil {
			return nil, fmt.Errorf("snapshot: %w", err)
		}
		named[set.Key] = true
	}
	for _, key := range hyper.Keys() { // a zero value would be another run
		if !named[key] {
			return nil, fmt.Errorf("snapshot: it does not say what %s was: it comes from another build", key)
		}
	}
	e.Like = s.Arithmetic
	l, err := e.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if err := l.restore(&s); err != nil {
		l.Close()
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if s.Arithmetic != l.arithmetic {
		l.arithmetic = Mixed
	}
	return l, nil
}

// restore restores the whole run: the store, then every agent.
func (l *Learner) restore(s *snapshot) error {
	l.filled = false
	if l.cfg.Mode == hyper.Live {
		return errors.New("it says mode=live, which has no snapshots")
	}
	tasks := l.cfg.Tasks()
	for _, u := range s.Replay {
		switch {
		case !u.Fits(l.cfg.UnrollLen, l.batch.Shape):
			return errors.New("its replay holds an unroll of another shape")
		case u.Task < 0 || int(u.Task) >= tasks:
			return fmt.Errorf("its replay holds an unroll of task %d of %d", u.Task, tasks)
		case int64(s.Updates-u.Version) < 0: // a version may be below 0 after CopyFrom, which modular arithmetic allows
			return errors.New("its replay holds an unroll played by parameters that are not there yet")
		}
	}
	if err := l.store.Load(s.Replay, s.Drawn); err != nil {
		return err
	}
	if err := l.store.LoadEpisodes(s.Whole); err != nil {
		return err
	}
	if err := fits("other agents", len(s.Others), len(l.others)); err != nil {
		return err
	}
	for i, other := range l.others {
		if err := l.together(i, s.Others[i].Updates, s.Updates); err != nil {
			return err
		}
		if err := other.load(&s.Others[i]); err != nil {
			return err
		}
	}
	return l.load(s)
}

// together refuses another agent that has made fewer or more updates than the watched agent: such a group continues as
// another run.
func (l *Learner) together(other int, its, watched uint64) error {
	if its == watched {
		return nil
	}
	return fmt.Errorf("the watched agent has made %d updates, and agent %d of the %d that share its replay has made %d: "+
		"the run was stopped inside an update; continue from an earlier snapshot, or retrain the run", watched, other+1,
		len(l.others), its)
}

// load restores one agent, without the store.
func (l *Learner) load(s *snapshot) error {
	if err := l.restoreAgent(s); err != nil {
		return err
	}
	if err := l.rng.SetState(s.Chance); err != nil {
		return err
	}
	if err := l.replayers.restore(s.Replayers, l.store); err != nil {
		return err
	}
	return l.fleet.(*referenceActors).restore(s.Actors, s.Built)
}

// restoreAgent restores an agent's parameters and its record.
func (l *Learner) restoreAgent(s *snapshot) error {
	if err := fits("parameters", len(s.Theta), len(l.machine.Theta)); err != nil {
		return err
	}
	copy(l.machine.Theta, s.Theta)
	if err := refill("optimiser", l.machine.Opt.State(), s.Optimiser); err != nil {
		return err
	}
	*l.machine.Opt.Count() = s.OptSteps
	if err := refill("algorithm", l.algo.State(), s.Algorithm); err != nil {
		return err
	}
	if err := refill("machine", l.machine.State(), s.Machine); err != nil {
		return err
	}

	l.fleet.(*referenceActors).undoAhead()
	l.window = newLagWindow()
	for _, p := range s.Past {
		if err := fits("past parameters", len(p.Theta), len(s.Theta)); err != nil {
			return err
		}
		if p.Update > s.Updates {
			return errors.New("it holds past parameters of an update that is still to come")
		}
		l.window.push(p.Theta, p.Update, l.cfg.Lag)
	}
	if l.window.present == 0 {
		return errors.New("it holds no past parameters")
	}
	l.steps, l.updates, l.episodes, l.solved = s.Steps, s.Updates, s.Episodes, s.Solved
	return l.scores.restore(s.Scores, s.ScoreCounts, s.ScoreBest, s.ScoreArea, s.ScoreMarks)
}

// restore restores the actors with their numbers of copies.
func (f *referenceActors) restore(actors []actor.State, built uint64) error {
	copies := 0
	for i := range actors {
		copies += len(actors[i].Returns)
	}
	if len(actors) > 0 && (copies < 1 || copies > envs.MaxVector) {
		return fmt.Errorf("it holds actors of %d copies", copies)
	}
	if built < uint64(len(actors)) {
		return fmt.Errorf("it holds %d actors of %d that there have been", len(actors), built)
	}
	if copies > 0 {
		f.built = built - uint64(len(actors)) // the streams of the unrolls in the store are theirs
		if err := f.ready(copies); err != nil {
			return err
		}
	}
	if err := fits("actors", len(actors), len(f.players)); err != nil {
		return err
	}
	for i, one := range f.players {
		if err := one.actor.Load(actors[i]); err != nil {
			return err
		}
	}
	f.built = built
	return nil
}

// refill copies vectors from a snapshot into their places.
func refill(what string, dst, src [][]float32) error {
	if err := fits(what+" vectors", len(src), len(dst)); err != nil {
		return err
	}
	for i := range dst {
		if err := fits(what+" values", len(src[i]), len(dst[i])); err != nil {
			return err
		}
		copy(dst[i], src[i])
	}
	return nil
}

func fits(what string, have, want int) error {
	if have != want {
		return fmt.Errorf("it has %d %s where its settings ask for %d", have, what, want)
	}
	return nil
}
