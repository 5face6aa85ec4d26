package hyper

// actorRows are the settings of actors and parallel learners.
var actorRows = inGroup(GroupActors, nil, []Row{
	{
		Key:      "behave",
		Words:    "Actors follow",
		Choices:  oneOf(BehavePolicy, BehaveUniform),
		Sentence: "Actors follow the lagged policy, or choose uniformly whatever the learner does.",
		rules: []rule{{
			when:   func(c *Config) bool { return c.Behave == BehaveUniform && c.Mode == Live },
			refuse: "${behave} with ${mode}: fixed behaviour is exact only in mode=reference",
		}},
	},
	{
		Key:    "actors",
		Words:  "Actors",
		Range:  from(1, 64),
		Slider: Slider{1, 16, Linear},
		Sentence: "Actors that race the learner in live mode, or play side by side when copies play whole " +
			"trajectories.",
		Paper: "IMPALA §3",
		Used:  func(c *Config) bool { return c.Mode == Live || c.Collect == CollectTrajectory },
	},
	{
		Key:     "learners",
		Words:   "Learners",
		Range:   from(1, 16),
		Slider:  Slider{1, 16, Linear},
		Formula: "g = Σ g_i / n",
		Sentence: "Replicas of the network that each take a share of the batch and step together with the " +
			"mean of their gradients; the result is one learner's, but for V-MPO, whose better half and " +
			"weights are of each share.",
		Paper: "IMPALA §3, fig. 1; V-MPO appendix F",
		rules: []rule{
			{
				when: func(c *Config) bool { return c.Learners > 0 && c.BatchSize%c.Learners != 0 },
				refuse: "${learners} with ${batch}: each learner takes an equal share; set batch to a multiple of " +
					"learners",
			},
		},
	},
	{
		Key:     "inference",
		Words:   "Actors ask",
		Choices: oneOf(InferOwn, InferBatched),
		Sentence: "Live actors each have a copy of the policy, renewed before every unroll, or share one that " +
			"answers all waiting actors with a single forward pass.",
		Paper: "IMPALA §5.1",
		Used:  func(c *Config) bool { return c.Mode == Live },
		rules: []rule{{
			when: func(c *Config) bool { return c.Inference == InferBatched && c.Mode != Live },
			refuse: "${inference} with ${mode}: which actors are answered together is left to chance, which " +
				"only mode=live allows; set mode=live or inference=own",
		}},
	},
	{
		Key:     "collect",
		Words:   "Copies play",
		Choices: oneOf(CollectStep, CollectTrajectory),
		Sentence: "In a reference run, all copies step together on one forward pass, or several actors play whole " +
			"trajectories side by side. The learner waits for all of them either way.",
		Paper: "IMPALA fig. 2 and table 1",
		Used:  func(c *Config) bool { return c.Mode == Reference },
		rules: []rule{{
			when: func(c *Config) bool { return c.Collect == CollectTrajectory && c.Mode == Live },
			refuse: "${collect} with ${mode}: live actors never wait for each other; set mode=reference or " +
				"collect=step",
		}},
	},
})
