package microscope

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/web/chart"
)

// random is an unroll of t steps with ends and cuts in it.
func random(t *testing.T, rng *rand.Rand, steps int) *Unroll {
	t.Helper()
	cfg := kit.Config(t, "lag-cliff", "")
	u := &Unroll{Config: cfg, NamedActions: true, Bootstrap: rng.NormFloat64(), Of: 8, Actor: -1}
	for range steps {
		pi, mu := 0.05+0.9*rng.Float64(), 0.05+0.9*rng.Float64()
		s := Step{
			Act: "left", Reward: rng.NormFloat64(), Value: 3 * rng.NormFloat64(), Pi: pi, Mu: mu, Ratio: pi / mu,
			LogPi: []float64{math.Log(pi), math.Log(1 - pi)}, LogMu: []float64{math.Log(mu), math.Log(1 - mu)},
		}
		switch rng.IntN(8) {
		case 0:
			s.End = envs.Terminated
		case 1:
			s.End, s.Final = envs.Truncated, rng.NormFloat64()
		}
		u.Steps = append(u.Steps, s)
	}
	return u
}

// doubleSum is V + Σ_t γ^{t−s}·(Π_{i<t} c_i)·ρ_t·δ_t as IMPALA prints it, for every kind of ratio cut at its bars.
func doubleSum(u *Unroll, cfg *hyper.Config, s int) float64 {
	cut := func(bar, alpha, is float64) float64 { return alpha*math.Min(bar, is) + (1-alpha)*is }
	alpha := 1.0
	if cfg.Correction == correct.MethodLeaky {
		alpha = cfg.LeakRho
	}
	sum := u.Steps[s].Value
	for t := s; t < len(u.Steps); t++ {
		product := 1.0
		for i := s; i < t; i++ {
			if u.Steps[i].End != envs.Running {
				product = 0
			}
			product *= cfg.Lambda * cut(cfg.CBar, alpha, u.Steps[i].Ratio)
		}
		next := u.Bootstrap
		switch {
		case u.Steps[t].End == envs.Terminated:
			next = 0
		case u.Steps[t].End == envs.Truncated:
			next = u.Steps[t].Final
		case t+1 < len(u.Steps):
			next = u.Steps[t+1].Value
		}
		delta := u.Steps[t].Reward + cfg.Gamma*next - u.Steps[t].Value
		sum += math.Pow(cfg.Gamma, float64(t-s)) * product * cut(cfg.RhoBar, alpha, u.Steps[t].Ratio) * delta
	}
	return sum
}

func TestTargetsAreTheDoubleSumAsPrinted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		s, err := NewScope(random(t, rng, 1+rng.IntN(12)))
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range map[string]float64{"rho": 3 * rng.Float64(), "c": 3 * rng.Float64(), "lambda": rng.Float64(),
			"alpha": rng.Float64(), "gamma": 0.999 * rng.Float64()} {
			if err := s.Set(key, strconv.FormatFloat(value, 'g', -1, 64)); err != nil {
				t.Fatal(err)
			}
		}
		for at := range s.Unroll.Steps {
			want, got := doubleSum(s.Unroll, &s.Config, at), s.Now.Targets.VS[at]
			if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
				t.Fatalf("v of step %d is %v, the double sum is %v", at, got, want)
			}
		}
	}
}

// under returns u, or for a person's own correction u of a run whose function gave every second step its ratio.
func under(u *Unroll, correction string) *Unroll {
	if correction != correct.MethodOwn.String() {
		return u
	}
	own := *u
	own.Config.Correction, own.Steps = correct.MethodOwn, slices.Clone(u.Steps)
	for i := range own.Steps {
		own.Steps[i].Weight = own.Steps[i].Ratio * float64(i%2)
	}
	return &own
}

// Under every correction the parts of all steps sum to the target minus the value.
func TestTermsSumToTheTarget(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		u := random(t, rng, 10)
		for _, c := range correct.Corrections {
			correction := c.Name
			s, err := NewScope(under(u, c.Name))
			if err != nil {
				t.Fatal(err)
			}
			for _, pair := range [][2]string{{"correction", correction}, {"rho", "1.3"}, {"c", "0.8"}, {"lambda", "0.9"},
				{"lift", "0.5"}} {
				if err := s.Set(pair[0], pair[1]); err != nil {
					t.Fatal(err)
				}
			}
			for at := range u.Steps {
				sum := u.Steps[at].Value
				for _, one := range s.Now.Terms(at) {
					sum += one.Adds
				}
				if want := s.Now.Targets.VS[at]; math.Abs(sum-want) > 1e-9*max(1, math.Abs(want)) {
					t.Fatalf("%s: the terms of step %d come to %v, v is %v", correction, at, sum, want)
				}
			}
		}
	}
}

