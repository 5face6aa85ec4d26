package page

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"sync"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/number"
)

// The page of the corrections weighs the steps of real batches at eight lags. Update 400 of a run of lag-cliff learned
// from each, and π is of the parameters before this update. The file holds what the learner saw:
//
//	go test ./web/page -run Batches -measure

const (
	batchPreset = "lag-cliff"
	batchUpdate = 400
	batchSeed   = 1
	shownLag    = 16 // before the slider moves
)

// batchLags are the lags of the batches.
var batchLags = []int{0, 1, 2, 4, 8, 16, 32, 64}

// batch is a batch as its update saw it. All is time-major: step t of trajectory b is at t·B + b.
type batch struct {
	Lag       int       `json:"lag"`
	LogPi     []float64 `json:"log_pi"` // [T·B, actions] of the policy that learned
	LogMu     []float64 `json:"log_mu"` // [T·B, actions] of the policy that acted
	Action    []int32   `json:"action"`
	Reward    []float64 `json:"reward"`   // with γ·V of the last state where a time limit cut an episode
	Discount  []float64 `json:"discount"` // 0 where an episode ended
	Value     []float64 `json:"value"`
	Bootstrap []float64 `json:"bootstrap"` // [B] V of the state behind each trajectory

	places [][]float64 // [levels, T·B] of each step on the axis of ratios
}

