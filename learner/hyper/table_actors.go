package hyper

// actorRows are the settings of actors and parallel learners.
var actorRows = inGroup(GroupActors, []Row{
	{
		Key:      "behave",
		Words:    "Actors follow",
		Choices:  oneOf("policy", "uniform"),
		Sentence: "The lagged policy, or uniform choice whatever the learner does.",
		field:    func(c *Config) any { return &c.Behave },
	},
	{
		Key:       "actors",
		Words:     "Actors",
		Min:       1,
		Max:       64,
		SliderMin: 1,
		SliderMax: 16,
		Sentence: "How many actors race the learner in live mode, or play side by side when copies play " +
			"whole trajectories.",
		Paper: "IMPALA §3",
		field: func(c *Config) any { return &c.Actors },
	},
	{
		Key:       "learners",
		Words:     "Learners",
		Min:       1,
		Max:       16,
		SliderMin: 1,
		SliderMax: 16,
		Formula:   "g = Σ g_i / n",
		Sentence: "Replicas of the network that each take a share of the batch and step together with the " +
			"mean of their gradients; the result is one learner's, but for V-MPO, whose better half and " +
			"weights are of each share.",
		Paper: "IMPALA §3, fig. 1; V-MPO appendix F",
		field: func(c *Config) any { return &c.Learners },
	},
	{
		Key:     "inference",
		Words:   "Actors ask",
		Choices: oneOf("own", "batched"),
		Sentence: "Each live actor its own copy of the policy, renewed before every unroll, or all of them " +
			"one that answers whoever is waiting with a single forward pass.",
		Paper: "IMPALA §5.1",
		field: func(c *Config) any { return &c.Inference },
	},
	{
		Key:     "collect",
		Words:   "Copies play",
		Choices: oneOf("step", "trajectory"),
		Sentence: "In a reference run: all together step by step on one forward pass, or as many actors as " +
			"are set side by side, each its whole trajectories; the learner waits for all either way.",
		Paper: "IMPALA fig. 2 and table 1",
		field: func(c *Config) any { return &c.Collect },
	},
})
