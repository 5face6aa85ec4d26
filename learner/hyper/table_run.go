package hyper

// MaxSeed is the largest seed: every whole number up to it is exact in JSON and JavaScript.
const MaxSeed = 1<<53 - 1

// runRows are the settings of the run itself.
var runRows = inGroup(GroupRun, nil, []Row{
	{
		Key:      "world",
		Words:    "World",
		Choices:  worldNames(),
		check:    knownWorld,
		takes:    "a world or a suite, see worlds",
		Sentence: "What the agent lives in; a suite is several worlds at once, for one network.",
		rules: []rule{
			{
				when:   func(c *Config) bool { return c.Init == SoftOptimal && tasksOf(c) > 1 },
				refuse: "${init} with ${world}: a suite is no finite world with one optimal policy; set init=random",
			},
			{
				when: dealtUnevenly,
				refuse: "${batch} and ${mix} with ${world}: %d fresh trajectories cannot be dealt evenly to its %d " +
					"tasks; make batch·(1 − mix) a multiple of %d",
				args: func(c *Config) []any { return []any{c.BatchSize - c.Replayed(), tasksOf(c), tasksOf(c)} },
			},
		},
	},
	{
		Key:      "algo",
		Words:    "Algorithm",
		Choices:  names(Algorithms, func(a Algorithm) string { return string(a.Name) }),
		Sentence: "Which paper's agent learns.",
		words:    titles(Algorithms, func(a Algorithm) (string, string) { return string(a.Name), a.Title }),
	},
	{
		Key:      "seed",
		Words:    "Seed",
		Range:    from(0, MaxSeed),
		Sentence: "Decides every random draw; the same seed and settings give the same bytes.",
	},
	{
		Key:      "steps",
		Words:    "Budget",
		Unit:     "steps",
		Range:    from(0, 1e12),
		Sentence: "Environment steps after which the run is finished; 0 means until you stop it.",
	},
	{
		Key:     "mode",
		Words:   "Mode",
		Choices: oneOf(Reference, Live),
		Sentence: "Reference runs are deterministic and their lag is exact; live runs let actors race the " +
			"learner and measure the lag.",
	},
	{
		Key:     "arithmetic",
		Words:   "Arithmetic",
		Choices: oneOf(AutoArithmetic, Fused, Plain),
		Sentence: "How sums are rounded: fused is the processor's vectors, plain gives a browser's bytes and is slower; " +
			"auto is fused where the machine can.",
	},
	{
		Key:    "speed",
		Words:  "Speed",
		Unit:   "steps/s",
		Hot:    true,
		Range:  from(1, inf),
		Slider: Slider{100, 1e6, Log},
		Sentence: "Environment steps per second that the run is held to, slow enough to watch; it changes no " +
			"result.",
	},
})
