package page

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/chart"
)

// Every correction has a row, and the rows are in the order of their years.
func TestEveryCorrectionHasARow(t *testing.T) {
	rows := map[correct.Method]int{}
	for i, f := range forms {
		rows[f.method]++
		if i > 0 && f.year < forms[i-1].year {
			t.Errorf("%s of %s is below %s of %s", f.name, f.year, forms[i-1].name, forms[i-1].year)
		}
		for _, look := range strings.Fields(f.looks) {
			if !slices.Contains(looksAt, look) {
				t.Errorf("%s looks at %s, for which there is no filter", f.name, look)
			}
		}
		if whole := correct.Corrections[f.method].Levels; whole != (len(f.levels) == 2) {
			t.Errorf("%s has %d levels of whole responses; its ratio may be of one: %v", f.name, len(f.levels), whole)
		}
		for k, l := range f.levels {
			if l.level != correct.Level(k+1) || (l.words == "") != (l.source == "") {
				t.Errorf("%s: level %d is %s with the name %q of %q", f.name, k, l.level, l.words, l.source)
			}
			if l.study != "" && !slices.Contains(labelsOf(t, studied[0].name), l.study+", lag 16") {
				t.Errorf("no study has rows %q of %s", l.study, f.name)
			}
		}
		if f.study != "" && !slices.ContainsFunc(studied, func(s struct{ name, title string }) bool {
			return slices.Contains(labelsOf(t, s.name), f.study+", lag 16")
		}) {
			t.Errorf("no study has rows %q of %s", f.study, f.name)
		}
	}
	for i := range correct.Corrections {
		if n := rows[correct.Method(i)]; n != 1 && correct.Method(i) != correct.MethodOwn {
			t.Errorf("%s has %d rows", correct.Method(i), n)
		}
	}
}

// People look for these names: each leads to one row, and its place can be linked.
func TestANameOfAPaperLeadsToOneRow(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(render(t, Corrections(data()))))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int{}
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "id" {
				ids[a.Val]++
			}
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d places are called %s", n, id)
		}
	}
	for _, want := range []string{"icepop", "gspo", "dapo", "grpo", "tis", "cispo", "decoupled-ppo", "m2po", "dppo",
		"topr", "mis", "ppo", "impala", "score-centring", "band", "one-step"} {
		if ids[want] != 1 {
			t.Errorf("no place is called %s", want)
		}
	}
}

// A curve has the printed weight at every ratio. The formulas here are the papers', written again.
func TestACurveHasThePrintedWeight(t *testing.T) {
	band := func(w, floor, ceiling float64) float64 {
		if w < floor || w > ceiling {
			return 0
		}
		return w
	}
	never := math.Inf(1)
	printed := map[correct.Method][2]func(w float64) float64{ // of good and of bad steps
		correct.MethodNone:    both(func(float64) float64 { return 1 }),
		correct.MethodEpsilon: both(func(float64) float64 { return 1 }),
		correct.MethodClip: {func(w float64) float64 { return band(w, 0, 1.28) },
			func(w float64) float64 { return band(w, .8, never) }},
		correct.MethodOneStep:     both(func(w float64) float64 { return min(w, 2) }),
		correct.MethodVTrace:      both(func(w float64) float64 { return min(w, 1) }),
		correct.MethodIS:          both(func(w float64) float64 { return w }),
		correct.MethodTrustRegion: both(func(w float64) float64 { return min(w, 1) }),
		correct.MethodLeaky:       both(func(w float64) float64 { return .7*min(w, 1) + .3*w }),
		correct.MethodTaper:       {func(float64) float64 { return 1 }, func(w float64) float64 { return min(w, 1) }},
		correct.MethodBand:        both(func(w float64) float64 { return band(w, .5, 5) }),
		correct.MethodShift: {func(w float64) float64 { return band(w, 0, (probeMu+.2)/probeMu) },
			func(w float64) float64 { return band(w, (probeMu-.2)/probeMu, never) }},
		correct.MethodCentred: both(func(float64) float64 { return 1 }),
	}
	for i := range forms {
		f := &forms[i]
		cfg, err := f.settle(nil)
		if err != nil {
			t.Fatal(err)
		}
		w := batches()[slices.Index(batchLags, 4)].weigh(&cfg)
		for sign, good := range []bool{true, false} {
			curve := newProbe(&cfg, w, good).curve()
			if f.method == correct.MethodMoment {
				continue
			}
			for _, at := range curve {
				want := printed[f.method][sign](at.Ratio)
				jump := math.Abs(printed[f.method][sign](at.Ratio*(1-1e-9))-printed[f.method][sign](at.Ratio*(1+1e-9))) > .01
				if math.Abs(at.Weight-want) > 1e-9 && !jump {
					t.Errorf("%s, good %v, ratio %v: %v, want %v", f.name, good, at.Ratio, at.Weight, want)
				}
			}
		}
	}
}

