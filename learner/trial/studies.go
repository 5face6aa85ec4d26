package trial

// poor is what "Poor hyperparameters" makes of the preset: each factor was chosen before anything was measured.
const (
	poorGamma   = "gamma=0.9"
	poorEntropy = "entropy=0.03"
	poorValue   = "value-cost=1.25"
	poorAll     = poorGamma + " " + poorEntropy + " " + poorValue
)

// Studies is every comparison that `impalab reproduce` knows, in the order of RESULTS.md.
var Studies = []Study{
	{
		Name: "learns-cartpole", Title: "Every algorithm balances the pole",
		Claim:  "Each algorithm reaches a mean return of 475 of 500 within 250 000 steps.",
		Preset: "cartpole", Budget: "250000",
		Variants: []Variant{
			{Label: "IMPALA"},
			{Label: "LASER, 7/8 replay", Settings: "preset=laser"},
			{Label: "V-MPO", Settings: "preset=vmpo"},
			{Label: "STAC", Settings: "preset=stac"},
			{Label: "STACX", Settings: "preset=stacx"},
			{Label: "A2C", Settings: "preset=a2c"},
		},
	},
	{
		Name: "learns-catch", Title: "Every algorithm catches the ball",
		Claim:  "Each algorithm reaches a mean return of 0.95 of 1 within 60 000 steps.",
		Preset: "catch", Budget: "60000", Seeds: "2001-2016",
		Variants: []Variant{
			{Label: "IMPALA"},
			{Label: "LASER, 7/8 replay", Settings: "preset=laser-catch"},
			{Label: "V-MPO", Settings: "preset=vmpo-catch"},
			{Label: "STAC", Settings: "preset=stac-catch"},
			{Label: "STACX", Settings: "preset=stacx-catch"},
		},
	},
	{
		Name: "learns-pendulum", Title: "Gaussian policies swing the pendulum up",
		Claim:  "V-MPO and IMPALA with Gaussian policies reach a mean return of −250 within 1 000 000 steps.",
		Preset: "vmpo-pendulum", Budget: "1000000",
		Variants: []Variant{
			{Label: "V-MPO"},
			{Label: "IMPALA", Settings: "preset=impala-pendulum"},
		},
	},
	{
		Name: "grid-games", Title: "The grid games",
		Claim: "IMPALA on the five games of MinAtar. We know no published table of it. We compare with the " +
			"actor-critic of Young and Tian (2019), read off their figure (training return). We also compare " +
			"with a public run of PPO with the same network (greedy, three seeds). Both have the same 5 million " +
			"steps.",
		Preset: "breakout", Budget: "5000000", Episodes: 100,
		Beside: []string{"actor-critic", "PPO, greedy"},
		Variants: []Variant{
			{Label: "breakout", Beside: []string{"17.5", "25.9"}, Plot: "breakout.svg"},
			{Label: "asterix", Settings: "preset=asterix", Beside: []string{"19", "31.5"}, Plot: "asterix.svg"},
			{Label: "freeway", Settings: "preset=freeway", Beside: []string{"47.5", "61.3"}, Plot: "freeway.svg"},
			{Label: "seaquest", Settings: "preset=seaquest", Beside: []string{"15.5", "24.5"}, Plot: "seaquest.svg"},
			{
				Label: "space invaders", Settings: "preset=space-invaders",
				Beside: []string{"185", "277"}, Plot: "space-invaders.svg",
			},
		},
	},
	{
		Name: "memory", Title: "Memory",
		Claim:  "A T-maze of length 10, the task of Bakker (2002), needs a recurrent core.",
		Preset: "t-maze", Budget: "300000",
		Variants: []Variant{
			{Label: "LSTM"},
			{Label: "LSTM, without feedback", Settings: "feedback=off"},
			{Label: "feed-forward", Settings: "lstm=0"},
		},
	},
	{
		Name: "replay-catch", Title: "Replay saves steps, on Catch",
		Claim:  "A larger share of replay reaches the threshold in fewer environment steps.",
		Quotes: []string{"ratios"}, Verdict: AppearsInPart,
		Preset: "laser-catch", Budget: "80000", Seeds: "2001-2016",
		Variants: []Variant{
			{Label: "no replay", Settings: "mix=0"},
			{Label: "half", Settings: "mix=0.5"},
			{Label: "7/8", Settings: "mix=0.875"},
		},
	},
	{
		Name: "replay-cartpole", Title: "Replay saves steps, on CartPole",
		Claim:  "A larger share of replay reaches the threshold in fewer environment steps.",
		Quotes: []string{"ratios"}, Verdict: Appears,
		Preset: "laser", Budget: "250000",
		Variants: []Variant{
			{Label: "no replay", Settings: "mix=0"},
			{Label: "half", Settings: "mix=0.5"},
			{Label: "7/8", Settings: "mix=0.875"},
		},
	},
	{
		Name: "pure-replay", Title: "Old data alone",
		Claim: "Learning from replay alone is worse than learning from fresh data. A small store, whose data are " +
			"young, repairs it. The paper varies the capacity at 7/8 replay, and not with replay alone.",
		Quotes: []string{"pure-replay", "capacity"}, Verdict: Contradicts,
		Preset: "cartpole", Budget: "250000",
		Variants: []Variant{
			{Label: "no replay", Settings: "mix=0"},
			{Label: "7/8", Settings: "mix=0.875"},
			{Label: "all, 100 000 steps", Settings: "mix=1"},
			{Label: "all, 100 000 steps, trust region", Settings: "mix=1 correction=trust-region trust=0.03"},
			{Label: "all, 5 000 steps", Settings: "mix=1 replay-size=5000"},
			{Label: "all, 1 000 steps", Settings: "mix=1 replay-size=1000"},
		},
	},
	{
		Name: "lag-cliff", Title: "The lag cliff",
		Claim: "With a lag of eight updates the agent falls without a correction and with the ε-correction. " +
			"With V-trace it does not fall.",
		Quotes: []string{"policy-lag"}, Verdict: Appears,
		Preset: "lag-cliff", Budget: "250000",
		Variants: []Variant{
			{Label: "V-trace", Plot: "lag-cliff.svg"},
			{Label: "one-step", Settings: "correction=one-step"},
			{Label: "none", Settings: "correction=none"},
			{Label: "ε-correction", Settings: "correction=epsilon"},
			{Label: "none, no lag", Settings: "correction=none lag=0"},
		},
	},
	{
		Name: "break-and-mend", Title: "Break and mend",
		Claim: "When the lag goes to 64, an agent that balances falls without a correction and does not fall " +
			"with V-trace. V-trace, given at once, gets the fallen agent up again.",
		Preset: "break-and-mend", Budget: "260000", Seeds: "8101-8116",
		Moments: []uint64{80_000, 100_000, 115_000, 150_000, 200_000, 260_000},
		Variants: []Variant{
			{Label: "V-trace", Turns: "80000:lag=64"},
			{Label: "none", Settings: "correction=none", Turns: "80000:lag=64"},
			{Label: "none, V-trace when it is down", Settings: "correction=none", Turns: "80000:lag=64",
				Mend: "correction=vtrace"},
			{Label: "none, lag 0 when it is down", Settings: "correction=none", Turns: "80000:lag=64", Mend: "lag=0"},
			{Label: "none, usual step size, V-trace when it is down", Settings: "correction=none lr=0.003",
				Turns: "80000:lag=64", Mend: "correction=vtrace"},
			{Label: "none, V-trace 35k later", Settings: "correction=none",
				Turns: "80000:lag=64,115000:correction=vtrace"},
			{Label: "none, lag 0 35k later", Settings: "correction=none", Turns: "80000:lag=64,115000:lag=0"},
			{Label: "none, V-trace 100k later", Settings: "correction=none",
				Turns: "80000:lag=64,180000:correction=vtrace"},
		},
	},
	{
		Name: "drag", Title: "How late is late, and when",
		Claim: "Without a correction a small lag does not break the agent and a large one does. V-trace " +
			"bears all of these lags.",
		Preset: "break-and-mend", Budget: "225000", Seeds: "8101-8116",
		Moments: []uint64{20_000, 40_000, 80_000, 160_000, 225_000},
		Variants: []Variant{
			{Label: "none, lag 8 at 80k", Settings: "correction=none", Turns: "80000:lag=8"},
			{Label: "none, lag 16 at 80k", Settings: "correction=none", Turns: "80000:lag=16"},
			{Label: "none, lag 32 at 80k", Settings: "correction=none", Turns: "80000:lag=32"},
			{Label: "none, lag 64 at 20k", Settings: "correction=none", Turns: "20000:lag=64"},
			{Label: "none, lag 64 at 40k", Settings: "correction=none", Turns: "40000:lag=64"},
			{Label: "none, lag 64 at 80k", Settings: "correction=none", Turns: "80000:lag=64"},
			{Label: "none, lag 64 at 160k", Settings: "correction=none", Turns: "160000:lag=64"},
			{Label: "V-trace, lag 64 at 20k", Turns: "20000:lag=64"},
			{Label: "V-trace, lag 64 at 40k", Turns: "40000:lag=64"},
			{Label: "V-trace, lag 64 at 160k", Turns: "160000:lag=64"},
		},
	},
	{
		Name: "falls", Title: "The Lab pauses a run that falls",
		Claim: "The rule that pauses a run reports a fall for at most one run in 32 with V-trace. Without a " +
			"correction it reports every run that rose above a third of its world's range and lost it. On Catch, " +
			"T-maze, Pendulum and Breakout it reports no run that ends within a tenth of its best. The judgement " +
			"reads the whole curve afterwards and shares no code with the rule.",
		Preset: "lag-cliff", Budget: "250000", Seeds: "9101-9132", Falls: true,
		Variants: []Variant{
			{Label: "lag cliff, V-trace"},
			{Label: "break and mend, V-trace", Settings: "preset=break-and-mend", Turns: "80000:lag=64"},
			{Label: "lag cliff, none", Settings: "correction=none"},
			{Label: "break and mend, none", Settings: "preset=break-and-mend correction=none", Turns: "80000:lag=64"},
			{Label: "Catch", Settings: "preset=catch"},
			{Label: "T-maze", Settings: "preset=t-maze"},
			{Label: "Pendulum", Settings: "preset=pendulum"},
			{Label: "Breakout", Settings: "preset=breakout steps=500000"},
		},
	},
	{
		Name: "long-unrolls", Title: "Long unrolls",
		Claim: "Unrolls have 64 steps and are 64 updates old. V-trace with a ρ̄ of 2 or 4 learns better than " +
			"V-trace with 1, one-step correction and no correction.",
		Quotes: []string{"rho-1"}, Verdict: Contradicts,
		Preset: "long-unrolls", Budget: "400000",
		Variants: []Variant{
			{Label: "ρ̄ 1", Settings: "rho=1"},
			{Label: "ρ̄ 2", Settings: "rho=2"},
			{Label: "ρ̄ 4", Settings: "rho=4"},
			{Label: "one-step", Settings: "correction=one-step"},
			{Label: "one-step, ρ̄ 4", Settings: "correction=one-step rho=4"},
			{Label: "none", Settings: "correction=none"},
		},
	},
	{
		Name: "foreign-data", Title: "Foreign data",
		Claim: "An agent with the opposite goal fills the store too. V-trace learns as from its own data; one-step " +
			"correction and no correction do not. One-step correction learns the values of the data.",
		Quotes: []string{"one-step"}, Verdict: AppearsInPart,
		Seeds:  "2001-2016",
		Preset: "foreign-data", Budget: "250000",
		Variants: []Variant{
			{Label: "V-trace"},
			{Label: "V-trace, own data", Settings: "sharers=0"},
			{Label: "one-step", Settings: "correction=one-step"},
			{Label: "one-step, own data", Settings: "correction=one-step sharers=0"},
			{Label: "none", Settings: "correction=none"},
			{Label: "none, own data", Settings: "correction=none sharers=0"},
		},
	},
	{
		Name: "random-sharers", Title: "Shared with random agents",
		Claim: "Three agents that walk at random fill most of the store. The trust region wins back the " +
			"early learning that sharing costs, and a larger ρ̄ does not.",
		Quotes: []string{"sharing", "larger-rho"}, Verdict: AppearsInPart,
		Seeds:  "2001-2016",
		Preset: "random-sharers", Budget: "60000",
		Variants: []Variant{
			{Label: "own data", Settings: "sharers=0"},
			{Label: "shared"},
			{Label: "trust region, b .05", Settings: "correction=trust-region trust=0.05"},
			{Label: "ρ̄ 4", Settings: "rho=4"},
			{Label: "ρ̄ ∞", Settings: "rho=inf"},
		},
	},
	{
		Name: "vmpo-ablations", Title: "V-MPO without its parts",
		Claim: "V-MPO learns worse with uniform weights, without the top half, and without the bound on the " +
			"policy.",
		Quotes: []string{"top-half", "no-bound"}, Verdict: AppearsInPart,
		Preset: "vmpo", Budget: "250000",
		Variants: []Variant{
			{Label: "V-MPO"},
			{Label: "uniform weights", Settings: "psi=uniform"},
			{Label: "no top half", Settings: "top=1"},
			{Label: "no policy bound", Settings: "kl=off"},
		},
	},
	{
		Name: "self-tuning", Title: "Poor hyperparameters",
		Claim: "A discount too short and costs ten times too large hurt STAC less than they hurt IMPALA, and " +
			"less than they hurt STAC without self-tuning.",
		Quotes: []string{"robust"}, Verdict: DoesNotAppear,
		Preset: "stac", Budget: "250000",
		Variants: []Variant{
			{Label: "good, IMPALA", Settings: "algo=impala"},
			{Label: "good, STAC"},
			{Label: "good, STAC frozen", Settings: "meta-lr=0"},
			{Label: "γ .9, IMPALA", Settings: "algo=impala " + poorGamma},
			{Label: "γ .9, STAC", Settings: poorGamma},
			{Label: "γ .9, STAC frozen", Settings: poorGamma + " meta-lr=0"},
			{Label: "entropy ×10, IMPALA", Settings: "algo=impala " + poorEntropy},
			{Label: "entropy ×10, STAC", Settings: poorEntropy},
			{Label: "entropy ×10, STAC frozen", Settings: poorEntropy + " meta-lr=0"},
			{Label: "value cost ×10, IMPALA", Settings: "algo=impala " + poorValue},
			{Label: "value cost ×10, STAC", Settings: poorValue},
			{Label: "value cost ×10, STAC frozen", Settings: poorValue + " meta-lr=0"},
			{Label: "all three, IMPALA", Settings: "algo=impala " + poorAll},
			{Label: "all three, STAC", Settings: poorAll},
			{Label: "all three, STAC frozen", Settings: poorAll + " meta-lr=0"},
			{
				Label: "all three, IMPALA with STAC's start",
				Settings: "algo=impala correction=leaky gamma=0.99 lambda=0.99 alpha=0.99 " +
					"entropy=0.0297 value-cost=1.2375 policy-cost=0.99",
			},
		},
	},
	{
		Name: "self-tuned-discount", Title: "A poor discount, tuned by itself",
		Claim: "STAC starts from an inner γ of 0.9 or 0.5, while the outer γ has the preset's 0.995. It tunes the " +
			"inner γ to the outer one. (σ(2.197) is 0.9, σ(0) is 0.5 and σ(5.293) is 0.995.)",
		Quotes: []string{"discount"}, Verdict: AppearsInPart,
		Preset: "stac", Budget: "250000",
		Variants: []Variant{
			{Label: "from .9, tuned", Settings: "tune=gamma meta-init=2.197"},
			{Label: "from .9, tuned ×10", Settings: "tune=gamma meta-init=2.197 meta-lr=0.01"},
			{Label: "from .9, frozen", Settings: "tune=gamma meta-init=2.197 meta-lr=0"},
			{Label: "from .5, tuned", Settings: "tune=gamma meta-init=0"},
			{Label: "from .5, tuned ×10", Settings: "tune=gamma meta-init=0 meta-lr=0.01"},
			{Label: "from .5, frozen", Settings: "tune=gamma meta-init=0 meta-lr=0"},
			{Label: "from .995, tuned", Settings: "tune=gamma meta-init=5.293"},
			{Label: "from .995, frozen", Settings: "tune=gamma meta-init=5.293 meta-lr=0"},
		},
	},
	{
		Name: "stac-lag", Title: "Self-tuning with old data",
		Claim: "Sixteen updates of lag and a learning rate too large for them: STAC tunes itself to such data, and " +
			"learns better the more metaparameters it tunes.",
		Quotes: []string{"more-tuned"}, Verdict: AppearsInPart,
		Preset: "stac-lag", Budget: "250000",
		Variants: []Variant{
			{Label: "STAC, tuned"},
			{Label: "STAC, policy cost alone tuned", Settings: "tune=policy"},
			{Label: "STAC, all but policy cost tuned", Settings: "tune=gamma-lambda-alpha-value-entropy"},
			{Label: "STAC, frozen", Settings: "meta-lr=0"},
			{Label: "IMPALA", Settings: "algo=impala"},
			{Label: "IMPALA, lr .001", Settings: "algo=impala lr=0.001"},
			{Label: "STAC, frozen, lr .001", Settings: "meta-lr=0 lr=0.001"},
		},
	},
	{
		Name: "priorities-catch", Title: "Prioritised against uniform replay, on Catch",
		Claim:  "Prioritised replay is not better than uniform replay.",
		Quotes: []string{"priorities"}, Verdict: Appears,
		Preset: "laser-catch", Budget: "60000", Seeds: "2001-2016",
		Variants: []Variant{
			{Label: "uniform"},
			{Label: "prioritised", Settings: "sampling=prioritised"},
		},
	},
	{
		Name: "priorities-cartpole", Title: "Prioritised against uniform replay, on CartPole",
		Claim:  "Prioritised replay is not better than uniform replay.",
		Quotes: []string{"priorities"}, Verdict: Appears,
		Preset: "laser", Budget: "200000",
		Variants: []Variant{
			{Label: "uniform"},
			{Label: "prioritised", Settings: "sampling=prioritised"},
		},
	},
	{
		Name: "relevance-catch", Title: "Distance to π̃ or to μ, on Catch",
		Claim:  "LASER's Algorithm 1 prints KL(π‖μ) where its §4.3 has KL(π‖π̃). We train both.",
		Preset: "laser-catch", Budget: "60000", Seeds: "2001-2016",
		Variants: []Variant{
			{Label: "π̃, b .1", Settings: "trust=0.1"},
			{Label: "μ, b .1", Settings: "trust=0.1 relevance=behaviour"},
			{Label: "π̃, b .03", Settings: "trust=0.03"},
			{Label: "μ, b .03", Settings: "trust=0.03 relevance=behaviour"},
			{Label: "no trust region", Settings: "trust=inf"},
		},
	},
	{
		Name: "relevance-cartpole", Title: "Distance to π̃ or to μ, on CartPole",
		Claim:  "LASER's Algorithm 1 prints KL(π‖μ) where its §4.3 has KL(π‖π̃). We train both.",
		Preset: "laser", Budget: "200000",
		Variants: []Variant{
			{Label: "π̃, b .03", Settings: "trust=0.03"},
			{Label: "μ, b .03", Settings: "trust=0.03 relevance=behaviour"},
			{Label: "π̃, b .01", Settings: "trust=0.01"},
			{Label: "μ, b .01", Settings: "trust=0.01 relevance=behaviour"},
			{Label: "no trust region", Settings: "trust=inf"},
		},
	},
	{
		Name: "recall", Title: "State of replayed unrolls",
		Claim: "In a T-maze, replay with stored recurrent states learns worse than replay that rebuilds the states " +
			"by playing the episode again. A burn-in repairs only a part.",
		Quotes: []string{"stale-states", "burn-in"}, Verdict: DoesNotAppear,
		Preset: "t-maze", Budget: "150000",
		Variants: []Variant{
			{Label: "no replay"},
			{Label: "stored", Settings: "mix=0.75"},
			{Label: "rebuilt", Settings: "mix=0.75 recall=rebuild"},
			{Label: "burn-in 5", Settings: "mix=0.75 recall=burn-in burn-in=5"},
		},
	},
	{
		Name: "rooms", Title: "A room",
		Claim: "IMPALA with shallow convolutions on keys and doors, a room of our own that is seen in first " +
			"person.",
		Preset: "rooms-keys-doors", Budget: "600000", Episodes: 100,
		Beside: []string{"uniform policy", "script that knows the map"},
		Variants: []Variant{
			{Label: "keys and doors", Beside: []string{"0.60", "10"}, Plot: "rooms-keys-doors.svg"},
		},
	},
	{
		Name: "six-worlds", Title: "One network for six worlds",
		Claim: "One network learns the suite `tiny`. With PopArt it learns worlds that pay differently, without " +
			"PopArt only the worlds that pay most.",
		Quotes: []string{"popart"}, Verdict: AppearsInPart,
		Preset: "tiny", Budget: "300000", Episodes: 100,
		Variants: []Variant{
			{Label: "a value for each world, PopArt"},
			{Label: "one value for all", Settings: "popart=off"},
		},
	},
	{
		Name: "population", Title: "A population",
		Claim: "Eight members draw the learning rate from 1e-5 to 3e-4, the entropy cost and the optimiser's ε at " +
			"random. Members copy and perturb by the rules of IMPALA's appendix F. They reach a higher return " +
			"than the same eight left alone.",
		Quotes: []string{"population"}, Verdict: AppearsInPart,
		Preset: "cartpole", Budget: "250000", Population: "lr=1e-5..3e-4 entropy opt-eps",
		Variants: []Variant{
			{Label: "with copying and perturbing"},
			{Label: "left alone", Alone: true},
		},
	},
}
