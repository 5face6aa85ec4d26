package sweep

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/trial"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/store"
)

var lagAndRho = []Axis{{"lag", []string{"0", "4"}}, {"rho", []string{"1", "2", "inf"}}}

func TestASweepsRunsEndAsTheyDoAlone(t *testing.T) {
	l := working(t, nil, 2)
	spec := planned(t, "p=catch steps=4000 t=2000:c=0.5", "7-8", lagAndRho...)
	s, _ := l.start(t, spec)
	i := swept(t, s)
	if i.State != store.SweepDone || i.Runs != 12 || i.Over != 12 || len(i.Cells) != 6 {
		t.Fatalf("%s, %d of %d runs in %d cells", i.State, i.Over, i.Runs, len(i.Cells))
	}
	for c, cell := range i.Cells {
		lag, rho := []string{"0", "4"}[c%2], []string{"1", "2", "inf"}[c/2]
		if fmt.Sprint(cell.Values) != fmt.Sprint([]string{lag, rho}) || cell.N != 2 {
			t.Errorf("cell %d is of %v with n = %d", c, cell.Values, cell.N)
		}
		var returns []float64
		for k, m := range cell.Runs {
			info, err := l.lab.Info(t.Context(), *m.ID)
			if err != nil {
				t.Fatal(err)
			}
			if m.Seed != uint64(7+k) || info.Settings["seed"] != fmt.Sprint(m.Seed) || info.Settings["lag"] != lag ||
				info.Settings["rho"] != rho || info.Settings["c"] != "0.5" || info.Purpose != "batch" || m.State != Finished {
				t.Errorf("cell %d, seed %d: %s %+v", c, m.Seed, m.State, info)
			}
			if info.ReturnMean100 != m.Return {
				t.Errorf("the run came to %g, the sweep says %g", info.ReturnMean100, m.Return)
			}
			cfg, _ := spec.config(c)
			cfg.Seed = m.Seed
			if want := alone(t, cfg, spec.Base.Turns); info.ParamsSHA256 != want {
				t.Errorf("run %s: trained alone it comes to %.12s, not %.12s", *m.ID, want, info.ParamsSHA256)
			}
			returns = append(returns, float64(m.Return))
		}
		if want := trial.NewEstimate(returns); cell.Estimate != want {
			t.Errorf("cell %d: %+v, not %+v", c, cell.Estimate, want)
		}
	}
}

