package hyper

// replayRows are the settings of the replay and of the agents that share it.
var replayRows = inGroup(GroupReplay, nil, []Row{
	{
		Key:      "replay-size",
		Words:    "Replay holds",
		Unit:     "steps",
		Range:    from(1, 5e6),
		Slider:   Slider{1000, 1e6, Log},
		Sentence: "Environment steps in the store; the oldest trajectory leaves first.",
		Paper:    "LASER §5.3 and fig. 2",
		Used:     replays,
	},
	{
		Key:     "replay-by",
		Words:   "Replay is of",
		Choices: oneOf(ByUnroll, ByEpisode),
		Sentence: "Each old trajectory is an unroll drawn by itself, or the next steps of an episode that was drawn whole. " +
			"The learner replays the episode from its start and recomputes a core's memory on the way. Until the store " +
			"holds a whole episode, it draws unrolls.",
		Paper: "LASER §5.1, appendices A.2 and B",
		Used:  replays,
		words: map[string]string{"unroll": "unrolls", "episode": "whole episodes"},
		rules: []rule{
			{
				when: func(c *Config) bool { return c.ReplayBy == ByEpisode && c.Recall != RecallStored },
				refuse: "${replay-by} with ${recall}: a replayed episode recomputes its memory from its start; set " +
					"recall=stored or replay-by=unroll",
			},
			{
				when: func(c *Config) bool { return c.ReplayBy == ByEpisode && c.Memory == MemoryUnroll },
				refuse: "${replay-by} with ${memory}: a memory that lasts for an unroll does not come from the episode's start; " +
					"set memory=episode or replay-by=unroll",
			},
			{
				when: func(c *Config) bool { return c.ReplayBy == ByEpisode && c.tasks() > 1 },
				refuse: "${replay-by} with ${world}: one trajectory would hold steps of several tasks; set replay-by=unroll or " +
					"choose a single world",
			},
			{
				when: func(c *Config) bool { return c.ReplayBy == ByEpisode && c.Mix > 0 && c.ReplaySize < c.longest() },
				refuse: "${replay-by} with ${replay-size}: the store may lose the start of an episode before its end, for the " +
					"longest episodes of all copies take %d steps; raise replay-size or set replay-by=unroll",
				args: func(c *Config) []any { return []any{c.longest()} },
			},
		},
	},
	{
		Key:     "recall",
		Words:   "State of replayed unrolls",
		Choices: oneOf(RecallStored, RecallRebuild, RecallBurnIn),
		Sentence: "What a core remembers when it meets an old trajectory: what it did then, what it would " +
			"by now (played again from the episode's start), or what burn-in steps from nothing " +
			"leave. The paper replays whole episodes: replay-by=episode.",
		Paper: "LASER appendix A.2",
		Used:  func(c *Config) bool { return c.Mix > 0 && c.HasCore() && c.ReplayBy == ByUnroll },
		rules: []rule{{
			when: func(c *Config) bool { return c.Recall != RecallStored && !c.HasCore() },
			refuse: "${recall} with ${lstm} ${trxl}: a network without a core has no state to bring back; set lstm, trxl or " +
				"recall=stored",
		}},
	},
	{
		Key:    "burn-in",
		Words:  "Burn-in",
		Unit:   "steps",
		Range:  from(0, 1024),
		Slider: Slider{0, 100, Linear},
		Sentence: "Steps before an old trajectory that only warm the recurrent state up; used with " +
			"recall=burn-in.",
		Paper: "LASER appendix A.2",
		Used:  func(c *Config) bool { return c.Mix > 0 && c.HasCore() && c.Recall == RecallBurnIn },
	},
	{
		Key:     "sampling",
		Words:   "Replay draws",
		of:      isSurprised,
		Choices: oneOf(SampleUniform, SamplePrioritised),
		Sentence: "Every old trajectory equally often, or more often those that surprised most; for the " +
			"LASER algorithm.",
		Paper: "LASER §5.2 and appendix A.2",
		Used:  replays,
		rules: []rule{{
			when: func(c *Config) bool { return c.Sampling == SamplePrioritised && !c.Algorithm().Surprised },
			refuse: "${sampling} with ${algo}: only laser says how much a trajectory surprised it; set " +
				"algo=laser or sampling=uniform",
		}},
	},
	{
		Key:      "priority",
		Symbol:   "α_p",
		Words:    "Strength of priorities",
		of:       isSurprised,
		Range:    from(0, 2),
		Slider:   Slider{0, 1, Linear},
		Formula:  "P ∝ p^α, p = mean |v_t − V_t|",
		Sentence: "0 draws uniformly, 1 in proportion to the surprise of the last visit; LASER has the critic's loss for p.",
		Paper:    "LASER appendix A.2",
		Used:     prioritised,
	},
	{
		Key:     "priority-beta",
		Symbol:  "β_p",
		Words:   "Correction of priorities",
		of:      isSurprised,
		Range:   from(0, 1),
		Slider:  Slider{0, 1, Linear},
		Formula: "w = (n·P)^−β",
		Sentence: "What is drawn more often counts for less; 1 makes up for it in full. No weight is " +
			"clipped: the uniform share keeps each below ε^−β. LASER prints 1/P^β.",
		Paper: "LASER appendix A.2",
		Used:  prioritised,
	},
	{
		Key:      "priority-uniform",
		Symbol:   "ε_p",
		Words:    "Uniform share of draws",
		of:       isSurprised,
		Range:    from(0, 1),
		Slider:   Slider{0, 1, Linear},
		Formula:  "P = (1−ε)·p^α/Σp^α + ε/n",
		Sentence: "Draws made regardless of priority, so that no trajectory goes unvisited for long.",
		Paper:    "LASER appendix A.2",
		Used:     prioritised,
	},
	{
		Key:    "sharers",
		Words:  "Agents that share the replay",
		Range:  from(0, 15),
		Slider: Slider{0, 15, Linear},
		Sentence: "Other agents that add to this one's replay and draw from it; steps and returns count " +
			"this one alone.",
		Paper: "LASER §5.4 and fig. 3",
		Used:  replays,
		rules: []rule{
			{
				when: func(c *Config) bool { return c.Sharers > 0 && c.Sampling == SamplePrioritised },
				refuse: "${sharers} with ${sampling}: what surprises one agent need not surprise another, so a " +
					"shared store has no priorities (LASER §5.2); set sampling=uniform or sharers=0",
			},
			{
				when: func(c *Config) bool { return c.Sharers > 0 && c.Mode == Live },
				refuse: "${sharers} with ${mode}: agents share a replay in lockstep, which only mode=reference " +
					"has; set mode=reference or sharers=0",
			},
		},
	},
	{
		Key:     "sharing",
		Words:   "They are",
		Choices: oneOf(ShareSweep, ShareSame, ShareRandom, ShareContrary),
		Formula: "sweep: lr × {½, 1, 2}, entropy × {½, 1, 2}",
		Sentence: "Learners with other learning rates and entropy costs, learners that differ in the seed " +
			"alone, actors that choose at random, or learners whose reward is negated.",
		Paper: "LASER §5.1 and fig. 3",
		Used:  func(c *Config) bool { return c.Mix > 0 && c.Sharers > 0 },
		rules: []rule{{
			when: func(c *Config) bool { return c.Sharers > 0 && c.Sharing == ShareRandom && c.Policy != Softmax },
			refuse: "${sharing} with ${policy}: a uniform choice of numbers is no Gaussian, and its ratios " +
				"would mean nothing; choose another sharing or policy=softmax",
		}},
	},
})
