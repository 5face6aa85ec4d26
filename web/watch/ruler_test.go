package watch

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/web/wire"
)

// However long a part takes, and however often there is time for one, measuring takes its share of a processor and no
// more.
func TestTheRulerTakesAFixedShareOfOneProcessor(t *testing.T) {
	cfg := kit.Config(t, "bandit", "")
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct{ part, pause time.Duration }{
		{50 * time.Microsecond, 16 * time.Millisecond}, {time.Millisecond, 33 * time.Millisecond},
		{300 * time.Millisecond, 100 * time.Millisecond},
	} {
		r, err := newRuler(&cfg, l)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Unix(0, 0)
		now, spent := begin, time.Duration(0)
		reads := 0
		r.from = now
		r.now = func() time.Time { // the first reading of each refresh; every later one ends a part
			if reads++; reads > 1 {
				now = now.Add(c.part)
				spent += c.part
			}
			return now
		}
		p := Policies{Config: cfg}
		p.Target, p.Shift, p.Scale = l.Machine().Theta, []float32{0}, []float32{1}
		for spent < 100*c.part {
			now = now.Add(c.pause)
			reads = 0
			p.Update++ // there is always something new
			if err := r.refresh(&p, func(*wire.Judged) {}); err != nil {
				t.Fatal(err)
			}
		}
		share := spent.Seconds() / now.Sub(begin).Seconds()
		if share > 0.02 || share < 0.01 {
			t.Errorf("parts of %v, a chance every %v: %.4f of the time", c.part, c.pause, share)
		}
		if !r.finished {
			t.Errorf("parts of %v: nothing was ever found", c.part)
		}
	}
}

func TestMeasuredParametersAreNotMeasuredAgain(t *testing.T) {
	r := &ruler{now: time.Now, from: time.Now(), finished: true, spare: rulerSpare, of: measured{update: 3}}
	p := Policies{Update: 3}
	if err := r.refresh(&p, nil); err != nil || r.busy { // it has nothing to measure with, and would panic
		t.Error(err)
	}
}

func TestQuartiles(t *testing.T) {
	var q Quartiles
	for _, c := range []struct {
		in        []float64
		low, high float64
	}{
		{[]float64{3}, 3, 3},
		{[]float64{4, 2, 1, 3, 5}, 2, 4},
		{[]float64{0, 1, 0, 1}, 0, 1},
		{[]float64{10, 0}, 2.5, 7.5},
	} {
		for _, v := range c.in {
			q.add(v)
		}
		if low, high := q.flush(); low != c.low || high != c.high || q.Seen != 0 {
			t.Errorf("%v: %v and %v, want %v and %v", c.in, low, high, c.low, c.high)
		}
	}
	// A sample of many says what all would.
	r := rand.New(rand.NewPCG(1, 2))
	var all []float64
	for range 100_000 {
		v := r.NormFloat64()
		all = append(all, v)
		q.add(v)
	}
	if len(q.Kept) >= quartilesKept {
		t.Errorf("%d are kept", len(q.Kept))
	}
	slices.Sort(all)
	low, high := q.flush()
	if math.Abs(low-all[len(all)/4]) > 0.3 || math.Abs(high-all[3*len(all)/4]) > 0.3 {
		t.Errorf("quartiles %v and %v of a normal distribution", low, high)
	}
}
