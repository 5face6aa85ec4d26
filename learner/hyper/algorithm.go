package hyper

// Algorithm is one agent of the papers. How it learns is learner/algo's to say.
type Algorithm struct{ Name, Title, Sentence, Paper string }

// Algorithms is every one, in the order in which they are best read.
var Algorithms = []Algorithm{
	{"impala", "IMPALA", "Actor-critic whose targets and gradients are corrected by V-trace for data that an older " +
		"policy collected.", "Espeholt et al. 2018, arXiv:1802.01561"},
	{"stac", "STAC", "IMPALA that tunes its own discount, traces and costs by the gradient of an outer loss.",
		"Zahavy et al. 2020, arXiv:2002.12928"},
	{"stacx", "STACX", "STAC with more policies and values on the same network, each tuned for itself; the first one acts.", "Zahavy et al. 2020 §3.2"},
	{"vmpo", "V-MPO", "Imitates the better half of what was played, within bounds that multipliers hold; no policy " +
		"gradient.", "Song et al. 2020, arXiv:1909.12238"},
	{"laser", "LASER", "Actor-critic that learns mostly from replay and leaves out the steps whose behaviour is too far " +
		"away.", "Schmitt, Hessel and Simonyan 2020, arXiv:1909.11583"},
	{"a2c", "A2C", "Batched actor-critic that waits for its actors and corrects nothing: IMPALA's baseline.",
		"Mnih et al. 2016, arXiv:1602.01783; batched, Clemente et al. 2017"},
}

func algorithmNames() []string { return names(Algorithms, func(a Algorithm) string { return a.Name }) }