// arithmetic finds the last "= a ± b·c … = d" of a sentence.
var arithmetic = regexp.MustCompile(`= ([^=:a-zA-Zρδγπμλαβ“]+) = ([−0-9.e]+)`)

// The numbers that a sentence puts into its formula give the number that it says comes out.
func TestSentencesAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	checked := 0
	for i := range 50 {
		s, err := NewScope(random(t, rng, 6))
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 {
			if err := s.Set("lift", "0.5"); err != nil {
				t.Fatal(err)
			}
		}
		for at := range s.Unroll.Steps {
			for row := range chart.BackupRows {
				s.Choose(at, row)
				said := s.Explain()
				m := arithmetic.FindStringSubmatch(said)
				if m == nil || strings.Contains(m[1], "…") || strings.Contains(m[1], "min") {
					continue
				}
				got, err := evaluate(m[1])
				if err != nil {
					t.Fatalf("%q: %v", said, err)
				}
				want, _ := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(m[2], "−", "-"), "."), 64)
				if math.Abs(got-want) > 0.01*max(1, math.Abs(want)) {
					t.Errorf("%q: the numbers come to %v", said, got)
				}
				checked++
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d sentences had arithmetic in them", checked)
	}
}

// evaluate reads sums of products with brackets: 38.4 + 1·(−1.56) + 0.99·1·(38.6 − 36.2).
func evaluate(text string) (float64, error) {
	p := &parser{rest: strings.ReplaceAll(strings.ReplaceAll(text, "−", "-"), " ", "")}
	v := p.sum()
	if p.rest != "" {
		return 0, fmt.Errorf("%q is left of %q", p.rest, text)
	}
	return v, nil
}

type parser struct{ rest string }

func (p *parser) take(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *parser) sum() float64 {
	v := p.product()
	for {
		switch {
		case p.take("+"):
			v += p.product()
		case p.take("-"):
			v -= p.product()
		default:
			return v
		}
	}
}

func (p *parser) product() float64 {
	v := p.factor()
	for {
		switch {
		case p.take("·"):
			v *= p.factor()
		case p.take("/"):
			v /= p.factor()
		default:
			return v
		}
	}
}

func (p *parser) factor() float64 {
	if p.take("(") {
		v := p.sum()
		p.take(")")
		return v
	}
	sign := 1.0
	if p.take("-") {
		sign = -1
	}
	n := 0
	for n < len(p.rest) && strings.ContainsRune("0123456789.e", rune(p.rest[n])) {
		n++
	}
	v, _ := strconv.ParseFloat(p.rest[:n], 64)
	p.rest = p.rest[n:]
	return sign * v
}

func TestALeakMakesVTraceLeaky(t *testing.T) {
	s, err := NewScope(random(t, rand.New(rand.NewPCG(7, 8)), 8))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("alpha", "0.5"); err != nil {
		t.Fatal(err)
	}
	if s.Config.Correction != correct.MethodLeaky || s.Now.Clip.LeakRho != 0.5 {
		t.Errorf("α = 0.5 leaves %s with α %v", s.Config.Correction, s.Now.Clip.LeakRho)
	}
	if s.Reset(); len(s.Changed()) != 0 || s.Now != s.Run {
		t.Error("going back to the run's own settings leaves some changed")
	}
}

func TestTheSelectedCellStaysVisible(t *testing.T) {
	s, err := NewScope(random(t, rand.New(rand.NewPCG(9, 10)), 20))
	if err != nil {
		t.Fatal(err)
	}
	s.Show(6)
	for _, step := range []int{0, 19, 7, 25, -3, 12} {
		s.Choose(step, chart.BackupDelta)
		if s.Step < s.From || s.Step >= s.From+s.Sight || s.From < 0 || s.From+s.Sight > 20 {
			t.Errorf("step %d: steps %d to %d are in sight", s.Step, s.From, s.From+s.Sight-1)
		}
	}
	s.Choose(4, chart.BackupReach)
	s.Walk(3, 0)
	if s.Step != 4 || s.Asked != 7 {
		t.Errorf("along the row of Πc the chosen step is %d and the one asked about %d, want 4 and 7", s.Step, s.Asked)
	}
}