func both(c func(float64) float64) [2]func(float64) float64 { return [2]func(float64) float64{c, c} }

// Moment leaves out one more step where M2PO's algorithm does: the steps of its batch that lead outward keep a mean
// squared log-ratio of at most τ.
func TestMomentDropsWhereItsBatchSays(t *testing.T) {
	f := &forms[slices.IndexFunc(forms, func(f form) bool { return f.method == correct.MethodMoment })]
	cfg, err := f.settle([]hyper.Setting{{Key: "moment", Value: "0.002"}})
	if err != nil {
		t.Fatal(err)
	}
	w := batches()[slices.Index(batchLags, 64)].weigh(&cfg)
	for _, ratio := range []float64{1.02, 1.1, 1.3, 1.6, 3} {
		var squares []float64
		own := math.Pow(math.Log(ratio), 2)
		for i, a := range w.advantage {
			if log := math.Log(w.ratio[i]); a*log > 0 {
				squares = append(squares, log*log)
			}
		}
		squares = append(squares, own)
		slices.Sort(squares)
		sum, limit := 0.0, 0.0
		for k, s := range squares {
			if sum += s; sum <= .002*float64(k+1) {
				limit = s
			}
		}
		want := 0.0
		if own <= limit {
			want = ratio
		}
		if got := newProbe(&cfg, w, true).weight(ratio); got != want {
			t.Errorf("a good step of ratio %v weighs %v, want %v", ratio, got, want)
		}
	}
}

