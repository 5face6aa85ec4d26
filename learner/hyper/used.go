package hyper

import (
	"math"

	"impalab/envs"
	"impalab/learner/correct"
)

// A setting may have no effect while another has its value: α without the leaky correction. The page says so;
// otherwise a person turns it, sees nothing happen, and doubts the page. Most rows say it themselves; here is what
// several share.

// Of reports whether an algorithm has the setting at all. Whether it changes anything is InForce's to say.
func (r *Row) Of(algo Algo) bool { return r.of == nil || r.of((&Config{Algo: algo}).Algorithm()) }

// InForce reports whether the setting changes anything, given the others. Whether the algorithm has it at all is Of.
func (r *Row) InForce(c *Config) bool { return r.Of(c.Algo) && (r.Used == nil || r.Used(c)) }

func replays(c *Config) bool        { return c.Mix > 0 }
func prioritised(c *Config) bool    { return c.Mix > 0 && c.Sampling == SamplePrioritised }
func byRMSProp(c *Config) bool      { return c.Optimiser == RMSProp }
func byAdam(c *Config) bool         { return c.Optimiser == Adam }
func tunes(c *Config) bool          { return c.Tune != None }
func weighs(c *Config) bool         { return c.Psi == PsiExp }
func boundsGaussian(c *Config) bool { return c.KLBound == On && c.Policy != Softmax }
func correctsData(c *Config) bool   { return !c.Algorithm().OnPolicy }

// correction returns the row of the correction that c names.
func (c *Config) correction() *correct.Correction { return &correct.Corrections[c.Correction] }

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

func cutsByRho(c *Config) bool    { return correcting(c).rho }
func cutsTraces(c *Config) bool   { return correcting(c).trace }
func leaks(c *Config) bool        { return correcting(c).leak }
func decaysTraces(c *Config) bool { return correcting(c).lambda }
func trusts(c *Config) bool       { return correcting(c).trust }

// hasControls reports whether the world leaves a choice of policy: real numbers need controls.
func hasControls(c *Config) bool {
	world, err := envs.Lookup(c.World)
	return err != nil || len(world.Spec.Controls) > 0
}

// tasks returns the number of worlds that c names.
func (c *Config) tasks() int {
	_, tasks, err := envs.Describe(c.World)
	if err != nil {
		return 1 // Validate reports the world
	}
	return len(tasks)
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

// hasImage reports whether the world leaves a choice of torso: convolutions need an image.
func hasImage(c *Config) bool {
	world, err := envs.Lookup(c.World)
	return err != nil || len(world.Spec.Obs) > 1
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

// Truncation returns the clips, leaks and λ as they are set, whatever the correction uses of them.
func Truncation[F correct.Float](c *Config) correct.Truncation[F] {
	return correct.Truncation[F]{
		RhoBar: F(c.RhoBar), CBar: F(c.CBar), RhoBarPG: F(c.PGRhoBar()), Lambda: F(c.Lambda),
		LeakRho: F(c.LeakRho), LeakC: F(c.CLeak()),
	}
}

// Warnings says in sentences which guarantees the settings give up. Such a run makes sense, unlike one that Validate
// refuses: it shows the purpose of the guarantee.
func (c *Config) Warnings() []string {
	algorithm := c.Algorithm()
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
