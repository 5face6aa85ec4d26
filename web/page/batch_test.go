package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	training "impalab/learner"
	"impalab/learner/correct"
	"impalab/learner/graph"
	"impalab/learner/hyper"
)

// recorded trains a run of the preset and returns the batch of its last update. That update has a learning rate of 0,
// so afterwards the parameters are still those that it started with.
func recorded(t *testing.T, lag int) batch {
	t.Helper()
	cfg := kit.Config(t, batchPreset, "")
	cfg.Lag, cfg.Seed = lag, batchSeed
	l, err := training.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	b, enough := batch{Lag: lag}, errors.New("enough")
	_, err = l.Run(context.Background(), training.Hooks{Between: func(l *training.Learner) error {
		switch l.Updates() {
		case batchUpdate - 1:
			still, err := hyper.ParseChange("lr", "0")
			if err != nil {
				return err
			}
			if _, err := l.Apply(still); err != nil {
				return err
			}
		case batchUpdate:
			if err := b.read(l, &cfg); err != nil {
				return err
			}
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	return b
}

// read reads the newest batch of a learner.
func (b *batch) read(l *training.Learner, cfg *hyper.Config) error {
	short := func(x float32) float64 { // the digits that a float32 has
		v, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', 6, 32), 64)
		return v
	}
	columns := cfg.BatchSize
	for column := range columns {
		in, err := l.Inspect(column)
		if err != nil {
			return err
		}
		if age := in.Update - 1 - in.Version; age != uint64(b.Lag) {
			return fmt.Errorf("trajectory %d was played %d updates before", column, age)
		}
		steps, actions := len(in.Reward), len(in.Target)/len(in.Reward)
		if column == 0 {
			n := steps * columns
			b.LogPi, b.LogMu = make([]float64, n*actions), make([]float64, n*actions)
			b.Reward, b.Discount, b.Value = make([]float64, n), make([]float64, n), make([]float64, n)
			b.Action, b.Bootstrap = make([]int32, n), make([]float64, columns)
		}
		b.Bootstrap[column] = short(in.Bootstrap)
		for step := range steps {
			i := step*columns + column
			for a := range actions {
				b.LogPi[i*actions+a] = short(in.Target[step*actions+a])
				b.LogMu[i*actions+a] = short(in.Behaviour[step*actions+a])
			}
			b.Action[i], b.Value[i] = in.Action[step], short(in.Value[step])
			b.Reward[i], b.Discount[i] = short(in.Reward[step]), cfg.Gamma
			switch envs.End(in.End[step]) {
			case envs.Terminated:
				b.Discount[i] = 0
			case envs.Truncated:
				correct.FoldTruncation(b.Reward, b.Discount, i, cfg.Gamma, short(in.Final[step]))
			}
		}
	}
	return nil
}

const batchFile = "corrections/batches.json"

// The stored batches are what the learner saw: one of them is recorded again each time, and all with -measure.
func TestTheStoredBatchesAreWhatTheLearnerSaw(t *testing.T) {
	if *measure {
		var text bytes.Buffer
		text.WriteString("[\n")
		for i, lag := range batchLags {
			one, err := json.Marshal(recorded(t, lag))
			if err != nil {
				t.Fatal(err)
			}
			if i > 0 {
				text.WriteString(",\n")
			}
			text.Write(one)
		}
		text.WriteString("\n]\n")
		if err := os.WriteFile(batchFile, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Log("build again: this test has the earlier file")
		return
	}
	if len(batches()) != len(batchLags) {
		t.Fatalf("%d batches for %d lags", len(batches()), len(batchLags))
	}
	for i, b := range batches() {
		if b.Lag != batchLags[i] {
			t.Errorf("batch %d has a lag of %d, not %d", i, b.Lag, batchLags[i])
		}
	}
	const lag = 4
	at := slices.Index(batchLags, lag)
	again := recorded(t, lag)
	again.places = batches()[at].places
	if !reflect.DeepEqual(again, batches()[at]) {
		t.Errorf("the run's batch at a lag of %d is another than the stored one", lag)
	}
}

// On fresh data every ratio is 1, so all corrections are the same there.
func TestWithoutLagEveryWeightIsOne(t *testing.T) {
	for i := range forms {
		cfg, err := forms[i].settle(nil)
		if err != nil {
			t.Fatal(err)
		}
		w := batches()[0].weigh(&cfg)
		for k, c := range w.weight {
			if math.Abs(c-1) > 1e-4 || math.Abs(w.ratio[k]-1) > 1e-4 {
				t.Fatalf("%s: step %d has ratio %v and weight %v", forms[i].name, k, w.ratio[k], c)
			}
		}
	}
}