// batches returns the stored ones, by batchLags.
var batches = sync.OnceValue(func() (all []batch) {
	text, err := correctionFiles.ReadFile("corrections/batches.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	cfg, unknown := hyper.FromPreset(batchPreset)
	if err = cmp.Or(err, unknown); err != nil {
		panic("page: the stored batches cannot be read: " + err.Error())
	}
	cfg.Correction = correct.MethodOneStep
	for i := range all {
		for level := range correct.LevelNames {
			cfg.Level = correct.Level(level)
			var places []float64
			for _, w := range all[i].weigh(&cfg).ratio {
				places = append(places, math.Round(10*chart.WeightX(w))/10)
			}
			all[i].places = append(all[i].places, places)
		}
	}
	return all
})

// weights are the ratio, the advantage and the weight of each step of a batch, as an update computes them.
type weights struct{ ratio, advantage, weight []float64 }

func (b *batch) weigh(cfg *hyper.Config) weights {
	n := len(b.Action)
	actions := len(b.LogPi) / n
	in := &correct.Unroll[float64]{T: n / len(b.Bootstrap), B: len(b.Bootstrap), Reward: b.Reward, Discount: b.Discount,
		Value: b.Value, Bootstrap: b.Bootstrap, Ratio: make([]float64, n), Mask: make([]float64, n),
		Pi: make([]float64, n), Limits: cfg.Limits()}
	correct.RatiosFromLog(in.Ratio, b.LogPi, b.LogMu, b.Action, actions)
	for i, a := range b.Action {
		in.Mask[i], in.Pi[i] = 1, math.Exp(b.LogPi[i*actions+int(a)])
	}
	c := &correct.Corrections[cfg.Correction]
	if c.TrustRegion {
		correct.TrustMask(in.Mask, make([]float64, n), b.LogPi, b.LogMu, actions, cfg.RhoBar, cfg.TrustKL, cfg.Relevance)
	}
	out := correct.NewTargets[float64](in.T, in.B)
	correct.Apply(out, c, in, hyper.InForce[float64](cfg), cfg.Advantage)
	return weights{out.Weighed(c, in), out.Advantage, out.Weight}
}

// probe weighs one more step beside a batch: an update's own arithmetic, on steps that end their episodes.
type probe struct {
	cfg *hyper.Config
	in  correct.Unroll[float64]
	out *correct.Targets[float64]
}

// probeMu is μ of a probed step, for the weights that compare probabilities.
const probeMu = 0.3

// newProbe returns a probe beside the steps of w, with an advantage of this sign.
func newProbe(cfg *hyper.Config, w weights, good bool) *probe {
	a := 1.0
	if !good {
		a = -1
	}
	n := len(w.ratio) + 1
	none := make([]float64, n)
	p := &probe{cfg, correct.Unroll[float64]{T: 1, B: n, Reward: append(w.advantage[:n-1:n-1], a), Discount: none,
		Value: none, Bootstrap: none, Ratio: append(w.ratio[:n-1:n-1], 0), Mask: make([]float64, n), Pi: make([]float64, n),
		Limits: cfg.Limits()}, correct.NewTargets[float64](1, n)}
	for i := range p.in.Mask {
		p.in.Mask[i] = 1
	}
	p.in.Limits.Level = correct.LevelStep // w has its ratios at their level
	return p
}

// weight returns the weight of a step of this ratio.
func (p *probe) weight(ratio float64) float64 {
	last := len(p.in.Ratio) - 1
	p.in.Ratio[last], p.in.Pi[last] = ratio, min(1, ratio*probeMu)
	correct.Apply(p.out, &correct.Corrections[p.cfg.Correction], &p.in, hyper.InForce[float64](p.cfg), p.cfg.Advantage)
	return p.out.Weight[last]
}

// beyond reports whether π(a) of a probed step of this ratio would be above 1, and the weight looks at it.
func (p *probe) beyond(ratio float64) bool {
	c := &correct.Corrections[p.cfg.Correction]
	return c.Form != nil && c.Probabilities && ratio*probeMu > 1
}

// marks returns the weights at the ratios of the axis in words.
func (p *probe) marks() (words []string) {
	for _, t := range ratioTicks() {
		if p.beyond(t.ratio) {
			words = append(words, number.None)
		} else {
			words = append(words, strconv.FormatFloat(p.weight(t.ratio), 'g', 3, 64))
		}
	}
	return words
}

// curve returns the weight from ratio 1/10 to 10, or to the ratio at which π(a) would be 1. It finds a jump to 2^−40 of
// a step of its grid.
func (p *probe) curve() (at []chart.Weighed) {
	const grid = 96
	for k := range grid + 1 {
		w := math.Pow(10, 2*float64(k)/grid-1)
		if p.beyond(w) {
			break
		}
		here := chart.Weighed{Ratio: w, Weight: p.weight(w)}
		if k > 0 {
			if before := at[len(at)-1]; jumps(before, here) {
				low, high := before, here
				for range 40 {
					mid := chart.Weighed{Ratio: math.Sqrt(low.Ratio * high.Ratio)}
					if mid.Weight = p.weight(mid.Ratio); jumps(low, mid) {
						high = mid
					} else {
						low = mid
					}
				}
				at = append(at, low, high)
			}
		}
		at = append(at, here)
	}
	return at
}

// jumps reports whether a weight is 0 on one side alone, which no weight here reaches without a jump.
func jumps(a, b chart.Weighed) bool { return (a.Weight == 0) != (b.Weight == 0) }

// weighing is what a correction makes of the batches: what the page draws, and what it asks for when a number of the
// correction changes. Lists have an entry for each lag, or one that all lags share.
type weighing struct {
	Settings string       `json:"settings"` // of a link, with the correction
	Good     []string     `json:"good"`     // paths of the weight of steps with A > 0
	Bad      []string     `json:"bad"`      // and with A < 0
	Marks    [][]string   `json:"marks"`    // the weights at the ratios of the axis, of steps with A > 0 and then A < 0
	Fates    []string     `json:"fates"`    // of each step of each batch
	Signs    []string     `json:"signs"`    // of each A: + or -
	Grips    [][2]float64 `json:"grips"`    // places of the grips, in percent
	Values   []string     `json:"values"`   // and what their settings are
}

// settle returns the configuration with a form's settings; the error is a sentence for people.
func (f *form) settle(settings []hyper.Setting) (hyper.Config, error) {
	cfg, err := hyper.FromPreset(batchPreset)
	if err != nil {
		return cfg, err
	}
	all := append([]hyper.Setting{{Key: "correction", Value: f.method.String()}}, f.settings...)
	for _, s := range append(all, settings...) {
		if err := cfg.Set(s.Key, s.Value); err != nil {
			return cfg, err
		}
	}
	return cfg, cfg.Validate()
}

// weighing weighs the stored batches by f.
func (f *form) weighing(settings []hyper.Setting) (*weighing, error) {
	cfg, err := f.settle(settings)
	if err != nil {
		return nil, err
	}
	c := &correct.Corrections[f.method]
	out := &weighing{Settings: f.link(&cfg)}
	var fresh weights // of the first batch, whose curves all lags share
	for i, b := range batches() {
		w := b.weigh(&cfg)
		if i == 0 {
			fresh = w
		}
		fates, signs := make([]byte, len(w.ratio)), make([]byte, len(w.ratio))
		for k := range fates {
			if fates[k] = byte(chart.FateOf(w.ratio[k], w.weight[k])); c.Centred {
				fates[k] = byte(chart.FateNone)
			}
			if signs[k] = '+'; w.advantage[k] < 0 {
				signs[k] = '-'
			}
		}
		out.Fates, out.Signs = append(out.Fates, string(fates)), append(out.Signs, string(signs))
		if i > 0 && !c.WholeBatch(&correct.Limits{}) {
			continue
		}
		good, bad := newProbe(&cfg, w, true), newProbe(&cfg, w, false)
		out.Good = append(out.Good, chart.WeightPath(good.curve()))
		out.Bad = append(out.Bad, chart.WeightPath(bad.curve()))
		out.Marks = append(out.Marks, slices.Concat(good.marks(), bad.marks()))
	}
	for _, g := range f.grips {
		row, err := hyper.Lookup(g.Key)
		if err != nil {
			return nil, err
		}
		value, err := row.Parse(cfg.Get(g.Key))
		if err != nil {
			return nil, err
		}
		at := g.at
		if at == 0 {
			at = g.ratio(value)
		}
		inside := at
		if g.beside != 0 {
			inside = at * g.beside
		}
		x, y := chart.WeightX(at), chart.WeightY(newProbe(&cfg, fresh, !g.bad).weight(inside))
		out.Grips = append(out.Grips, [2]float64{100 * x / chart.WeightWide, 100 * y / chart.WeightHigh})
		out.Values = append(out.Values, cfg.Get(g.Key))
	}
	return out, nil
}
