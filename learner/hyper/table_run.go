package hyper

// MaxSeed is the largest seed: every whole number up to it is exact in JSON and JavaScript.
const MaxSeed = 1<<53 - 1

// runRows are the settings of the run itself.
var runRows = inGroup(GroupRun, []Row{
	{
		Key:      "world",
		Words:    "World",
		Choices:  worldNames,
		check:    knownWorld,
		takes:    "a world or a suite, see worlds",
		Sentence: "What the agent lives in; a suite is several worlds at once, for one network.",
		rules: []rule{
			{
				when:   func(c *Config) bool { return c.Init == SoftOptimal && tasksOf(c) > 1 },
				refuse: "{init} with {world}: a suite is no finite world with one optimal policy; set init=random",
			},
			{
				when: dealtUnevenly,
				refuse: "{batch} and {mix} with {world}: %d fresh trajectories cannot be dealt evenly to its %d " +
					"tasks; make batch·(1 − mix) a multiple of %d",
				args: func(c *Config) []any { return []any{c.BatchSize - c.Replayed(), tasksOf(c), tasksOf(c)} },
			},
		},
		field: func(c *Config) any { return &c.World },
	},
	{
		Key:      "algo",
		Words:    "Algorithm",
		Choices:  algorithmNames,
		Sentence: "Which paper's agent learns.",
		words:    algorithmTitles(),
		field:    func(c *Config) any { return (*string)(&c.Algo) },
	},
	{
		Key:      "seed",
		Words:    "Seed",
		Max:      MaxSeed,
		Sentence: "Decides every random draw; the same seed and settings give the same bytes.",
		field:    func(c *Config) any { return &c.Seed },
	},
	{
		Key:      "steps",
		Words:    "Budget",
		Unit:     "steps",
		Max:      1e12,
		Sentence: "Environment steps after which the run is finished; 0 means until you stop it.",
		field:    func(c *Config) any { return &c.Steps },
	},
	{
		Key:     "mode",
		Words:   "Mode",
		Choices: oneOf(Reference, Live),
		Sentence: "Reference runs are deterministic and their lag is exact; live runs let actors race the " +
			"learner and measure the lag.",
		field: func(c *Config) any { return (*string)(&c.Mode) },
	},
	{
		Key:     "arithmetic",
		Words:   "Arithmetic",
		Choices: oneOf(AutoArithmetic, Fused, Plain),
		Sentence: "How sums are rounded: fused is the processor's vectors, plain gives a browser's bytes and is slower; " +
			"auto is fused where the machine can.",
		field: func(c *Config) any { return (*string)(&c.Arithmetic) },
	},
	{
		Key:       "speed",
		Words:     "Speed",
		Unit:      "steps/s",
		Hot:       true,
		Min:       1,
		Max:       inf,
		SliderMin: 100,
		SliderMax: 1e6,
		Scale:     Log,
		Sentence: "Environment steps per second that the run is held to, slow enough to watch; it changes no " +
			"result.",
		field: func(c *Config) any { return &c.Speed },
	},
})