func TestASweepHasFewRunsAtATimeAndOneInTheQueue(t *testing.T) {
	l := working(t, nil, 2)
	s, _ := l.start(t, planned(t, "p=catch steps=20000", "1-8"))
	most := 0
	kit.Until(t, "it is over", func() bool {
		if waiting, _ := l.lab.Waiting(); waiting > 1 {
			t.Errorf("%d of its runs wait", waiting)
		}
		err := l.kept.View(t.Context(), func(tx *store.Tx) error {
			running, err := tx.JobsIn(store.JobRunning)
			most = max(most, len(running))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return s.Info().State == store.SweepDone
	})
	if most < 2 || most > l.opts.AtOnce {
		t.Errorf("up to %d runs at once; want %d", most, l.opts.AtOnce)
	}
	kit.Until(t, "its runs are held no more", func() bool { return l.heldRuns() == 0 })
}

func TestASweepContinuesAfterARestart(t *testing.T) {
	dir := t.TempDir()
	kept := openStore(t, store.Options{Dir: dir})
	first := working(t, kept, 2)
	spec := planned(t, "p=catch steps=60000", "1-5", Axis{"lag", []string{"0", "2"}})
	s, key := first.start(t, spec)
	kit.Until(t, "some of it is done", func() bool { return s.Info().Over >= 3 })
	before := s.Info()
	first.leave()
	if before.Over == before.Runs {
		t.Fatal("all of it was done before the restart")
	}
	l := working(t, kept, 2)
	again, err := l.Find(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	i := swept(t, again)
	if i.State != store.SweepDone || i.Over != 10 || !again.Owns(key) {
		t.Fatalf("%s, %d of %d over, ours: %v", i.State, i.Over, i.Runs, again.Owns(key))
	}
	seen := map[string]bool{}
	for c, cell := range i.Cells {
		if cell.N != 5 {
			t.Errorf("cell %d has n = %d", c, cell.N)
		}
		for k, m := range cell.Runs {
			cfg, _ := spec.config(c)
			cfg.Seed, cfg.Speed = m.Seed, math.Inf(1)
			info, err := l.lab.Info(t.Context(), *m.ID)
			if err != nil || info.ParamsSHA256 != alone(t, cfg, nil) || seen[*m.ID] {
				t.Errorf("run %s of seed %d: %v, %+v", *m.ID, m.Seed, err, info)
			}
			seen[*m.ID] = true
			if was := before.Cells[c].Runs[k]; was.Counts && !reflect.DeepEqual(was, m) {
				t.Errorf("a run that was over was %+v, and is %+v", was, m)
			}
		}
	}
	if runs := l.runsOf(t, key); runs != 10 {
		t.Errorf("%d runs were begun for 10 places", runs)
	}
}

func (h *house) runsOf(t *testing.T, key string) int {
	t.Helper()
	runs, _, err := h.lab.List(t.Context(), key, store.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	return len(runs)
}

func TestAStoppedSweepBeginsNothingMoreAndCountsNoRunThatWasCut(t *testing.T) {
	l := working(t, nil, 2)
	s, key := l.start(t, planned(t, "p=catch steps=100000000", "1-8"))
	kit.Until(t, "it learns", func() bool { return s.Info().Taken > 1000 })
	if _, err := l.Stop(t.Context(), s.ID, "another key of somebody"); errcode.Of(err) != errcode.NotFound {
		t.Errorf("with another key: %v", err)
	}
	if _, err := l.Stop(t.Context(), s.ID, key); err != nil {
		t.Fatal(err)
	}
	i := swept(t, s)
	cell := i.Cells[0]
	if i.State != store.SweepStopped || cell.N != 0 || cell.Runs[7].ID != nil || cell.Runs[0].State != Cut {
		t.Errorf("%s, %+v", i.State, cell)
	}
	if _, err := l.Stop(t.Context(), s.ID, key); errcode.Of(err) != errcode.Conflict {
		t.Errorf("stopped twice: %v", err)
	}
	run := *cell.Runs[0].ID
	if err := l.Delete(t.Context(), s.ID, key); err != nil {
		t.Fatal(err)
	}
	if _, err := l.lab.Info(t.Context(), run); errcode.Of(err) != errcode.NotFound {
		t.Errorf("a run of a sweep that was deleted: %v", err)
	}
	if _, err := l.Find(t.Context(), s.ID); errcode.Of(err) != errcode.NotFound {
		t.Errorf("a sweep that was deleted: %v", err)
	}
}

func TestASweepThatIsDeletedWhileItRunsLeavesNothing(t *testing.T) {
	l := working(t, nil, 2)
	s, key := l.start(t, planned(t, "p=catch steps=100000000", "1-8"))
	kit.Until(t, "it learns", func() bool { return s.Info().Taken > 1000 })
	if err := l.Delete(t.Context(), s.ID, key); err != nil {
		t.Fatal(err)
	}
	kit.Until(t, "no run is held", func() bool { return l.heldRuns() == 0 })
	if n := l.runsOf(t, key); n != 0 {
		t.Errorf("%d runs are left", n)
	}
}

func TestARunThatIsDeletedIsMissingFromItsSweepAndHoldsNothingUp(t *testing.T) {
	l := working(t, nil, 2)
	s, key := l.start(t, planned(t, "p=catch steps=200000", "1-3"))
	var id string
	kit.Until(t, "it learns", func() bool {
		for id = range l.trainingOf(s.ID) {
			return true
		}
		return false
	})
	if err := l.lab.Delete(t.Context(), id, key); err != nil {
		t.Fatal(err)
	}
	cell, lost := swept(t, s).Cells[0], 0
	for _, m := range cell.Runs {
		if m.State == Lost && m.ID != nil && *m.ID == id && strings.Contains(m.Reason, "deleted") {
			lost++
		}
	}
	if cell.N != 2 || lost != 1 {
		t.Errorf("%+v", cell)
	}
}

func TestASweepIsRefusedBeforeAnythingOfItBegins(t *testing.T) {
	l := newHouse(t, nil, false, Options{}, lab.Options{RunMemory: 40e6})
	for name, try := range map[string]struct {
		spec Spec
		word string
	}{
		"no end": {planned(t, "p=catch steps=0", "1-2"), "need an end"},
		"live":   {planned(t, "p=catch steps=1000 mode=live", "1-2"), "mode=reference"},
		"three keys": {planned(t, "p=catch steps=1000", "1", Axis{"lag", []string{"0"}},
			Axis{"rho", []string{"1"}}, Axis{"c", []string{"1"}}), "one or two"},
		"the seed":       {planned(t, "p=catch steps=1000", "1", Axis{"seed", []string{"0"}}), "belong in seeds"},
		"an unknown key": {planned(t, "p=catch steps=1000", "1", Axis{"rhoo", []string{"0"}}), "did you mean rho"},
		"a bad value":    {planned(t, "p=catch steps=1000", "1", Axis{"rho", []string{"1", "-1"}}), `rho="-1": must be a number`},
		"a value twice":  {planned(t, "p=catch steps=1000", "1", Axis{"rho", []string{"1", "1.0"}}), "the value 1 twice"},
		"one key twice": {planned(t, "p=catch steps=1000", "1", Axis{"rho", []string{"1"}},
			Axis{"rho", []string{"2"}}), "twice"},
		"too many seeds": {planned(t, "p=catch steps=1000", "1-65"), "up to 64"},
		"a cell too big": {planned(t, "p=catch steps=1000", "1", Axis{"hidden", []string{"64", "1024-1024"}}),
			"the cell hidden=1024-1024"},
		"a cell at odds": {planned(t, "p=catch steps=1000 batch=1", "1", Axis{"mix", []string{"0", "0.5"}}),
			"the cell mix=0.5"},
		"a turn of a key": {planned(t, "p=catch steps=1000 t=500:lag=4", "1", Axis{"lag", []string{"0", "2"}}), "would undo"},
		"a late turn":     {planned(t, "p=catch steps=1000 t=5000:lag=4", "1"), "ends at 1000 steps"},
	} {
		_, _, err := l.Start(t.Context(), try.spec, "")
		if errcode.Of(err) != errcode.Refused || !strings.Contains(err.Error(), try.word) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if held := l.heldRuns(); held != 0 {
		t.Errorf("%d runs began", held)
	}
}

func TestAnAddressHasFewSweepsAtATime(t *testing.T) {
	l := working(t, nil, 1)
	for range maxSweepsOf {
		l.start(t, planned(t, "p=catch steps=100000000", "1"))
	}
	spec := planned(t, "p=catch steps=100000000", "1")
	if _, _, err := l.Start(t.Context(), spec, ""); errcode.Of(err) != errcode.Full {
		t.Errorf("a fifth: %v", err)
	}
	spec.Base.Owner.Address = "b"
	l.start(t, spec)
}

func TestASweepWithoutAnEndIsRefused(t *testing.T) {
	l := newHouse(t, nil, false, Options{}, lab.Options{Cores: 1})
	for text, want := range map[string]string{
		"p=catch steps=1000000000000": "the 2 runs would train for about 579 days of one core, and a sweep may take " +
			"30",
		"p=lag-cliff steps=200000000000 hidden=1000-1000": "days of one core",
	} {
		_, _, err := l.Start(t.Context(), planned(t, text, "1-2"), "")
		if errcode.Of(err) != errcode.Refused || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	l.start(t, planned(t, "p=catch steps=50000000000", "1-2"))
}

// Sixteen addresses have all places, and a stranger begins a sweep.
func TestTheNewestSweepOfTheLargestAddressGivesWayToAStranger(t *testing.T) {
	l := newHouse(t, nil, false, Options{}, lab.Options{Cores: 1})
	spec := planned(t, "p=catch steps=100000000", "1")
	var all []*Sweep
	keys := map[string]string{}
	begin := func(address string) *Sweep {
		t.Helper()
		spec.Base.Owner.Address = address
		s, key, err := l.Start(t.Context(), spec, "")
		if err != nil {
			t.Fatalf("%s: %v", address, err)
		}
		keys[s.ID] = key
		return s
	}
	for i := range maxSweeps {
		all = append(all, begin(fmt.Sprint("many ", i/maxSweepsOf)))
		all[i].created = int64(i) // they begin within a millisecond
	}
	for i := range maxSweepsOf - 1 { // then the stranger has as many as the others
		begin("stranger")
		gone := all[maxSweeps-1-maxSweepsOf*i]
		if err := gone.refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if is := gone.Info(); is.State != store.SweepStopped || !strings.Contains(is.Reason, "your address had most") {
			t.Errorf("sweep %d of the stranger: the newest of the largest address is %s, %q", i, is.State, is.Reason)
		}
	}
	running := 0
	for _, s := range l.held {
		if s.Info().State == store.SweepRunning {
			running++
		}
	}
	if running != maxSweeps {
		t.Errorf("%d sweeps are running", running)
	}
	begin("another")
	if _, err := l.Stop(t.Context(), all[0].ID, keys[all[0].ID]); err != nil {
		t.Errorf("an older sweep of an address that had most: %v", err)
	}
}

func TestASweepOfAnAddressWithManyTakesNoPlaceOfAnother(t *testing.T) {
	l := newHouse(t, nil, false, Options{}, lab.Options{Cores: 1})
	spec := planned(t, "p=catch steps=100000000", "1")
	for i := range maxSweeps {
		spec.Base.Owner.Address = fmt.Sprint(i / 2)
		l.start(t, spec)
	}
	spec.Base.Owner.Address = "0"
	_, _, err := l.Start(t.Context(), spec, "")
	if errcode.Of(err) != errcode.Full || !strings.Contains(err.Error(), "no address has more of them than yours") {
		t.Errorf("a third sweep, where each address has two: %v", err)
	}
}

func TestTheBandIsOverTheSeedsThatHaveComeThere(t *testing.T) {
	l := working(t, nil, 2)
	s, _ := l.start(t, planned(t, "p=catch steps=20000", "1-3"))
	swept(t, s)
	c := s.Curves(t.Context(), 0)
	if len(c.Lines) != 3 || len(c.Band) < 40 {
		t.Fatalf("%d lines, %d points of the band", len(c.Lines), len(c.Band))
	}
	for _, line := range c.Lines {
		if len(line.At) != trial.CurvePoints {
			t.Errorf("the line of seed %d has %d points", line.Seed, len(line.At))
		}
	}
	for _, p := range c.Band {
		i := int(math.Round(float64(p.Step)/20000*trial.CurvePoints)) - 1
		values := []float64{float64(c.Lines[0].At[i]), float64(c.Lines[1].At[i]), float64(c.Lines[2].At[i])}
		if want := trial.NewEstimate(values); p.N != 3 || p.Estimate != want || c.Lines[0].Steps[i] != p.Step {
			t.Errorf("at step %d of %v: %+v, not %+v", p.Step, values, p, want)
		}
	}
	// A seed that has not come so far is missing behind where it is, and nowhere before.
	short := []Line{c.Lines[0], c.Lines[1], {3, c.Lines[2].Steps[:100], c.Lines[2].At[:100]}}
	for _, p := range s.band(0, short) {
		if want := 3 - int(2*p.Step/20001); p.N != want {
			t.Errorf("at step %d the band is over %d seeds, not %d", p.Step, p.N, want)
		}
	}
}

func TestASweepThatIsAnsweredToHaveStoppedHas(t *testing.T) {
	l := newHouse(t, nil, false, Options{}, lab.Options{}).work(t)
	s, key := l.start(t, planned(t, "p=catch steps=1000000", "1-4"))
	if _, err := l.Stop(t.Context(), s.ID, key); err != nil {
		t.Fatal(err)
	}
	err := l.store.View(t.Context(), func(tx *store.Tx) error {
		row, err := tx.Sweep(s.ID)
		if row.State != store.SweepStopped {
			t.Errorf("the store has it %s", row.State)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A sweep counts for the address that began it, also after a restart.
func TestASweepCountsForItsAddressAfterARestart(t *testing.T) {
	kept := openStore(t, store.Options{Dir: t.TempDir()})
	salted := lab.Options{Salt: []byte("sixteen bytes of salt")}
	first := newHouse(t, kept, false, Options{}, salted)
	s, _ := first.start(t, planned(t, "p=catch steps=1000000", "1-2"))
	first.leave()
	l := newHouse(t, kept, false, Options{}, salted)
	again, err := l.Find(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	now, _ := l.start(t, planned(t, "p=catch steps=1000000", "1-2"))
	if was := again.Spec.Base.Owner.Address; was == "" || was == "a" || was != now.Spec.Base.Owner.Address {
		t.Errorf("it counts for %q, a new one for %q", was, now.Spec.Base.Owner.Address)
	}
}

// While one sweep waits for a writer of the store, runs and pages of the others do not wait for it.
func TestASweepThatWaitsForTheStoreHoldsNoOtherUp(t *testing.T) {
	h := newHouse(t, nil, false, Options{}, lab.Options{})
	other, _, err := h.Start(t.Context(), planned(t, "p=catch steps=1000", "1"), "")
	if err != nil {
		t.Fatal(err)
	}
	waits := planned(t, "p=catch steps=1000", "2")
	ended := make(chan error, 1)
	err = h.kept.Do(t.Context(), func(*store.Tx) error { // SQLite has one writer
		go func() {
			_, _, err := h.Start(context.Background(), waits, "")
			ended <- err
		}()
		kit.Until(t, "the sweep waits", func() bool { return len(h.starting) == 1 })
		h.trainingOf(other.ID)
		_, err := h.Find(t.Context(), other.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
