package page

import (
	"impalab/learner/correct"
	"impalab/learner/hyper"
)

// form is a row of the page: a correction with what people call it.
type form struct {
	method   correct.Method
	settings []hyper.Setting // that differ from the preset's, beside the correction
	year     string          // of its first print; "": none printed it
	name     string
	names    []name
	looks    string // what its weight looks at: words of looksAt
	formula  string // of the weight c, where w = π/μ
	says     string // what it costs
	study    string // begin of its rows in the studies; "": no study has it
	levels   []atLevel
	grips    []grip
	calls    []call
}

// name is a name in papers. Its place on the page can be linked.
type name struct{ words, source string }

// atLevel has the published name of a form whose ratio is of a whole response, and the study of it.
type atLevel struct {
	level correct.Level
	name         // without words: no name is published
	study string // begin of its rows in the studies; "": no study has it
	with  string // a number of these rows that differs from the row's own
}

// call is what a framework calls a correction, and where we read it: docs/corrections.md says more.
type call struct{ framework, flag, source string }

// grip is a number that can be dragged in the curve. It is A + B·w, or A + B·c for an upright one.
type grip struct {
	Key, Words string
	A, B       float64
	bad        bool    // it lies on the curve of A < 0
	beside     float64 // the ratio just inside of the jump, as a factor; 0: no jump
	at         float64 // ratio of an upright grip
}

func (g *grip) ratio(value float64) float64 { return (value - g.A) / g.B }

// Upright reports whether it is dragged up and down.
func (g *grip) Upright() bool { return g.at != 0 }

// looksAt are the filters of the page.
var looksAt = []string{"ratio", "sign", "difference", "batch", "policy"}

const (
	inside  = 1 + 1e-9
	outside = 1 - 1e-9
	leakAt  = 3.1622776601683795 // √10: the grip of the leak
)

