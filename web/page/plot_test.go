package page

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"impalab/envs"
	training "impalab/learner"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/trial"
)

const lateFrom, lateTo = 40_000, 60_000 // steps of the run whose batches are counted

// describeLate says what makes the late batch. A file of another run is out of date.
func describeLate() string {
	return "preset=lag-cliff " + presetWords("lag-cliff") + "correction=clip clip-high=0.2 lag=8 seed=1101 " +
		"from=40000 to=60000"
}

// count adds the ratios of the newest batch under parameters before, by the signs of their advantages.
func (b *lateBatch) count(t *testing.T, l *training.Learner, before []float32) {
	t.Helper()
	theta := l.Machine().Theta
	after := slices.Clone(theta)
	copy(theta, before)
	defer copy(theta, after)
	cfg := l.Config()
	for column := range cfg.BatchSize {
		in, err := l.Inspect(column)
		if err != nil {
			t.Fatal(err)
		}
		u := &correct.Unroll[float32]{T: cfg.UnrollLen, B: 1, Reward: in.Reward, Value: in.Value, Ratio: in.Ratio,
			Bootstrap: []float32{in.Bootstrap}, Discount: make([]float32, cfg.UnrollLen), Limits: cfg.Limits()}
		for i, end := range in.End {
			switch envs.End(end) {
			case envs.Running:
				u.Discount[i] = float32(cfg.Gamma)
			case envs.Truncated:
				correct.FoldTruncation(u.Reward, u.Discount, i, float32(cfg.Gamma), in.Final[i])
			}
		}
		out := correct.NewTargets[float32](cfg.UnrollLen, 1)
		correct.Apply(out, &correct.Corrections[cfg.Correction], u, hyper.Truncation[float32](cfg), cfg.Advantage)
		for i, w := range in.Ratio {
			counts := b.Good
			if out.Advantage[i] < 0 {
				counts = b.Bad
			}
			counts[min(lateBins-1, int(float64(w)/lateBin))]++
		}
	}
}

// trainLate counts the batches between two moments of the run.
func trainLate(t *testing.T, to uint64) lateBatch {
	t.Helper()
	cfg, err := lateConfig()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Steps = to
	b := lateBatch{Command: "go test ./web/page -run LateBatch -measure", Run: describeLate(), From: lateFrom, To: to,
		Good: make([]int, lateBins), Bad: make([]int, lateBins)}
	var before []float32
	run := trial.Trial{Config: cfg, Seeds: []uint64{openingSeed}, Jobs: 1, Hooks: func() training.Hooks {
		return training.Hooks{Between: func(l *training.Learner) error {
			if l.Steps() > lateFrom && before != nil {
				b.count(t, l, before)
			}
			before = append(before[:0], l.Machine().Theta...)
			return nil
		}}
	}}
	if _, err := run.Run(context.Background(), func(trial.Report) {}); err != nil {
		t.Fatal(err)
	}
	return b
}

// The late batch of a plot is measured. Its first batches are trained again, to the same numbers.
func TestTheLateBatchIsMeasured(t *testing.T) {
	have, err := readLate()
	if err != nil || have.Run != describeLate() {
		if !*measure {
			t.Fatalf("it is out of date: go test ./web/page -run LateBatch -measure (%v)", err)
		}
		text, err := json.Marshal(trainLate(t, lateTo))
		if err == nil {
			err = os.WriteFile("latebatch.json", append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	again := trainLate(t, lateTo)
	if !slices.Equal(again.Good, have.Good) || !slices.Equal(again.Bad, have.Bad) {
		t.Errorf("good %v and bad %v, stored %v and %v", again.Good, again.Bad, have.Good, have.Bad)
	}
}

// lateConfig is the run of the late batch: PPO's clip at a lag of eight updates.
func lateConfig() (hyper.Config, error) {
	cfg, err := hyper.FromPreset("lag-cliff")
	for _, s := range [...][2]string{{"correction", "clip"}, {"clip-high", "0.2"}} {
		if err == nil {
			err = cfg.Set(s[0], s[1])
		}
	}
	cfg.Seed, cfg.Lag = openingSeed, lateLag
	return cfg, err
}
