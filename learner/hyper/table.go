package hyper

import (
	"fmt"
	"math"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/loss"
)

var inf = math.Inf(1)

func oneOf(names ...string) func() []string { return func() []string { return names } }

// Whose settings some are.
var (
	ofSTAC  = []string{"stac", "stacx"}
	ofVMPO  = []string{"vmpo"}
	ofLASER = []string{"laser"}
)

// Table is every setting, in the order in which a person reads them.
var Table = []Row{
	{Key: "world", Words: "World", Group: GroupRun, Choices: worldNames, check: knownWorld, takes: "a world or a suite, see worlds",
		Sentence: "What the agent lives in; a suite is several worlds at once, for one network.", field: func(c *Config) any { return &c.World }},
	{Key: "algo", Words: "Algorithm", Group: GroupRun, Choices: algorithmNames,
		Sentence: "Which paper's agent learns.", field: func(c *Config) any { return &c.Algo }},
	{Key: "seed", Words: "Seed", Group: GroupRun, Max: math.MaxUint32,
		Sentence: "Decides everything that is left to chance; same seed and settings, same bytes.", field: func(c *Config) any { return &c.Seed }},
	{Key: "steps", Words: "Budget", Unit: "steps", Group: GroupRun, Max: 1e12,
		Sentence: "Environment steps after which the run is finished; 0 means until you stop it.", field: func(c *Config) any { return &c.Steps }},
	{Key: "mode", Words: "Mode", Group: GroupRun, Choices: oneOf("reference", "live"),
		Sentence: "Reference runs are deterministic and their lag is exact; live runs let actors race the learner and measure the lag.", field: func(c *Config) any { return &c.Mode }},
	{Key: "speed", Words: "Speed", Unit: "steps/s", Group: GroupRun, Hot: true, Min: 1, Max: inf, SliderMin: 100, SliderMax: 1e6, Scale: Log,
		Sentence: "Environment steps per second the run is held to, so that an eye can follow; it changes no result.", field: func(c *Config) any { return &c.Speed }},

	{Key: "correction", Words: "Correction", Group: GroupMain, Hot: true, Choices: correctionNames,
		Formula:  "v_t = V(x_t) + Σ_s γ^{s−t} (Π c) ρ_s δ_s",
		Sentence: "How targets and gradients make up for data that an older policy collected.", Paper: "IMPALA §4.1 and §5.2.2", field: func(c *Config) any { return &c.Correction }},
	{Key: "lag", Words: "Policy lag", Unit: "updates", Group: GroupMain, Hot: true, Max: 1024, SliderMax: 64, Scale: LogZero,
		Formula:  "μ = π_{θ(k − lag)}",
		Sentence: "Actors act with the parameters of exactly this many updates ago.", Paper: "IMPALA appendix E.1", field: func(c *Config) any { return &c.Lag }},
	{Key: "rho", Symbol: "ρ̄", Words: "Clip of the ratio", Group: GroupMain, Hot: true, Max: inf, SliderMin: 0.1, SliderMax: 10, Scale: Log,
		Formula:  "ρ_t = min(ρ̄, π(a_t|x_t)/μ(a_t|x_t))",
		Sentence: "Decides where the values end: at V of a policy between μ (ρ̄ → 0) and π (ρ̄ → ∞).", Paper: "IMPALA §4.1, eq. 3", field: func(c *Config) any { return &c.RhoBar }},
	{Key: "c", Symbol: "c̄", Words: "Clip of the trace", Group: GroupMain, Hot: true, Max: inf, SliderMax: 4, Scale: LogZero,
		Formula:  "c_t = λ·min(c̄, π(a_t|x_t)/μ(a_t|x_t))",
		Sentence: "Decides how fast the values get there and how noisy the way is, not where they end.", Paper: "IMPALA §4.1", field: func(c *Config) any { return &c.CBar }},
	{Key: "alpha", Symbol: "α", Words: "Leak", Group: GroupMain, Hot: true, Max: 1, SliderMax: 1,
		Formula:  "ρ_t = α·min(ρ̄, IS_t) + (1−α)·IS_t",
		Sentence: "1 clips fully, as V-trace does; 0 does not clip at all. Used by the leaky correction.", Paper: "STAC §3.1, eq. 5", field: func(c *Config) any { return &c.LeakRho }},
	{Key: "mix", Words: "Replay mix", Group: GroupMain, Hot: true, Max: 1, SliderMax: 1,
		Formula:  "B·mix trajectories from the replay, B·(1−mix) fresh",
		Sentence: "Share of each batch drawn from old trajectories, to the nearest whole one but at least one of each kind between 0 and 1; 7/8 is LASER's setting, 1 its failure.", Paper: "LASER §4.1", meaning: replayedOf, field: func(c *Config) any { return &c.Mix }},

	{Key: "rho-pg", Symbol: "ρ̄_pg", Words: "Clip in the policy gradient", Group: GroupTargets, Hot: true, Max: inf, SliderMin: 0.1, SliderMax: 10, Scale: Log, Same: "rho",
		Formula: "weight of ∇log π", Sentence: "A clip of its own for the policy gradient's weight.", Paper: "IMPALA §4.2", field: func(c *Config) any { return &c.RhoBarPG }},
	{Key: "alpha-c", Symbol: "α_c", Words: "Leak of the trace", Group: GroupTargets, Hot: true, Max: 1, SliderMax: 1, Same: "alpha",
		Formula: "c_t = λ(α_c·min(c̄, IS_t) + (1−α_c)·IS_t)", Sentence: "A leak of its own for the trace; sound while α ≤ α_c.", Paper: "STAC §3.1, fig. 5b", field: func(c *Config) any { return &c.LeakC }},
	{Key: "lambda", Symbol: "λ", Words: "Trace decay", Group: GroupTargets, Hot: true, Max: 1, SliderMax: 1,
		Formula: "c_t = λ·min(c̄, IS_t)", Sentence: "Shortens the traces: less variance, more trust in V.", Paper: "IMPALA remark 2", field: func(c *Config) any { return &c.Lambda }},
	{Key: "gamma", Symbol: "γ", Words: "Discount", Group: GroupTargets, Hot: true, Max: 0.9999, SliderMin: 0.8, SliderMax: 0.999,
		Formula: "Σ γ^t r_t", Sentence: "How much a reward one step later is worth.", Paper: "IMPALA §3", field: func(c *Config) any { return &c.Gamma }},
	{Key: "trust", Symbol: "b", Words: "Trust region", Unit: "nats", Group: GroupTargets, Hot: true, Open: true, Max: inf, SliderMin: 0.001, SliderMax: 10, Scale: Log,
		Formula: "use step t only while KL(π‖π̃_μ) < b", Sentence: "Steps whose behaviour is further away than this are left out. Used by the trust-region correction.", Paper: "LASER §4.3", field: func(c *Config) any { return &c.TrustKL }},
	{Key: "relevance", Words: "Trust measure", Group: GroupTargets, Hot: true, Choices: oneOf("implied", "behaviour"),
		Formula: "KL(π‖π̃_μ) or KL(π‖μ)", Sentence: "Distance to the implied policy (LASER §4.3) or to the behaviour itself (Algorithm 1).", Paper: "LASER §4.3, Algorithm 1", field: func(c *Config) any { return &c.Relevance }},
	{Key: "advantage", Words: "Advantage", Group: GroupTargets, Hot: true, Choices: oneOf("vtrace", "bootstrap", "laser"),
		Formula: "r + γv′ − V, r + γV′ − V, or v − V", Sentence: "What the policy gradient multiplies.", Paper: "IMPALA §4.2 and appendix E.3; LASER Algorithm 1", field: func(c *Config) any { return &c.Advantage }},
	{Key: "lr", Words: "Learning rate", Group: GroupLearning, Hot: true, Max: 10, SliderMin: 1e-5, SliderMax: 0.1, Scale: Log,
		Formula: "θ ← θ − lr·g/√(ν+ε)", Sentence: "Size of a step; it belongs to the choice of sum or mean.", Paper: "IMPALA table G.1", field: func(c *Config) any { return &c.LearningRate }},
	{Key: "anneal", Words: "Anneal", Group: GroupLearning, Choices: oneOf("constant", "linear"),
		Sentence: "Keep the learning rate, or take it linearly to 0 at the end of the budget.", Paper: "IMPALA table G.1", field: func(c *Config) any { return &c.Anneal }},
	{Key: "entropy", Symbol: "g_e", Words: "Entropy bonus", Group: GroupLearning, Hot: true, Max: 10, SliderMin: 1e-4, SliderMax: 0.3, Scale: Log,
		Formula: "+ g_e Σ π log π", Sentence: "Pays the policy for staying undecided.", Paper: "IMPALA §4.2", field: func(c *Config) any { return &c.Entropy }},
	{Key: "value-cost", Symbol: "g_v", Words: "Value cost", Group: GroupLearning, Hot: true, Max: 100, SliderMin: 0.01, SliderMax: 4, Scale: Log,
		Formula: "g_v (v_t − V)²", Sentence: "Weight of the value loss against the policy's; IMPALA's 0.5 of a halved square is 0.25 here.", Paper: "IMPALA table D.3", field: func(c *Config) any { return &c.ValueCost }},
	{Key: "policy-cost", Symbol: "g_p", Words: "Policy cost", Group: GroupLearning, Hot: true, Max: 100, SliderMin: 0, SliderMax: 2,
		Formula: "−g_p ρ_t A_t log π", Sentence: "Weight of the policy gradient; 0 learns values only.", Paper: "STAC §3", field: func(c *Config) any { return &c.PolicyCost }},
	{Key: "clip", Words: "Gradient norm", Group: GroupLearning, Hot: true, Open: true, Max: inf, SliderMin: 0.1, SliderMax: 100, Scale: Log,
		Formula: "g ← g·min(1, clip/‖g‖)", Sentence: "Longer gradients are shortened to this length.", Paper: "IMPALA table D.3", field: func(c *Config) any { return &c.Clip }},

	{Key: "unroll", Symbol: "n", Words: "Unroll", Unit: "steps", Group: GroupLearning, Min: 1, Max: 1024, SliderMin: 1, SliderMax: 128, Scale: Log,
		Sentence: "Steps in one trajectory.", Paper: "IMPALA §3", field: func(c *Config) any { return &c.UnrollLen }},
	{Key: "batch", Symbol: "B", Words: "Batch", Unit: "trajectories", Group: GroupLearning, Min: 1, Max: 1024, SliderMin: 1, SliderMax: 128, Scale: Log,
		Sentence: "Trajectories in one update.", Paper: "IMPALA table D.3", field: func(c *Config) any { return &c.BatchSize }},
	{Key: "reduce", Words: "Losses are", Group: GroupLearning, Choices: oneOf("mean", "sum"),
		Sentence: "Averaged or summed over batch and time; the papers sum.", Paper: "IMPALA table D.1", field: func(c *Config) any { return &c.Reduce }},
	{Key: "optimiser", Words: "Optimiser", Group: GroupLearning, Choices: oneOf("rmsprop", "adam"),
		Sentence: "RMSProp with ε inside the root, as TensorFlow 1 has it, or Adam.", Paper: "IMPALA table G.1", field: func(c *Config) any { return &c.Optimiser }},
	{Key: "opt-eps", Symbol: "ε", Words: "Optimiser ε", Group: GroupLearning, Hot: true, Open: true, Max: 10, SliderMin: 1e-8, SliderMax: 1, Scale: Log,
		Sentence: "Keeps the division finite and damps the first steps.", Paper: "IMPALA table G.1", field: func(c *Config) any { return &c.OptEps }},
	{Key: "opt-decay", Words: "Mean square decay", Group: GroupLearning, Max: 0.99999, SliderMin: 0.8, SliderMax: 0.999,
		Sentence: "Memory of RMSProp's mean square.", Paper: "IMPALA table G.1", field: func(c *Config) any { return &c.OptDecay }},
	{Key: "opt-start", Words: "Mean square start", Group: GroupLearning, Max: 1, SliderMax: 1,
		Sentence: "TensorFlow 1 starts at 1; from 0 learns better at small scale.", Paper: "IMPALA table G.1", field: func(c *Config) any { return &c.OptStart }},
	{Key: "momentum", Words: "Momentum", Group: GroupLearning, Max: 0.999, SliderMax: 0.99,
		Sentence: "RMSProp's momentum.", Paper: "IMPALA table G.1", field: func(c *Config) any { return &c.Momentum }},
	{Key: "beta1", Symbol: "β₁", Words: "Adam β₁", Group: GroupLearning, Max: 0.9999, SliderMax: 0.99,
		Sentence: "Memory of Adam's first moment.", Paper: "Kingma & Ba 2015", field: func(c *Config) any { return &c.Beta1 }},
	{Key: "beta2", Symbol: "β₂", Words: "Adam β₂", Group: GroupLearning, Max: 0.99999, SliderMin: 0.8, SliderMax: 0.9999,
		Sentence: "Memory of Adam's second moment.", Paper: "Kingma & Ba 2015", field: func(c *Config) any { return &c.Beta2 }},
	{Key: "reward", Words: "Reward transform", Group: GroupTargets, Choices: rewardNames,
		Sentence: "None, clipped to [−1, 1], or IMPALA's optimistic form.", Paper: "IMPALA fig. D.1", field: func(c *Config) any { return &c.Reward }},
	{Key: "reward-scale", Words: "Reward scale", Group: GroupTargets, Open: true, Max: 1000, SliderMin: 0.01, SliderMax: 10, Scale: Log,
		Sentence: "The learner sees rewards times this; returns are reported unscaled.", field: func(c *Config) any { return &c.RewardScale }},
	{Key: "policy", Words: "Policy", Group: GroupNetwork, Choices: oneOf("softmax", "gaussian", "tanh"),
		Formula:  "π = softmax(z), N(μ, σ), or tanh of a draw from N(μ, σ)",
		Sentence: "What the policy's numbers mean: a choice among named actions, or real numbers for a world's controls, cut to their range by the world or squashed into it by tanh.",
		Paper:    "V-MPO appendix C; STAC §4.2 and §9.2", field: func(c *Config) any { return &c.Policy }},
	{Key: "torso", Words: "Torso", Group: GroupNetwork, Choices: oneOf("flat", "shallow", "deep"),
		Sentence: "What looks at an image before the hidden layers: nothing, IMPALA's shallow convolutions (one 3×3 of 16 channels on a board), or its residual network.", Paper: "IMPALA fig. 3", field: func(c *Config) any { return &c.Torso }},
	{Key: "hidden", Words: "Hidden layers", Group: GroupNetwork, takes: "widths like 64-64, or none",
		check:    func(s string) error { _, err := ParseWidths("hidden", s); return err },
		Sentence: "Widths of the shared hidden layers, like 64-64; none is a table.", field: func(c *Config) any { return &c.Hidden }},
	{Key: "activation", Words: "Activation", Group: GroupNetwork, Choices: oneOf("tanh", "relu"),
		Sentence: "The hidden layers' nonlinearity.", field: func(c *Config) any { return &c.Activation }},
	{Key: "feedback", Words: "Last action and reward", Group: GroupNetwork, Choices: oneOf("off", "on"),
		Sentence: "Whether the network is shown what it did and what that paid.", Paper: "IMPALA fig. 3", field: func(c *Config) any { return &c.Feedback }},
	{Key: "lstm", Words: "LSTM", Unit: "units", Group: GroupNetwork, Max: 1024, SliderMax: 256,
		Sentence: "Units of a recurrent core above the torso, which remembers within an episode; 0 is none.", Paper: "IMPALA fig. 3", field: func(c *Config) any { return &c.LSTM }},
	{Key: "torsos", Words: "Torso for", Group: GroupNetwork, Choices: oneOf("shared", "separate"),
		Sentence: "Policy and value on one torso and core, or each on its own.", Paper: "V-MPO §5", field: func(c *Config) any { return &c.Torsos }},
	{Key: "popart", Words: "PopArt", Group: GroupNetwork, Choices: oneOf("off", "on"),
		Formula:  "V = σ·n + m",
		Sentence: "Keeps the value head's targets at unit scale, whatever the rewards, without moving what it says. Statistics move before the loss is taken; advantages are divided by σ too, as PopArt-IMPALA has it where V-MPO does not say.", Paper: "V-MPO §4.1; Hessel et al. 2018", field: func(c *Config) any { return &c.PopArt }},
	{Key: "head-hidden", Words: "Hidden layers of the heads", Group: GroupNetwork, takes: "widths like 256, or none",
		check:    func(s string) error { _, err := ParseWidths("head-hidden", s); return err },
		Sentence: "Widths of the hidden layers that every policy and every value has to itself, STACX's auxiliary ones too; none makes them linear. The papers have 256.", Paper: "STAC §3.2 and table 2; V-MPO appendix F", field: func(c *Config) any { return &c.HeadHidden }},
	{Key: "head-scale", Words: "Policy head at start", Group: GroupNetwork, Max: 1, SliderMin: 0.001, SliderMax: 1, Scale: Log,
		Sentence: "Small starts nearly uniform.", field: func(c *Config) any { return &c.HeadScale }},
	{Key: "init", Words: "Start from", Group: GroupNetwork, Choices: oneOf("random", "soft-optimal"),
		Formula:  "π = softmax(Q*/0.05)",
		Sentence: "Random weights, or on a finite world the soft optimal policy, to watch values alone.", field: func(c *Config) any { return &c.Init }},
	{Key: "behave", Words: "Actors follow", Group: GroupActors, Choices: oneOf("policy", "uniform"),
		Sentence: "The lagged policy, or uniform choice whatever the learner does.", field: func(c *Config) any { return &c.Behave }},
	{Key: "replay-size", Words: "Replay holds", Unit: "steps", Group: GroupReplay, Min: 1, Max: 5e6, SliderMin: 1000, SliderMax: 1e6, Scale: Log,
		Sentence: "Environment steps in the store; the oldest trajectory leaves first.", Paper: "LASER §5", field: func(c *Config) any { return &c.ReplaySize }},
	{Key: "recall", Words: "State of replayed unrolls", Group: GroupReplay, Choices: oneOf("stored", "rebuild", "burn-in"),
		Sentence: "What an LSTM remembers when it meets an old trajectory: what it did then, what it would by now (played again from the episode's start), or what burn-in steps from nothing leave.", Paper: "LASER appendix A.2", field: func(c *Config) any { return &c.Recall }},
	{Key: "burn-in", Words: "Burn-in", Unit: "steps", Group: GroupReplay, Max: 1024, SliderMax: 100,
		Sentence: "Steps before an old trajectory that only warm the recurrent state up; used with recall=burn-in.", Paper: "LASER appendix A.2", field: func(c *Config) any { return &c.BurnIn }},
	{Key: "actors", Words: "Actors", Group: GroupActors, Min: 1, Max: 64, SliderMin: 1, SliderMax: 16,
		Sentence: "How many actors race the learner in live mode, or play side by side when copies play whole trajectories.", Paper: "IMPALA §3", field: func(c *Config) any { return &c.Actors }},

	{Key: "tune", Symbol: "η", Words: "Tunes itself", Group: GroupSTAC, algos: ofSTAC, takes: "all, none, or names like gamma-lambda joined by hyphens, of " + strings.Join(metaNames[:], ", "),
		check:    func(s string) error { _, err := ParseTune(s); return err },
		Formula:  "γ, λ, α = σ(η); g = σ(η)·g of the outer loss",
		Sentence: "Which hyperparameters STAC tunes while it learns; alphac gives α_c a life of its own.", Paper: "STAC §3 and fig. 2b", field: func(c *Config) any { return &c.Tune }},
	{Key: "meta-lr", Words: "Metalearning rate", Group: GroupSTAC, algos: ofSTAC, Hot: true, Max: 1, SliderMin: 1e-5, SliderMax: 0.1, Scale: Log,
		Formula: "η ← Adam(η, dL_outer(θ'(η))/dη)", Sentence: "How fast STAC's hyperparameters tune themselves.", Paper: "STAC table 3", field: func(c *Config) any { return &c.MetaRate }},
	{Key: "meta-init", Words: "Metaparameters at start", Group: GroupSTAC, algos: ofSTAC, Min: -20, Max: 20, SliderMin: -5, SliderMax: 10,
		Formula: "σ(4.6) = 0.99", Sentence: "Where every metaparameter starts, before the sigmoid.", Paper: "STAC §3", field: func(c *Config) any { return &c.MetaInit }},
	{Key: "outer-kl", Symbol: "g_kl", Words: "Outer KL cost", Group: GroupSTAC, algos: ofSTAC, Hot: true, Max: 100, SliderMax: 10,
		Formula: "+ g_kl·KL(π_θ'‖π_θ)", Sentence: "Keeps STAC from tuning its hyperparameters into steps that change the policy too much.", Paper: "STAC §3 and table 3", field: func(c *Config) any { return &c.OuterKL }},
	{Key: "heads", Words: "Heads", Group: GroupSTAC, algos: []string{"stacx"}, Min: 1, Max: 8, SliderMin: 1, SliderMax: 8,
		Sentence: "Policies and values that STACX has on one network; the first acts, the rest are tuned to help it.", Paper: "STAC §3.2", field: func(c *Config) any { return &c.Heads }},
	{Key: "eps-eta", Symbol: "ε_η", Words: "Bound of the weights", Unit: "nats", Group: GroupVMPO, algos: ofVMPO, Hot: true, Open: true, Max: 100, SliderMin: 0.001, SliderMax: 2, Scale: Log,
		Formula: "KL(ψ‖uniform) ≤ ε_η", Sentence: "How far the weights of the better samples may be from equal; η follows it. Used by V-MPO.", Paper: "V-MPO eq. 13", field: func(c *Config) any { return &c.EpsTemperature }},
	{Key: "eps-alpha", Symbol: "ε_α", Words: "Bound of the policy", Unit: "nats", Group: GroupVMPO, algos: ofVMPO, Hot: true, Open: true, Max: 100, SliderMin: 1e-4, SliderMax: 1, Scale: Log,
		Formula: "KL(π_T‖π) ≤ ε_α", Sentence: "How far the learner may move from the target network before that is copied anew; α follows it. Used by V-MPO.", Paper: "V-MPO eq. 14", field: func(c *Config) any { return &c.EpsKL }},
	{Key: "eps-mean", Symbol: "ε_μ", Words: "Bound of the mean", Unit: "nats", Group: GroupVMPO, algos: ofVMPO, Hot: true, Open: true, Max: 100, SliderMin: 1e-4, SliderMax: 1, Scale: Log,
		Formula: "½·(μ−μ_T)ᵀ Σ_T⁻¹ (μ−μ_T) ≤ ε_μ", Sentence: "How far a Gaussian policy's mean may move from the target network's, in ε_α's place; α_μ follows it. Used by V-MPO.", Paper: "V-MPO eq. 24, table 7", field: func(c *Config) any { return &c.EpsMean }},
	{Key: "eps-sigma", Symbol: "ε_Σ", Words: "Bound of the spread", Unit: "nats", Group: GroupVMPO, algos: ofVMPO, Hot: true, Open: true, Max: 100, SliderMin: 1e-6, SliderMax: 0.1, Scale: Log,
		Formula: "½·(tr Σ⁻¹Σ_T − d + log |Σ|/|Σ_T|) ≤ ε_Σ", Sentence: "How far its spread may move; much less than the mean, so that it does not collapse before it has looked around. Used by V-MPO.", Paper: "V-MPO eq. 25, table 7", field: func(c *Config) any { return &c.EpsSigma }},
	{Key: "top", Words: "Share to imitate", Group: GroupVMPO, algos: ofVMPO, Hot: true, Open: true, Max: 1, SliderMin: 0.1, SliderMax: 1,
		Formula: "ψ = 0 outside the top share", Sentence: "The samples with the highest advantages count, this share of a batch; 1 keeps them all. Used by V-MPO.", Paper: "V-MPO §4.2.1, fig. 9", field: func(c *Config) any { return &c.TopShare }},
	{Key: "target-every", Symbol: "T", Words: "Target copied every", Unit: "updates", Group: GroupVMPO, algos: ofVMPO, Hot: true, Min: 1, Max: 1e5, SliderMin: 1, SliderMax: 1000, Scale: Log,
		Formula: "π_T ← π every T updates", Sentence: "Actors follow a target network that becomes the learner's this often. Used by V-MPO.", Paper: "V-MPO algorithm 1", field: func(c *Config) any { return &c.TargetEvery }},
	{Key: "psi", Symbol: "ψ", Words: "Weights", Group: GroupVMPO, algos: ofVMPO, Hot: true, Choices: oneOf("exp", "uniform"),
		Formula: "ψ ∝ exp(A/η) or ψ = 1/n", Sentence: "By advantage, or all of the top share alike. Used by V-MPO.", Paper: "V-MPO eq. 12, fig. 8", field: func(c *Config) any { return &c.Psi }},
	{Key: "kl", Words: "Policy bound", Group: GroupVMPO, algos: ofVMPO, Hot: true, Choices: oneOf("on", "off"),
		Formula: "+ α·KL(π_T‖π)", Sentence: "Off lets the policy move as far as the weights pull it. Used by V-MPO.", Paper: "V-MPO eq. 14, fig. 5", field: func(c *Config) any { return &c.KLBound }},
	{Key: "eta-mean", Words: "Mean in the loss of η", Group: GroupVMPO, algos: ofVMPO, Hot: true, Choices: oneOf("weights", "count"),
		Formula: "log(Σ w·exp(A/η)/Σ w) or log(Σ w·exp(A/η)/n)", Sentence: "Over the importance weights, or over the count as the paper prints it, which lets η run away from very old data. Used by V-MPO.", Paper: "V-MPO eq. 33", field: func(c *Config) any { return &c.EtaMean }},
	{Key: "dual-lr", Words: "Learning rate of η and α", Group: GroupVMPO, algos: ofVMPO, Hot: true, Max: 10, SliderMin: 1e-4, SliderMax: 1, Scale: Log,
		Formula: "η, α ← Adam", Sentence: "How fast the two multipliers follow their bounds. Used by V-MPO.", Paper: "V-MPO §4.3", field: func(c *Config) any { return &c.DualRate }},
	{Key: "sampling", Words: "Replay draws", Group: GroupReplay, algos: ofLASER, Choices: oneOf("uniform", "prioritised"),
		Sentence: "Every old trajectory equally often, or more often those that surprised most; for the LASER algorithm.", Paper: "LASER §5.2 and appendix A.2", field: func(c *Config) any { return &c.Sampling }},
	{Key: "priority", Symbol: "α_p", Words: "Strength of priorities", Group: GroupReplay, algos: ofLASER, Max: 2, SliderMax: 1,
		Formula: "P ∝ p^α, p = mean |v_t − V_t|", Sentence: "0 draws uniformly, 1 in proportion to the surprise of the last visit.", Paper: "LASER appendix A.2", field: func(c *Config) any { return &c.Priority }},
	{Key: "priority-beta", Symbol: "β_p", Words: "Correction of priorities", Group: GroupReplay, algos: ofLASER, Max: 1, SliderMax: 1,
		Formula: "w = (n·P)^−β", Sentence: "What is drawn more often counts for less; 1 makes up for it in full. No weight is clipped: the uniform share keeps each below ε^−β.", Paper: "LASER appendix A.2", field: func(c *Config) any { return &c.PriorityBeta }},
	{Key: "priority-uniform", Symbol: "ε_p", Words: "Uniform share of draws", Group: GroupReplay, algos: ofLASER, Max: 1, SliderMax: 1,
		Formula: "P = (1−ε)·p^α/Σp^α + ε/n", Sentence: "Draws made without looking at priorities, so that none grows too old.", Paper: "LASER appendix A.2", field: func(c *Config) any { return &c.PriorityUniform }},
	{Key: "sharers", Words: "Agents that share the replay", Group: GroupReplay, Max: 15, SliderMax: 15,
		Sentence: "Other agents that add to this one's replay and draw from it; steps and returns count this one alone.", Paper: "LASER §4.2 and fig. 3", field: func(c *Config) any { return &c.Sharers }},
	{Key: "sharing", Words: "They are", Group: GroupReplay, Choices: oneOf("sweep", "same", "random", "contrary"),
		Formula:  "sweep: lr × {½, 1, 2}, entropy × {½, 1, 2}",
		Sentence: "Learners with other learning rates and entropy costs, learners that differ in the seed alone, actors that choose at random, or learners whose reward is negated.", Paper: "LASER §5.1 and fig. 3", field: func(c *Config) any { return &c.Sharing }},
	{Key: "learners", Words: "Learners", Group: GroupActors, Min: 1, Max: 16, SliderMin: 1, SliderMax: 16,
		Formula:  "g = Σ g_i / n",
		Sentence: "Replicas of the network that each take a share of the batch and step together with the mean of their gradients; the result is one learner's.", Paper: "IMPALA §3, fig. 1", field: func(c *Config) any { return &c.Learners }},
	{Key: "inference", Words: "Actors ask", Group: GroupActors, Choices: oneOf("own", "batched"),
		Sentence: "Each live actor its own copy of the policy, renewed before every unroll, or all of them one that answers whoever is waiting with a single forward pass.", Paper: "IMPALA §5.1", field: func(c *Config) any { return &c.Inference }},
	{Key: "collect", Words: "Copies play", Group: GroupActors, Choices: oneOf("step", "trajectory"),
		Sentence: "In a reference run: all together step by step on one forward pass, or as many actors as are set side by side, each its whole trajectories; the learner waits for all either way.", Paper: "IMPALA fig. 2 and table 1", field: func(c *Config) any { return &c.Collect }},
}

// replayedOf says how many trajectories of a batch are old.
func replayedOf(c *Config) string {
	if c.Mix == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", c.Replayed(), c.BatchSize)
}

func worldNames() []string {
	worlds := names(envs.Table, func(e envs.Entry) string { return e.Spec.Name })
	return append(worlds, names(envs.Suites, func(s envs.Suite) string { return s.Name })...)
}

func correctionNames() []string {
	return names(correct.Corrections, func(c correct.Correction) string { return c.Name })
}

func rewardNames() []string { return names(loss.Rewards, func(r loss.Reward) string { return r.Name }) }

func drivenWorlds() (out []string) {
	for _, e := range envs.Table {
		if len(e.Spec.Controls) > 0 {
			out = append(out, e.Spec.Name)
		}
	}
	return out
}

func names[T any](table []T, name func(T) string) []string {
	out := make([]string, len(table))
	for i := range table {
		out[i] = name(table[i])
	}
	return out
}

// knownWorld takes every name that envs does, options and suites included.
func knownWorld(name string) error {
	if _, _, err := envs.Describe(name); err != nil {
		return fmt.Errorf("world=%.64q: %w", name, err)
	}
	return nil
}
