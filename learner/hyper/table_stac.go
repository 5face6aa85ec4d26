package hyper

import "strings"

// stacRows are STAC's and STACX's own settings.
var stacRows = inGroup(GroupSTAC, tunesItself, []Row{
	{
		Key:      "tune",
		Symbol:   "η",
		Words:    "Tunes itself",
		takes:    "all, none, or names like gamma-lambda joined by hyphens, of " + strings.Join(metaNames[:], ", "),
		check:    func(s string) error { _, err := ParseTune(s); return err },
		Formula:  "γ, λ, α = σ(η); g = σ(η)·g of the outer loss",
		Sentence: "Which hyperparameters STAC tunes while it learns; alphac tunes α_c separately.",
		Paper:    "STAC §3 and fig. 2b",
	},
	{
		Key:      "meta-lr",
		Words:    "Metalearning rate",
		Hot:      true,
		Range:    from(0, 1),
		Slider:   Slider{1e-5, 0.1, Log},
		Formula:  "η ← Adam(η, dL_outer(θ'(η))/dη)",
		Sentence: "How fast STAC's hyperparameters tune themselves.",
		Paper:    "STAC table 3",
		Used:     tunes,
	},
	{
		Key:      "meta-init",
		Words:    "Metaparameters at start",
		Range:    from(-20, 20),
		Slider:   Slider{-5, 10, Linear},
		Formula:  "σ(4.6) = 0.99",
		Sentence: "Where every metaparameter starts, before the sigmoid.",
		Paper:    "STAC §3",
		Used:     tunes,
	},
	{
		Key:      "outer-kl",
		Symbol:   "g_kl",
		Words:    "Outer KL cost",
		Hot:      true,
		Range:    from(0, 100),
		Slider:   Slider{0, 10, Linear},
		Formula:  "+ g_kl·KL(π_θ'‖π_θ)",
		Sentence: "Keeps STAC from tuning its hyperparameters into steps that change the policy too much.",
		Paper:    "STAC §3 and table 3",
		Used:     tunes,
	},
	{
		Key:    "heads",
		Words:  "Heads",
		of:     hasSeveralHeads,
		Range:  from(1, 8),
		Slider: Slider{1, 8, Linear},
		Sentence: "Policies and values that STACX has on one network; the first acts, the rest are tuned to " +
			"help it.",
		Paper: "STAC §3.2",
	},
})