// Every width shows the chosen step, and the pointer finds the cell that is drawn there.
func TestThePointerFindsItsCell(t *testing.T) {
	s, err := NewScope(random(t, rand.New(rand.NewPCG(11, 12)), 20))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []float64{340, 640, 960, 1400} {
		s.Show(chart.BackupSight(w))
		s.Choose(9, chart.BackupValue)
		p := chart.PlanBackup(s.Sight, s.Backup().RatioTop, w, 540)
		for row := range chart.BackupRows {
			from, to := p.Y(row)
			step, got, ok := p.At(p.X(9-s.From), (from+to)/2)
			if !ok || got != row || step != 9-s.From {
				t.Errorf("%v wide: the middle of row %d is found as step %d, row %d, %v", w, row, step, got, ok)
			}
		}
		if p.X(s.Sight-1) > w-30 {
			t.Errorf("%v wide: the last step is drawn at %v", w, p.X(s.Sight-1))
		}
		drawn := chart.DrawBackup(s.Backup(), w, 540)
		if strings.Contains(drawn, "NaN") || strings.Contains(drawn, "Inf") {
			t.Errorf("%v wide: the diagram holds what is no number", w)
		}
	}
}

// Under every correction the row of weights has the weights of learner/correct. The sentence says what became of a step
// and why.
func TestEachFormSaysWhatBecameOfAStep(t *testing.T) {
	u := random(t, rand.New(rand.NewPCG(21, 22)), 12)
	said := map[string]string{}
	for _, c := range correct.Corrections {
		s, err := NewScope(under(u, c.Name))
		if err == nil {
			err = s.Set("correction", c.Name)
		}
		if err != nil {
			t.Fatal(err)
		}
		b := s.Backup()
		for at := range u.Steps {
			s.Choose(at, chart.BackupWeight)
			weight := s.Now.Targets.Weight[at]
			if got := b.Steps[at].Weight; got != weight {
				t.Errorf("%s: the diagram weights step %d by %v, the correction by %v", c.Name, at, got, weight)
			}
			fate := "outside the trust region"
			if s.Now.Inside(at) {
				fate = fmt.Sprintf("by %s: %s.", figure(weight), s.Now.Why(&s.Config, at).Fate)
			}
			if words := s.Explain(); !strings.Contains(words, fate) {
				t.Errorf("%s, step %d: %q does not say %q", c.Name, at, words, fate)
			} else {
				said[c.Name] += words
			}
		}
	}
	for form, want := range map[string]string{"one-step": "above ρ̄ = 1", "taper": "tapered. ",
		"clip": "1 + the upper clip = 1.28", "band": "below the floor, 0.5", "moment": "at most τ = 0.04",
		"shift": "δ = 0.2", "centred": "mean slope",
		"own": "your function returned its ratio"} {
		if !strings.Contains(said[form], want) {
			t.Errorf("%s never says %q: %s", form, want, said[form])
		}
	}
}