// A grip is on the curve of its sign, at the ratio that its number means.
func TestAGripIsOnItsCurve(t *testing.T) {
	for i := range forms {
		f := &forms[i]
		made, err := f.weighing(nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, g := range f.grips {
			row, err := hyper.Lookup(g.Key)
			if err != nil {
				t.Fatal(err)
			}
			value, _ := row.Parse(made.Values[k])
			x, y := made.Grips[k][0]*chart.WeightWide/100, made.Grips[k][1]
			of := g.at
			if of == 0 {
				of = g.ratio(value)
			}
			if math.Abs(x-chart.WeightX(of)) > .1 {
				t.Errorf("%s, %s: at %v, want %v", f.name, g.Key, x, chart.WeightX(of))
			}
			if g.at != 0 {
				if c := g.ratio(value); math.Abs(y-chart.WeightY(c)) > .1 {
					t.Errorf("%s, %s: %v high, want %v", f.name, g.Key, y, chart.WeightY(c))
				}
			} else if y > chart.WeightY(.1) {
				t.Errorf("%s, %s: it is at the foot of its jump", f.name, g.Key)
			}
		}
	}
}

func TestAWeightThatMakesNoSenseIsRefusedInASentence(t *testing.T) {
	for query, want := range map[string]string{
		"correction=icepop":                 `unknown correction "icepop"`,
		"":                                  "unknown correction",
		"correction=band&floor=9":           "no ratio lies between them",
		"correction=band&floor=-1":          "must be a number from 0",
		"correction=band&floor=much":        "must be a number from 0",
		"correction=band&rho=2":             "this address takes correction, floor, ceiling, ratio",
		"correction=vtrace&ratio=mean":      "this address takes correction, rho",
		"correction=band&ratio=token":       `ratio="token": must be one of step, response, mean`,
		"correction=band&floor=.2&floor=.3": "give it once",
		"correction=shift&shift=" + strings.Repeat("9", 4000): "shift",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if made, err := Weigh(values); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 400 {
			t.Errorf("%.60q: %.60q, %v; want %q", query, made, err, want)
		}
	}
	if made, err := Weigh(url.Values{"correction": {"band"}, "floor": {"0.7"}}); err != nil ||
		!strings.Contains(string(made), `correction=band\u0026floor=0.7`) {
		t.Errorf("%.80q, %v", made, err)
	}
}

// At the level of responses all steps of a stretch have one ratio: the product of theirs, or its root.
func TestALevelIsOfStretches(t *testing.T) {
	const lag = 16
	b := batches()[slices.Index(batchLags, lag)]
	n := len(b.Bootstrap)
	f := &forms[slices.IndexFunc(forms, func(f form) bool { return f.method == correct.MethodBand })]
	step, err := f.settle(nil)
	if err != nil {
		t.Fatal(err)
	}
	ratio := b.weigh(&step).ratio
	for level, name := range correct.LevelNames {
		made := f.mustWeigh(hyper.Setting{Key: levelKey, Value: name})
		fates := made.Fates[slices.Index(batchLags, lag)]
		outside := 0
		for i := range ratio {
			first, last := i, i
			for first >= n && b.Discount[first-n] != 0 {
				first -= n
			}
			for b.Discount[last] != 0 && last+n < len(ratio) {
				last += n
			}
			want, steps := 1., 0
			for k := first; k <= last; k += n {
				want *= ratio[k]
				steps++
			}
			switch correct.Level(level) {
			case correct.LevelStep:
				want = ratio[i]
			case correct.LevelMean:
				want = math.Pow(want, 1/float64(steps))
			}
			if at := b.places[level][i]; math.Abs(at-chart.WeightX(want)) > .06 {
				t.Errorf("%s: step %d is at %v, want %v", name, i, at, chart.WeightX(want))
			}
			if out := want < .5 || want > 5; out != (chart.Fate(fates[i]) == chart.FateOut) {
				t.Errorf("%s: step %d of ratio %v has the fate %c", name, i, want, fates[i])
			} else if out {
				outside++
			}
		}
		t.Logf("%s: %d of %d outside of the band", name, outside, len(ratio))
		if want := level != int(correct.LevelStep); strings.Contains(made.Settings, "ratio=") != want {
			t.Errorf("%s: the link says %s", name, made.Settings)
		}
	}
}

// A row of the table has the printed weights, and the signs of the steps are those of the advantages.
func TestTheTableHasThePrintedWeights(t *testing.T) {
	for id, want := range map[string]string{
		"none": "1 1 1 1 1 1 1 1 1 1 1 1 1 1", "one-step": "0.125 0.25 0.5 1 2 2 2 0.125 0.25 0.5 1 2 2 2",
		"taper": "1 1 1 1 1 1 1 0.125 0.25 0.5 1 1 1 1", "band": "0 0 0.5 1 2 4 0 0 0 0.5 1 2 4 0",
		"shift": "0.125 0.25 0.5 1 0 – – 0 0 0.5 1 2 – –",
	} {
		for _, s := range drawnForms() {
			if s.id() != id {
				continue
			}
			if got := strings.Join(append(slices.Clone(s.marks(0)), s.marks(1)...), " "); got != want {
				t.Errorf("%s: %s, want %s", id, got, want)
			}
			cfg, err := s.settle(nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, b := range batches() {
				for k, a := range b.weigh(&cfg).advantage {
					if (a < 0) != (s.Signs[i][k] == '-') {
						t.Errorf("%s, batch %d: A of step %d is %v, its sign %c", id, i, k, a, s.Signs[i][k])
					}
				}
			}
		}
	}
}

// labelsOf returns the labels of a study's rows.
func labelsOf(t *testing.T, name string) (all []string) {
	t.Helper()
	s, err := trial.LookupStudy(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Variants {
		all = append(all, s.Variants[i].Label)
	}
	return all
}
