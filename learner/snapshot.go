package learner

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/replay"
	"impalab/learner/traj"
)

// snapshot is all that decides how a reference run goes on. Resumed from it, the run makes the same bytes as if it had
// never stopped.
type snapshot struct {
	Format   int
	Settings []hyper.Setting

	Theta     []float32
	Optimiser [][]float32
	OptSteps  uint64
	Algorithm [][]float32
	Machine   [][]float32
	Past      []pastEntry // oldest first

	Steps, Updates, Episodes uint64
	Solved                   uint64
	Scores                   []float64 // last returns, by place in the ring
	ScoreCount               int
	ScoreBest                float64

	Chance [2]uint64
	Replay []*traj.Unroll
	Drawn  *replay.Saved // nil: uniformly
	Actor  *actor.State
	Actors uint64
}

type pastEntry struct {
	Theta  []float32
	Update uint64
}

const (
	snapshotFormat = 2
	snapshotLimit  = 4 << 30 // bytes unpacked; a file that claims more is refused
)

// Snapshot writes the run as it stands between two updates. Live runs cannot be snapshotted: their actors do not stop
// at the same place twice.
func (l *Learner) Snapshot() ([]byte, error) {
	f, ok := l.fleet.(*lagged)
	if !ok {
		return nil, errors.New("a snapshot needs mode=reference; a live run's actors never stand still")
	}
	s := snapshot{
		Format: snapshotFormat, Settings: l.cfg.Settings(),
		Theta: l.machine.Theta, Optimiser: l.machine.Opt.State(), OptSteps: *l.machine.Opt.Count(), Algorithm: l.algo.State(), Machine: l.machine.State(),
		Past:  l.past.list(),
		Steps: l.steps, Updates: l.updates, Episodes: l.episodes, Solved: l.solved,
		Scores: l.scores.list(), ScoreCount: l.scores.count, ScoreBest: l.scores.best,
		Chance: l.chance.State(), Replay: l.store.All(), Drawn: l.store.Save(), Actors: f.built,
	}
	if f.actor != nil {
		state := f.actor.Save()
		s.Actor = &state
	}
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if err := gob.NewEncoder(zip).Encode(&s); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if err := zip.Close(); err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return out.Bytes(), nil
}

// Resume makes a learner that goes on from a snapshot.
func Resume(blob []byte) (*Learner, error) {
	zip, err := gzip.NewReader(bytes.NewReader(blob))
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
	for _, key := range hyper.Keys() { // zero is a value too, and another run
		if !named[key] {
			return nil, fmt.Errorf("snapshot: it does not say what %s was: it comes from another build", key)
		}
	}
	l, err := New(cfg)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	if err := l.restore(&s); err != nil {
		l.Close()
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return l, nil
}

func (l *Learner) restore(s *snapshot) error {
	f, ok := l.fleet.(*lagged)
	if !ok {
		return errors.New("it says mode=live, which has no snapshots")
	}
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

	l.past = newPast()
	for _, p := range s.Past {
		if err := fits("past parameters", len(p.Theta), len(s.Theta)); err != nil {
			return err
		}
		l.past.push(p.Theta, p.Update, l.cfg.Lag)
	}
	if l.past.present == 0 {
		return errors.New("it holds no past parameters")
	}
	l.steps, l.updates, l.episodes, l.solved = s.Steps, s.Updates, s.Episodes, s.Solved
	if err := l.scores.restore(s.Scores, s.ScoreCount, s.ScoreBest); err != nil {
		return err
	}
	if err := l.chance.SetState(s.Chance); err != nil {
		return err
	}
	for _, u := range s.Replay {
		if !u.Fits(l.cfg.UnrollLen, l.batch.Shape) {
			return errors.New("its replay holds an unroll of another shape")
		}
	}
	if err := l.store.Load(s.Replay, s.Drawn); err != nil {
		return err
	}
	return f.restore(s.Actor, s.Actors)
}

// restore takes the actor back, with as many copies as it had.
func (f *lagged) restore(state *actor.State, built uint64) error {
	f.built = built
	if state == nil {
		return nil
	}
	copies := len(state.Returns)
	if copies < 1 || copies > envs.MaxVector {
		return fmt.Errorf("it holds an actor of %d copies", copies)
	}
	next, err := actor.New(f.cfg.World, f.spec, copies, f.cfg.Seed, streamActors)
	if err != nil {
		return err
	}
	next.Uniform = f.cfg.Behave == "uniform"
	f.actor = next
	return next.Load(*state)
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