// A ratio of a stretch is shown as such, and numbers of a whole batch as numbers of one trajectory.
func TestStretchesAndBatchesAreSaid(t *testing.T) {
	s, err := NewScope(random(t, rand.New(rand.NewPCG(23, 24)), 8))
	if err != nil {
		t.Fatal(err)
	}
	set := func(pairs ...string) {
		t.Helper()
		for _, pair := range pairs {
			key, value, _ := strings.Cut(pair, "=")
			if err := s.Set(key, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	set("correction=band", "ratio=mean")
	s.Choose(0, chart.BackupWeight)
	if words := s.Explain(); !strings.Contains(words, "The ratio of its stretch is "+figure(s.Now.Weighed[0])) {
		t.Error(words)
	}
	if words := s.Alone(); words != "" {
		t.Errorf("a band needs no batch: %q", words)
	}
	set("ratio=step", "correction=moment")
	if words := s.Alone(); !strings.Contains(words, "8 trajectories") || !strings.Contains(words, "τ bounds a mean") ||
		strings.Contains(words, "lift") {
		t.Error(words)
	}
	set("correction=vtrace", "lift=0.5")
	if words := s.Alone(); !strings.Contains(words, "β times the mean |A|") || strings.Contains(words, "τ") {
		t.Error(words)
	}
	mean := 0.0
	for _, a := range s.Now.Targets.Advantage {
		mean += math.Abs(a-s.Now.Lift) / 8
	}
	if math.Abs(s.Now.Lift-mean/2) > 1e-9 {
		t.Errorf("the lift is %v, half of the mean |A| is %v", s.Now.Lift, mean/2)
	}
}

// What a run refuses the page refuses, with the run's sentence, and shows the numbers from before.
func TestAPageRefusesWhatARunRefuses(t *testing.T) {
	u := random(t, rand.New(rand.NewPCG(25, 26)), 8)
	for _, c := range []struct{ before, change, want string }{
		{"correction=band", "floor=7", "floor=7 with ceiling=5"},
		{"correction=moment", "ratio=mean", "set ratio=step"},
		{"correction=clip", "clip-low=0", "above 0"},
		{"correction=moment", "moment=-1", "from 0"},
	} {
		s, err := NewScope(u)
		if err != nil {
			t.Fatal(err)
		}
		key, value, _ := strings.Cut(c.before, "=")
		if err := s.Set(key, value); err != nil {
			t.Fatal(err)
		}
		was := s.Now
		key, value, _ = strings.Cut(c.change, "=")
		if err := s.Set(key, value); err == nil || !strings.Contains(err.Error(), c.want) || s.Now != was {
			t.Errorf("%s after %s: %v, want %q and the old numbers", c.change, c.before, err, c.want)
		}
	}
	real := *u
	for _, pair := range []string{"world=pendulum", "policy=gaussian"} {
		key, value, _ := strings.Cut(pair, "=")
		if err := real.Config.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	s, err := NewScope(&real)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("correction", "shift"); err == nil || !strings.Contains(err.Error(), "Gaussian policy has densities") {
		t.Error(err)
	}
}

// The page offers the numbers of the form in force, and no others.
func TestThePageOffersTheNumbersOfTheFormInForce(t *testing.T) {
	s, err := NewScope(random(t, rand.New(rand.NewPCG(27, 28)), 8))
	if err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{"vtrace": "lift", "one-step": "ratio lift",
		"clip": "ratio clip-low clip-high lift", "band": "ratio floor ceiling lift",
		"taper": "ratio taper taper-low taper-high lift",
		"shift": "shift lift", "moment": "moment moment-of lift", "centred": "centre lift"} {
		if err := s.Set("correction", form); err != nil {
			t.Fatal(err)
		}
		var offered []string
		for _, key := range hyper.KeysOf(hyper.Forms) {
			if s.Offered(key) {
				offered = append(offered, key)
			}
		}
		if got := strings.Join(offered, " "); got != want || !s.Offered("rho") {
			t.Errorf("%s: the page offers %q, want %q and ρ̄", form, got, want)
		}
	}
}

// The page names the settings that the correction in force has, and no other; a person drags the bars of the diagram.
func TestTheWordsNameTheSettingsInForce(t *testing.T) {
	s, err := NewScope(random(t, rand.New(rand.NewPCG(6, 2)), 5))
	if err != nil {
		t.Fatal(err)
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	for correction, want := range map[string]string{
		"none": "Change γ and β.", "is": "Change λ, γ and β.",
		"vtrace":   "Drag ρ̄ and c̄, or change λ, α, γ and β.",
		"leaky":    "Drag ρ̄ and c̄, or change λ, α, γ and β.",
		"one-step": "Drag ρ̄, or change γ, “Level of the ratio” and β.",
		"clip":     "Change γ, “Level of the ratio”, ε_low, ε_high and β.",
		"shift":    "Change γ, δ and β.",
		"centred":  "Change γ, “Centred steps” and β.",
	} {
		if err := s.Set("correction", correction); err != nil {
			t.Fatal(err)
		}
		if got := tags.ReplaceAllString(s.Controls(), ""); got != want {
			t.Errorf("%s: %q, want %q", correction, got, want)
		}
	}
}

// Only the learner can call a person's function.
func TestAnOwnCorrectionIsRefusedWhereItsWeightsAreUnknown(t *testing.T) {
	s, err := NewScope(random(t, rand.New(rand.NewPCG(25, 26)), 8))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Set("correction", "own"); err == nil || !strings.Contains(err.Error(), "choose it in the Lab") {
		t.Error(err)
	}
}
