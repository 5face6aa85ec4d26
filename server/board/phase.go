package board

// Training one entry: its public seeds, or once these have a row its secret ones. What a seed came to is kept as soon
// as it is known, so whoever goes on elsewhere, or after a restart, loses at most the seed that was being trained.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"impalab/learner/kernel"
	"impalab/learner/schedule"
	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/seedjob"
	"impalab/server/store"
)

// boardWeight is how much of the cores the board gets beside a run that people watch, which has 8.
const boardWeight = 0.5

// result is what the store keeps of a seed's run. It does not name the seed: that of a season is a secret.
type result struct {
	Steps      uint64       `json:"steps"`
	Score      trial.Number `json:"return_mean_run"`
	End        trial.Number `json:"return_mean_100"`
	Diverged   bool         `json:"diverged"`
	Arithmetic string       `json:"arithmetic"`
	Params     string       `json:"params_sha256"`
}

// curve is the whole of a run's curve.
type curve struct {
	At []trial.Number `json:"at"`
}

func (r *result) report(c *curve, budget uint64) trial.Report {
	report := trial.Report{Steps: r.Steps, ReturnMeanRun: r.Score, ReturnMean100: r.End, Diverged: r.Diverged,
		Arithmetic: r.Arithmetic, ParamsSHA256: r.Params, Curve: trial.Curve{Budget: budget}}
	for _, v := range c.At {
		report.Curve.At = append(report.Curve.At, float64(v))
	}
	return report
}

func resultOf(r *trial.Report) (res result, c curve) {
	res = result{r.Steps, r.ReturnMeanRun, r.ReturnMean100, r.Diverged, r.Arithmetic, r.ParamsSHA256}
	c.At = []trial.Number{}
	for _, v := range r.Curve.At {
		c.At = append(c.At, trial.Number(v))
	}
	return res, c
}

// train trains what comes next of an entry, and returns its row.
func (o *ContestOptions) train(ctx context.Context, w *job.Work, e *store.BoardEntry) (row Row, err error) {
	t, entry, err := o.entered(e)
	if err != nil {
		return row, err
	}
	seeds := t.PublicSeeds()
	if e.PublicRow != "" {
		season, err := ReadSeason(ctx, o.Store, e.Season)
		if err != nil {
			return row, err
		}
		seeds = season.Seeds(t)
	}
	have, err := begin(w, e)
	if err != nil {
		return row, err
	}
	share := o.Cores.Share("the board", boardWeight)
	defer share.Close()
	reports := make([]trial.Report, seeds.Len())
	for i, name := range seeds.Names() {
		w.Progress(int64(i), int64(seeds.Len()))
		if known, ok := have[name]; ok {
			reports[i] = known.result.report(&known.curve, t.Start.Steps)
			continue
		}
		trained, err := seedjob.Train(ctx, w, seedjob.Order{Config: entry.Config, Seeds: seeds.values[i : i+1],
			Called: seeds.called, Part: name, Share: share})
		if err != nil {
			return row, seeds.unsaid(err)
		}
		// The report of a seed that was kept and read again must be the same, whoever trains the others.
		res, drawn := resultOf(&trained[0])
		reports[i] = res.report(&drawn, t.Start.Steps)
		err = w.Do(func(tx *store.Tx) error {
			return tx.SetResult(e.ID, store.BoardResult{Seed: name, Result: object(res), Curve: object(drawn)})
		})
		if err != nil {
			return row, err
		}
	}
	return NewRow(t, "", entry, seeds, reports), nil
}

// entered is the configuration of an entry as the track has it today.
func (o *ContestOptions) entered(e *store.BoardEntry) (*Track, Entry, error) {
	t, err := o.Tracks.Find(e.Track)
	if err != nil {
		return nil, Entry{}, err
	}
	if t.Form() != e.Form {
		return nil, Entry{}, fmt.Errorf("%s has changed since this was handed in", t.Title)
	}
	entry, err := t.ParseEntry(e.Settings)
	if err == nil && entryID(e.Season, t, &entry) != e.ID {
		err = fmt.Errorf("%s: these settings mean something else today", t.Title)
	}
	return t, entry, err
}

type known struct {
	result result
	curve  curve
}

// begin says that an entry is being trained, and returns the seeds that were trained before with this machine's
// arithmetic: one row has one.
func begin(w *job.Work, e *store.BoardEntry) (map[string]known, error) {
	var results []store.BoardResult
	err := w.Do(func(tx *store.Tx) (err error) {
		if err := tx.SetEntryState(e.ID, store.Training, ""); err != nil {
			return err
		}
		results, err = tx.Results(e.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	have := map[string]known{}
	for _, r := range results {
		var k known
		if r.Curve == "" { // part of a row
			continue
		}
		err := errors.Join(json.Unmarshal([]byte(r.Result), &k.result), json.Unmarshal([]byte(r.Curve), &k.curve))
		if err != nil {
			return nil, err
		}
		if k.result.Arithmetic == kernel.Arithmetic() {
			have[r.Seed] = k
		}
	}
	return have, nil
}

// unsaid is an error that tells no secret seed. A panic's stack has the arguments of functions in it.
func (s Seeds) unsaid(err error) error {
	var fault *schedule.Fault
	if s.secret && errors.As(err, &fault) {
		return fmt.Errorf("a fault of ours in training a secret seed: %v; its stack is not kept", fault.Value)
	}
	return err
}

// object is what the store keeps of a struct of ours.
func object(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers, of which those that are not finite are null
	}
	return string(b)
}