// forms are the rows, oldest first.
var forms = []form{
	{method: correct.MethodNone, name: "None", names: []name{{"no correction", "IMPALA §5.2.2"}},
		formula: "c = 1", says: "It costs nothing, and nothing bounds its error.", study: "none",
		calls: []call{{"miles", "recomputes the denominator with the present trainer: then c is 1",
			"radixark/miles, issue 1829"}}},
	{method: correct.MethodClip, year: "2017", name: "Clip",
		names: []name{{"PPO", "arXiv:1707.06347, eq. 7"}, {"GRPO", "arXiv:2402.03300, eq. 3"},
			{"DAPO", "arXiv:2503.14476, eq. 10"}, {"GSPO",
				"arXiv:2507.18071, eq. 7; with the mean of a response: ratio=mean"}},
		looks: "ratio sign", formula: "c = w, but 0 if A > 0 and w > 1+ε_high, or A < 0 and w < 1−ε_low",
		says:  "Steps that have gone far enough are silent. The others count with their whole ratio, however large.",
		study: "clip",
		levels: []atLevel{{level: correct.LevelResponse},
			{correct.LevelMean, name{"GSPO", "arXiv:2507.18071, eq. 7"}, "clip of the mean", "ε_high 0.2"}},
		grips: []grip{{Key: "clip-low", Words: "1 − ε_low", A: 1, B: -1, bad: true, beside: inside},
			{Key: "clip-high", Words: "1 + ε_high", A: -1, B: 1, beside: outside}},
		calls: []call{
			{"verl", "loss_mode: vanilla, clip_ratio_low, clip_ratio_high; gspo for the mean",
				"verl/trainer/ppo/core_algos.py@018f23b5"},
			{"AReaL", "eps_clip, eps_clip_higher; importance_sampling_level: sequence for the mean",
				"areal/utils/functional/functional.py@2274616c"},
			{"TRL", "epsilon, epsilon_high; importance_sampling_level=\"sequence\" for the mean",
				"docs/source/paper_index.md@0167b7df"},
			{"prime-rl", "type=\"ppo\", ratio_low .8, ratio_high 1.2", "loss.py, trainer.loss"},
			{"NeMo-RL", "ratio_clip_min, ratio_clip_max", "nemo_rl/algorithms/loss/loss_functions.py@3520fc0a"},
			{"slime", "--eps-clip, --eps-clip-high", "vanilla loss; --advantage-estimator gspo for the mean"},
		}},
	{method: correct.MethodEpsilon, year: "2018", name: "Epsilon", names: []name{{"ε-correction", "IMPALA §5.2.2"}},
		formula: "c = π/(π + ε), ε = 10^{−6}",
		says:    "It keeps the slope of log π finite where π is near 0. A late step counts as fully as with none."},
	{method: correct.MethodOneStep, settings: []hyper.Setting{{Key: "rho", Value: "2"}}, year: "2018", name: "One-step",
		names: []name{{"truncated importance sampling", "IMPALA §5.2.2"}, {"TIS", "verl, rollout_corr_math.md §3.3.1"},
			{"CISPO", "arXiv:2506.13585, eq. 4; without a lower end"}, {"AIPO", "arXiv:2505.24034"},
			{"PipelineRL", "arXiv:2509.19128, eq. 5"},
			{"decoupled PPO", "arXiv:2110.00641, arXiv:2505.24298; with one step of the optimiser for each batch"}},
		looks: "ratio", formula: "c = min(w, ρ̄)", study: "one-step ρ̄ 2",
		says: "A ratio above ρ̄ counts as ρ̄: a bias, in return for a bounded variance.",
		levels: []atLevel{{correct.LevelResponse, name{"Seq-TIS", "verl, rollout_is: sequence; TRL, sequence_truncate"},
			"one-step by stretches", ""}, {level: correct.LevelMean}},
		grips: []grip{{Key: "rho", Words: "ρ̄", B: 1}},
		calls: []call{
			{"verl", "rollout_is: token, rollout_is_threshold: 2.0; loss_mode: cispo only with clip_ratio_low ≥ 1",
				"verl/trainer/ppo/rollout_corr_helper.py@20c30bf8"},
			{"AReaL", "rejection_sampling {level: token, action: clamp, upper: 5.0}; use_cispo_loss with eps_clip 1",
				"areal/utils/functional/functional.py@2274616c"},
			{"TRL", "vllm_importance_sampling_mode: token_truncate; loss_type: cispo", "docs/source/paper_index.md@0167b7df"},
			{"prime-rl", "type=\"cispo\", ratio_high", "docs/async.md@19b7c555"},
			{"NeMo-RL", "truncated_importance_sampling_ratio, type tis; use_cispo",
				"nemo_rl/algorithms/loss/loss_functions.py@3520fc0a"},
			{"slime", "--use-tis --tis-clip 2.0", "vanilla_tis_function"},
			{"ms-swift", "--rollout_importance_sampling_mode token_truncate; --loss_type cispo", "CISPO.md@9e2e9513"},
			{"PipelineRL", "policy_loss: reinforce, epsilon_high 2e-2: a cut at 1.02",
				"pipelinerl/finetune/rl/__init__.py@005a1f17"},
		}},
	{method: correct.MethodVTrace, year: "2018", name: "V-trace", names: []name{{"IMPALA", "arXiv:1802.01561, eq. 1"}},
		looks: "ratio", formula: "c = min(w, ρ̄), and values with the same cut", study: "V-trace ρ̄ 1",
		says:  "Its values change too: they belong to a policy between μ and π, which ρ̄ decides.",
		grips: []grip{{Key: "rho", Words: "ρ̄", B: 1}}},
	{method: correct.MethodIS, year: "2018", name: "Full ratio",
		names: []name{{"importance sampling", "IMPALA §4.1"}}, looks: "ratio", formula: "c = w",
		says: "No bias, and no bound: one large ratio can outweigh the batch."},
	{method: correct.MethodTrustRegion, year: "2019", name: "Trust region",
		names: []name{{"LASER", "arXiv:1909.11583, §4"}}, looks: "ratio policy",
		formula: "c = min(w, ρ̄), but 0 in states where KL(π, π̃_μ) ≥ b",
		says:    "It leaves out whole states, whatever was done there, and computes a divergence for each."},
	{method: correct.MethodLeaky, settings: []hyper.Setting{{Key: "alpha", Value: "0.7"}}, year: "2020", name: "Leaky",
		names: []name{{"leaky V-trace", "STAC, arXiv:2002.12928, eq. 5"}}, looks: "ratio",
		formula: "c = α·min(w, ρ̄) + (1−α)·w",
		says:    "The share 1 − α of each ratio is not cut: less bias, more variance.",
		grips:   []grip{{Key: "alpha", Words: "α", A: leakAt / (leakAt - 1), B: -1 / (leakAt - 1), at: leakAt}}},
	{method: correct.MethodTaper, year: "2025", name: "Taper",
		names: []name{{"TOPR", "arXiv:2503.14286, eq. 8; there with the product of a response: ratio=response"}},
		looks: "ratio sign", formula: "c = 1 if A ≥ 0, min(w, 1) if A < 0", study: "taper",
		levels: []atLevel{{correct.LevelResponse, name{"TOPR proper", "arXiv:2503.14286, eq. 8"}, "taper by stretches", ""},
			{correct.LevelMean, name{"TOPR in verl", "pull request 6986, docs/algo/topr.md@dbeb49b4"}, "", ""}},
		says: "Good steps count fully, however old. Bad ones fade as π leaves them.",
		calls: []call{
			{"verl", "policy_loss.loss_mode=topr: the mean of a response", "pull request 6986, docs/algo/topr.md@dbeb49b4"},
			{"Trinity", "topr: single steps", "pull request 185"},
			{"ROLL", "pg_variant: topr: the sign of the score", "_compute_topr_loss"},
		}},
	{method: correct.MethodBand, year: "2025", name: "Band",
		names: []name{{"IcePop", "Ring-1T, arXiv:2510.18855, §2.3.2"},
			{"MIS", "masked importance sampling: TRL, paper_index.md"},
			{"Seq-MIS", "with the product of a response: ratio=response"}},
		looks: "ratio", formula: "c = w from floor to ceiling, 0 outside", study: "band 0.5 to 5",
		levels: []atLevel{{correct.LevelResponse, name{"Seq-MIS", "TRL, sequence_mask; slime, level sequence"}, "", ""},
			{correct.LevelMean, name{"geometric MIS", "slime, mis.py@141e5efc, level geometric"}, "", ""}},
		says: "A tight band throws steps away. A wide one lets large ratios through.",
		grips: []grip{{Key: "floor", Words: "floor", B: 1, beside: inside},
			{Key: "ceiling", Words: "ceiling", B: 1, beside: outside}},
		calls: []call{
			{"verl", "rollout_is: token, rollout_is_threshold: \"0.5_5.0\"",
				"verl/trainer/ppo/rollout_corr_helper.py@20c30bf8"},
			{"AReaL", "rejection_sampling {level: token, action: mask, lower, upper}",
				"areal/utils/functional/functional.py@2274616c"},
			{"TRL", "token_mask; sequence_mask for a response", "docs/source/paper_index.md@0167b7df"},
			{"prime-rl", "type=\"icepop\", ratio_low .2, ratio_high 5", "trainer.loss"},
			{"NeMo-RL", "truncated_importance_sampling_type: icepop", "nemo_rl/algorithms/loss/loss_functions.py@3520fc0a"},
			{"slime", "--custom-tis-function-path …icepop_function; mis.py, mode mask",
				"examples/train_infer_mismatch_helper/mis.py@141e5efc"},
			{"ms-swift", "token_mask: the upper end alone", "training_inference_mismatch.md@038094447"},
		}},
	{method: correct.MethodMoment, year: "2025", name: "Moment", names: []name{{"M2PO", "arXiv:2510.01161, §5"}},
		looks:   "ratio sign batch",
		formula: "c = w, but 0 for the farthest steps, until the mean of (log w)^2 is at most τ",
		says:    "The batch decides its limits, so it needs all steps before any counts.", study: "moment",
		calls: []call{
			{"AReaL", "actor.m2_threshold: any step, of either sign", "areal/trainer/ppo/actor.py@00ed9244"},
			{"Trinity", "m2po, m2_threshold .04: as in the paper", "pull request 616, m2po_policy_loss.py@3a41dc21"},
			{"ms-swift", "loss_type m2po", "pull request 9965"},
			{"the authors", "use_m2po_loss, M2_budget: a third rule",
				"Infini-AI-Lab/M2PO, verl/trainer/ppo/core_algos.py@4514ce22"},
		}},
	{method: correct.MethodShift, year: "2026", name: "Shift", names: []name{{"DPPO", "arXiv:2602.04879, eq. 12"},
		{"IPO", "prime-rl: leaves out both directions, whatever the sign of A"}},
		looks:   "difference sign",
		formula: "c = w, but 0 if A > 0 and π−μ > δ, or A < 0 and π−μ < −δ", study: "shift",
		says:  "A rare action may move far in ratio. It needs probabilities, so no Gaussian policy has it.",
		grips: []grip{{Key: "shift", Words: "δ", A: -probeMu, B: probeMu, beside: outside}},
		calls: []call{
			{"verl", "policy_loss.loss_mode: dppo_tv, δ = clip_ratio", "docs/algo/dppo.md@36977654"},
			{"TRL", "trl.experimental.dppo, divergence_type, epsilon", "trl/experimental/dppo/dppo_config.py@0423cdb9"},
			{"prime-rl", "type=\"ipo\", eps .3", "docs.primeintellect.ai/prime-rl/ipo"},
			{"the authors", "w cut at 10", "sail-sg/Stable-RL, verl/trainer/ppo/core_algos.py@22ce6d35"},
		}},
	{method: correct.MethodCentred, year: "2026", name: "Centred",
		names: []name{{"score centring", "arXiv:2609.20807"}}, looks: "policy",
		formula: "c = 1, on ∇ log π(a) − Σ_b μ(b)·∇ log π(b)", study: "centred",
		says: "It looks at no ratio. It needs μ of every action, not of the taken action alone.",
		calls: []call{
			{"verl", "rollout_correction.score_centering", "verl/trainer/ppo/score_centering.py@c6236f51"},
			{"NeMo-RL", "loss_fn.score_centering", "docs of the nightly build"},
			{"slime", "--use-score-centering", "pull requests 2405 and 2406"},
		}},
}
