package hyper

// actorRows are the settings of actors and parallel learners.
var actorRows = inGroup(GroupActors, []Row{
	{
		Key:      "behave",
		Words:    "Actors follow",
		Choices:  oneOf("policy", "uniform"),
		Sentence: "Actors follow the lagged policy, or choose uniformly whatever the learner does.",
		field:    func(c *Config) any { return &c.Behave },
	},
	{
		Key:       "actors",
		Words:     "Actors",
		Min:       1,
		Max:       64,
		SliderMin: 1,
		SliderMax: 16,
		Sentence: "Actors that race the learner in live mode, or play side by side when copies play whole " +
			"trajectories.",
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
		Sentence: "Live actors each have a copy of the policy, renewed before every unroll, or share one that " +
			"answers all waiting actors with a single forward pass.",
		Paper: "IMPALA §5.1",
		field: func(c *Config) any { return &c.Inference },
	},
	{
		Key:     "collect",
		Words:   "Copies play",
		Choices: oneOf("step", "trajectory"),
		Sentence: "In a reference run, all copies step together on one forward pass, or several actors play whole " +
			"trajectories side by side. The learner waits for all of them either way.",
		Paper: "IMPALA fig. 2 and table 1",
		field: func(c *Config) any { return &c.Collect },
	},
})
