package hyper

import "math"

// runRows are the settings of the run itself.
var runRows = inGroup(GroupRun, []Row{
	{
		Key:      "world",
		Words:    "World",
		Choices:  worldNames,
		check:    knownWorld,
		takes:    "a world or a suite, see worlds",
		Sentence: "What the agent lives in; a suite is several worlds at once, for one network.",
		field:    func(c *Config) any { return &c.World },
	},
	{
		Key:      "algo",
		Words:    "Algorithm",
		Choices:  algorithmNames,
		Sentence: "Which paper's agent learns.",
		field:    func(c *Config) any { return &c.Algo },
	},
	{
		Key:      "seed",
		Words:    "Seed",
		Max:      math.MaxUint32,
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
		Choices: oneOf("reference", "live"),
		Sentence: "Reference runs are deterministic and their lag is exact; live runs let actors race the " +
			"learner and measure the lag.",
		field: func(c *Config) any { return &c.Mode },
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
