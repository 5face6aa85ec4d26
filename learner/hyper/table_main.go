package hyper

import "impalab/learner/correct"

// mainRows are the six settings always in sight.
var mainRows = inGroup(GroupMain, nil, []Row{
	{
		Key:      "correction",
		Words:    "Correction",
		Hot:      true,
		Choices:  names(correct.Corrections[:], func(c correct.Correction) string { return c.Name }),
		Formula:  "v_t = V(x_t) + Σ_s γ^{s−t} (Π c) ρ_s δ_s",
		Sentence: "How targets and gradients are corrected for data that an older policy collected.",
		Paper:    "IMPALA §4.1 and §5.2.2",
		Used:     correctsData,
		Tone:     "corrected",
		words:    titles(correct.Corrections[:], func(c correct.Correction) (string, string) { return c.Name, c.Title }),
	},
	{
		Key:      "lag",
		Words:    "Policy lag",
		Unit:     "updates",
		Hot:      true,
		Range:    from(0, 1024),
		Slider:   Slider{0, 64, LogZero},
		Formula:  "μ = π_{θ(k − lag)}",
		Sentence: "Actors act with the parameters of exactly this many updates ago.",
		Paper:    "IMPALA appendix E.1",
		Tone:     "age",
		rules: []rule{{
			when:   func(c *Config) bool { return c.Mode == Live && c.Lag > 0 },
			refuse: "${lag} with ${mode}: a live run's lag is measured, not set; use mode=reference or lag=0",
		}},
	},
	{
		Key:      "rho",
		Symbol:   "ρ̄",
		Words:    "Clip of the ratio",
		Hot:      true,
		Range:    from(0, inf),
		Slider:   Slider{0.1, 10, Log},
		Formula:  "ρ_t = min(ρ̄, π(a_t|x_t)/μ(a_t|x_t))",
		Sentence: "Decides where the values converge: to the values of a policy between μ (ρ̄ → 0) and π (ρ̄ → ∞).",
		Paper:    "IMPALA §4.1, eq. 3",
		Used:     cutsByRho,
		Tone:     "corrected",
	},
	{
		Key:      "c",
		Symbol:   "c̄",
		Words:    "Clip of the trace",
		Hot:      true,
		Range:    from(0, inf),
		Slider:   Slider{0, 4, LogZero},
		Formula:  "c_t = λ·min(c̄, π(a_t|x_t)/μ(a_t|x_t))",
		Sentence: "Decides how fast and how noisily the values converge, not where to.",
		Paper:    "IMPALA §4.1",
		Used:     cutsTraces,
		Tone:     "corrected",
	},
	{
		Key:      "alpha",
		Symbol:   "α",
		Words:    "Leak",
		Hot:      true,
		Range:    from(0, 1),
		Slider:   Slider{0, 1, Linear},
		Formula:  "ρ_t = α·min(ρ̄, IS_t) + (1−α)·IS_t",
		Sentence: "1 clips fully, as V-trace does; 0 does not clip at all. Used by the leaky correction.",
		Paper:    "STAC §3.1, eq. 5",
		Used:     leaks,
		Tone:     "corrected",
	},
	{
		Key:     "mix",
		Words:   "Replay mix",
		Hot:     true,
		Range:   from(0, 1),
		Slider:  Slider{0, 1, Linear},
		Formula: "B·mix trajectories from the replay, B·(1−mix) fresh",
		Sentence: "Share of each batch drawn from old trajectories, to the nearest whole one but at least " +
			"one of each kind between 0 and 1; 7/8 is LASER's setting, 1 its failure.",
		Paper:   "LASER §3 and §5.3",
		meaning: replayedOf,
		Tone:    "age",
		rules: []rule{
			{
				when: func(c *Config) bool { return c.Mix > 0 && c.ReplaySize < c.UnrollLen },
				refuse: "${mix} with ${replay-size}: the store cannot hold one unroll of %d steps; raise " +
					"replay-size or set mix=0",
				args: func(c *Config) []any { return []any{c.UnrollLen} },
			},
			{
				when: func(c *Config) bool { return c.BatchSize == 1 && c.Mix > 0 && c.Mix < 1 },
				refuse: "${mix} with ${batch}: one trajectory is either fresh or old; set batch to 2 or more, or " +
					"mix to 0 or 1",
			},
		},
	},
})
