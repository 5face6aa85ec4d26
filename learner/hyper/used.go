package hyper

import (
	"math"

	"impalab/envs"
	"impalab/learner/correct"
)

// A setting may have no effect while another has its value: α without the leaky correction. The page says so.
// Otherwise a person moves its slider, sees no change, and doubts the page.

// Of reports whether an algorithm has the setting at all.
func (r *Row) Of(algo Algo) bool { return r.of == nil || r.of(&Config{Algo: algo}) }

// Offered reports whether a page shows the setting unasked: the algorithm has it. A number of one form of the weight
// must have an effect too, because the numbers of all forms together would hide the others.
func (r *Row) Offered(c *Config) bool { return r.Of(c.Algo) && (r.Group != Forms || r.InForce(c)) }

// InForce reports whether the algorithm has the setting, and the setting has an effect beside the others.
func (r *Row) InForce(c *Config) bool { return r.Of(c.Algo) && (r.Used == nil || r.Used(c)) }

// correction returns the row of the correction that c names.
func (c *Config) correction() *correct.Correction { return &correct.Corrections[c.Correction] }

// uses reports whether the correction is method's and the algorithm corrects at all.
func (c *Config) uses(method correct.Method) bool {
	return c.Correction == method && !c.Algorithm().OnPolicy
}

// masks reports whether steps too far from π are left out: the trust-region correction does, and LASER under any.
func (c *Config) masks() bool { return c.correction().TrustRegion || c.Algorithm().Masks }

// corrects is which parts of a correction are at work.
type corrects struct{ rho, trace, leak, lambda, trust bool }

// correcting returns the parts that the correction uses. An algorithm that tunes itself has leaky V-trace in its inner
// loss, whatever the outer correction.
func correcting(c *Config) corrects {
	algorithm := c.Algorithm()
	if algorithm.OnPolicy { // plain returns, weights of 1
		return corrects{}
	}
	now := *c.correction()
	if algorithm.TunesItself {
		now.NStep, now.Leak = false, correct.LeakSetting
	}
	rho, trace := now.Cuts()
	return corrects{
		rho:   rho || algorithm.Masks && c.Relevance == correct.RelevanceImplied,
		trace: trace, leak: now.Leak == correct.LeakSetting, lambda: !now.NStep,
		trust: now.TrustRegion || algorithm.Masks,
	}
}

// longest returns the steps of a store that surely holds an episode from its start to its end: the longest episode of
// every copy of the world that adds to the store. It is 0 if the world has no time limit.
func (c *Config) longest() int {
	world, _, err := envs.Describe(c.World)
	if err != nil || world.Limit == 0 {
		return 0
	}
	fresh := max(1, c.UnrollLen-c.Overlap)
	unrolls := (world.Limit+fresh-1)/fresh + 1
	return unrolls * c.UnrollLen * c.Fresh() * (1 + c.Sharers)
}

// single reports whether a world has a property; a suite always does.
func single(c *Config, has func(*envs.Spec) bool) bool {
	world, err := envs.Lookup(c.World)
	return err != nil || has(world.Spec)
}

// showsImage reports whether an observation of the world, or of the suite, is an image.
func showsImage(c *Config) bool {
	world, _, err := envs.Describe(c.World)
	return err != nil || len(world.Obs) > 1
}

// InForce returns the truncation that the configured correction applies.
func InForce[F correct.Float](c *Config) correct.Truncation[F] {
	return correct.InForce(c.correction(), Truncation[F](c))
}

// Limits returns the numbers of the weights of 2025 and later, whatever the correction uses of them.
func (c *Config) Limits() correct.Limits {
	return correct.Limits{
		Floor: c.Floor, Ceiling: c.Ceiling, ClipLow: c.ClipLow, ClipHigh: c.ClipHigh, Half: c.Taper,
		TaperLow: c.TaperLow, TaperHigh: c.TaperHigh, Shift: c.Shift,
		Moment: c.Moment, MomentOf: c.MomentOf, Centre: c.Centre, Level: c.Level, Lift: c.Lift,
	}
}

// Truncation returns the clips, leaks and λ as they are set, whatever the correction uses of them.
func Truncation[F correct.Float](c *Config) correct.Truncation[F] {
	return correct.Truncation[F]{
		RhoBar: F(c.RhoBar), CBar: F(c.CBar), RhoBarPG: F(c.PGRhoBar()), Lambda: F(c.Lambda),
		LeakRho: F(c.LeakRho), LeakC: F(c.CLeak()),
	}
}

// Unwritten reports whether the correction is the person's own and its program is the one to begin from. Such a run
// makes sense: the Lab shows this program to be edited, and links leave it out like every value of a preset.
func (c *Config) Unwritten() bool { return c.uses(correct.MethodOwn) && c.Program == base.Program }

// Warnings says in sentences which guarantees the settings give up. Such a run makes sense, unlike one that Validate
// refuses: it shows the purpose of the guarantee.
func (c *Config) Warnings() []string {
	algorithm := c.Algorithm()
	if c.Unwritten() {
		return []string{"correction=own has the program that everybody begins from, which weighs like one-step with " +
			"ρ̄ = 1; write your own as program=def weight(ratio, adv, pi, mu, age): return …"}
	}
	if c.correction().NStep || algorithm.OnPolicy {
		return nil // no ratio is in its targets
	}
	warnings := InForce[float64](c).Unsound()
	if c.Replayed() == c.BatchSize && !algorithm.Imitates && !math.IsInf(c.RhoBar, 1) &&
		(!c.masks() || math.IsInf(c.TrustKL, 1)) {
		warnings = append(warnings, "mix = 1 learns from old data alone: V-trace's gradient may then point to the wrong "+
			"action (LASER proposition 2); a share of fresh data keeps it right (proposition 3)")
	}
	return warnings
}
