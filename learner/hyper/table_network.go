package hyper

import (
	"strings"
)

// networkRows are the settings of the network.
var networkRows = inGroup(GroupNetwork, nil, []Row{
	{
		Key:     "policy",
		Words:   "Policy",
		Choices: oneOf(Softmax, Gaussian, Squashed),
		Formula: "π = softmax(z), N(μ, σ), or tanh of a draw from N(μ, σ)",
		Sentence: "Whether the policy chooses among named actions, or draws real numbers for the world's controls, " +
			"which the world clips to their range or tanh squashes into it.",
		Paper: "V-MPO appendix C; STAC §4.2 and §9.3",
		Used:  hasControls,
		rules: []rule{
			{
				when: hasNoControls,
				refuse: "${policy} with ${world}: its actions are names, not numbers; set policy=softmax or choose a world with " +
					"controls (" + strings.Join(drivenWorlds(), ", ") + ")",
			},
			{
				when: func(c *Config) bool { return c.Policy != Softmax && c.correction().LogEpsilon > 0 },
				refuse: "${correction} with ${policy}: ε is added to a probability, and a Gaussian has densities, " +
					"which can be of any size; set another correction or policy=softmax",
			},
			{
				when: func(c *Config) bool { return c.Policy != Softmax && c.Behave == BehaveUniform },
				refuse: "${behave} with ${policy}: a uniform choice of numbers is no Gaussian, and its ratios " +
					"would mean nothing; set behave=policy or policy=softmax",
			},
		},
	},
	{
		Key:     "torso",
		Words:   "Torso",
		Choices: oneOf(FlatTorso, ShallowTorso, DeepTorso),
		Sentence: "The layers between an image and the hidden layers: none, IMPALA's shallow convolutions (one 3×3 " +
			"of 16 channels on a board), or its residual network.",
		Paper: "IMPALA fig. 3",
		Used:  hasImage,
	},
	{
		Key:      "hidden",
		Words:    "Hidden layers",
		takes:    "widths like 64-64, or none",
		check:    func(s string) error { _, err := ParseWidths("hidden", s); return err },
		Sentence: "Widths of the shared hidden layers, like 64-64; none is a table.",
	},
	{
		Key:      "activation",
		Words:    "Activation",
		Choices:  oneOf(Tanh, ReLU),
		Sentence: "The hidden layers' nonlinearity.",
		Used:     func(c *Config) bool { return c.Hidden != None || c.HeadHidden != None || c.Torso == ShallowTorso },
		words:    map[string]string{"relu": "ReLU"},
	},
	{
		Key:      "feedback",
		Words:    "Last action and reward",
		Choices:  oneOf(Off, On),
		Sentence: "Whether the network sees its last action and reward.",
		Paper:    "IMPALA fig. 3",
	},
	{
		Key:      "lstm",
		Words:    "LSTM",
		Unit:     "units",
		Range:    from(0, 1024),
		Slider:   Slider{0, 256, Linear},
		Sentence: "Units of a recurrent core above the torso, which remembers within an episode; 0 is none.",
		Paper:    "IMPALA fig. 3",
		rules: []rule{{
			when:   func(c *Config) bool { return c.LSTM > 0 && c.TrXL > 0 },
			refuse: "${lstm} with ${trxl}: a network has one core; set lstm=0 or trxl=0",
		}},
	},
	{
		Key:    "trxl",
		Words:  "Transformer-XL",
		Unit:   "units",
		Range:  from(0, 512),
		Slider: Slider{0, 256, Linear},
		Sentence: "Units of each layer of a gated Transformer-XL above the torso, which looks back at the last steps " +
			"of its episode; 0 is none.",
		Paper: "V-MPO §5.1; Dai et al. 2019; Parisotto et al. 2019",
		rules: []rule{
			{
				when: func(c *Config) bool { return c.TrXL > 0 && c.Algorithm().TunesItself },
				refuse: "${trxl} with ${algo}: a metagradient needs the directional derivative of attention, which is not " +
					"known here; set lstm in its place, or another algorithm",
			},
			{
				when: func(c *Config) bool { return c.TrXL%max(1, c.CoreHeads) != 0 },
				refuse: "${core-heads} with ${trxl}: the heads share the units equally; set a number of heads that divides the " +
					"units",
			},
			{
				when: func(c *Config) bool { return c.TrXL*c.CoreLayers*c.CoreMemory > 130000 },
				refuse: "${core-memory} with ${trxl} ${core-layers}: a memory holds at most 130000 numbers; set a shorter " +
					"memory or a narrower core",
			},
		},
	},
	{
		Key:      "core-layers",
		Words:    "Layers of the core",
		Range:    from(1, 8),
		Slider:   Slider{1, 8, Linear},
		Sentence: "Layers of LSTM or of the Transformer-XL, one above the other. V-MPO has 8 of the latter.",
		Paper:    "V-MPO table 6",
		Used:     (*Config).HasCore,
	},
	{
		Key:      "core-heads",
		Words:    "Heads of attention",
		Range:    from(1, 16),
		Slider:   Slider{1, 16, Linear},
		Sentence: "Heads of the Transformer-XL, which share its units equally. V-MPO has 8 of 32 units.",
		Paper:    "V-MPO table 6",
		Used:     func(c *Config) bool { return c.TrXL > 0 },
	},
	{
		Key:      "core-memory",
		Words:    "Memory of attention",
		Unit:     "steps",
		Range:    from(1, 512),
		Slider:   Slider{1, 512, Log},
		Sentence: "Steps of its episode that each layer of the Transformer-XL sees besides the present step.",
		Paper:    "Dai et al. 2019 §3.2",
		Used:     func(c *Config) bool { return c.TrXL > 0 },
	},
	{
		Key:     "memory",
		Words:   "The core remembers",
		Choices: oneOf(MemoryEpisode, MemoryUnroll),
		Sentence: "The whole episode, or only the present unroll: the control that shows what memory between unrolls is " +
			"worth. Acting, learning and evaluation forget after the same number of steps.",
		Paper: "V-MPO §5.1; Dai et al. 2019 §3.2",
		Used:  (*Config).HasCore,
		words: map[string]string{"episode": "its episode", "unroll": "its unroll"},
		rules: []rule{
			{
				when: func(c *Config) bool { return c.Memory == MemoryUnroll && c.Overlap > 0 },
				refuse: "${memory} with ${overlap}: a repeated step would begin with another memory than when it was played; " +
					"set overlap=0 or memory=episode",
			},
			{
				when: func(c *Config) bool { return c.Memory == MemoryUnroll && c.Recall != RecallStored },
				refuse: "${memory} with ${recall}: an unroll begins with an empty memory, so there is none to bring back; set " +
					"recall=stored or memory=episode",
			},
		},
	},
	{
		Key:      "torsos",
		Words:    "Torso for",
		Choices:  oneOf(Shared, Separate),
		Sentence: "Policy and value on one torso and core, or each on its own.",
		Paper:    "V-MPO §4.3",
	},
	{
		Key:     "popart",
		Words:   "PopArt",
		Choices: oneOf(Off, On),
		Formula: "V = σ·n + m",
		Sentence: "Keeps the value head's targets at unit scale, whatever the rewards, without moving what " +
			"it says. Statistics move before the loss is taken; advantages are divided by σ too, as " +
			"PopArt-IMPALA has it where V-MPO does not say. V-MPO has PopArt throughout; two of its " +
			"three presets here do without.",
		Paper: "V-MPO §4.1; Hessel et al. 2018",
	},
	{
		Key:     "pixel-control",
		Words:   "Pixel control",
		Range:   from(0, 10),
		Slider:  Slider{1e-4, 0.1, Log},
		Formula: "+ cost·Σ_c (R^c − Q^c(x, a))²",
		Sentence: "Weight of an auxiliary task: to predict how much each action changes each cell of the observation. " +
			"It shapes the torso; nothing acts by it. 0 is none. V-MPO has 0.002.",
		Paper: "UNREAL §3.1 (Jaderberg et al. 2017); LASER §5.1; V-MPO table 5",
		Used:  showsImage,
		rules: []rule{
			{
				when: func(c *Config) bool { return c.PixelControl > 0 && !showsImage(c) },
				refuse: "${pixel-control} with ${world}: its observation is not an image and has no cells; set " +
					"pixel-control=0 or choose a room or a grid game",
			},
			{
				when: func(c *Config) bool { return c.PixelControl > 0 && c.Policy != Softmax },
				refuse: "${pixel-control} with ${policy}: it has a value for each named action; set pixel-control=0 or " +
					"policy=softmax",
			},
			{
				when: func(c *Config) bool { return c.PixelControl > 0 && c.Algorithm().TunesItself },
				refuse: "${pixel-control} with ${algo}: its outer loss knows no auxiliary task but its own heads; set " +
					"pixel-control=0 or another algorithm",
			},
		},
	},
	{
		Key:      "pixel-cell",
		Words:    "Cells of pixel control",
		Unit:     "pixels",
		Range:    from(1, 64),
		Slider:   Slider{1, 16, Linear},
		Sentence: "Side of the squares into which pixel control cuts the observation.",
		Paper:    "UNREAL §3.1",
		Used:     func(c *Config) bool { return c.PixelControl > 0 },
	},
	{
		Key:   "head-hidden",
		Words: "Hidden layers of the heads",
		takes: "widths like 256, or none",
		check: func(s string) error { _, err := ParseWidths("head-hidden", s); return err },
		Sentence: "Widths of the hidden layers that every policy and every value has to itself, STACX's " +
			"auxiliary ones too; none makes them linear. The papers have 256.",
		Paper: "STAC §3.2 and table 2; V-MPO appendix F",
	},
	{
		Key:      "head-scale",
		Words:    "Policy head at start",
		Range:    from(0, 1),
		Slider:   Slider{0.001, 1, Log},
		Sentence: "Small starts nearly uniform; V-MPO starts at 0, which is uniform.",
		Paper:    "V-MPO appendix F",
	},
	{
		Key:      "init",
		Words:    "Start from",
		Choices:  oneOf(InitRandom, SoftOptimal),
		Formula:  "π = softmax(Q*/0.05)",
		Sentence: "Random weights, or on a finite world the soft optimal policy, to watch values alone.",
		words:    map[string]string{"soft-optimal": "soft optimal"},
		rules: []rule{{
			when: noTable,
			refuse: "${init} with ${torso} ${hidden} ${lstm} ${trxl} ${feedback} ${torsos} ${head-hidden} " +
				"${pixel-control}: only a table can hold the optimal policy; set torso=flat hidden=none lstm=0 trxl=0 " +
				"feedback=off torsos=shared head-hidden=none pixel-control=0",
		}},
	},
})
