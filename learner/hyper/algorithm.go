package hyper

// Algo names an algorithm.
type Algo string

const (
	Impala Algo = "impala"
	Stac   Algo = "stac"
	Stacx  Algo = "stacx"
	VMPO   Algo = "vmpo"
	Laser  Algo = "laser"
	A2C    Algo = "a2c"
)

// Algorithm is one agent of the papers: its texts, and the properties by which other code tells algorithms apart.
// learner/algo has its updates.
type Algorithm struct {
	Name                   Algo
	Title, Sentence, Paper string
	Printed                []Printed // values of its settings that the paper prints

	OnPolicy      bool // corrects nothing, and so learns from the present policy's own data only
	Masks         bool // leaves out steps too far from π under any correction
	Surprised     bool // measures the surprise of each trajectory, for prioritised replay
	TunesItself   bool // has metaparameters: its network is differentiated twice
	SeveralHeads  bool // has Heads policies and values on one network
	Imitates      bool // raises the likelihood of good actions within bounds; no policy gradient
	TargetNetwork bool // actors follow a copy of θ, renewed every TargetEvery updates
}

// Algorithms is every one, in the order in which they are best read.
var Algorithms = []Algorithm{
	{
		Name:  Impala,
		Title: "IMPALA",
		Sentence: "Actor-critic whose targets and gradients are corrected by V-trace for data that an older policy " +
			"collected.",
		Paper:   "Espeholt et al. 2018, arXiv:1802.01561",
		Printed: impalaPrinted,
	},
	{
		Name:        Stac,
		Title:       "STAC",
		Sentence:    "IMPALA that tunes its own discount, traces and costs by the gradient of an outer loss.",
		Paper:       "Zahavy et al. 2020, arXiv:2002.12928",
		Printed:     stacPrinted,
		TunesItself: true,
	},
	{
		Name:  Stacx,
		Title: "STACX",
		Sentence: "STAC with more policies and values on the same network, each tuned for itself; the first one " +
			"acts.",
		Paper:        "Zahavy et al. 2020 §3.2",
		Printed:      stacxPrinted,
		TunesItself:  true,
		SeveralHeads: true,
	},
	{
		Name:  VMPO,
		Title: "V-MPO",
		Sentence: "Imitates the better half of what was played, within bounds that multipliers hold; no policy " +
			"gradient.",
		Paper:         "Song et al. 2020, arXiv:1909.12238",
		Printed:       vmpoPrinted,
		Imitates:      true,
		TargetNetwork: true,
	},
	{
		Name:  Laser,
		Title: "LASER",
		Sentence: "Actor-critic that learns mostly from replay and leaves out the steps whose behaviour is too far " +
			"away.",
		Paper:     "Schmitt, Hessel and Simonyan 2020, arXiv:1909.11583",
		Printed:   laserPrinted,
		Masks:     true,
		Surprised: true,
	},
	{
		Name:     A2C,
		Title:    "A2C",
		Sentence: "Batched actor-critic that waits for its actors and corrects nothing: IMPALA's baseline.",
		Paper:    "Mnih et al. 2016, arXiv:1602.01783; batched, Clemente et al. 2017",
		OnPolicy: true,
	},
}

// Algorithm returns the entry for c.Algo, or an empty entry if this build does not know it.
func (c *Config) Algorithm() *Algorithm {
	for i := range Algorithms {
		if Algorithms[i].Name == c.Algo {
			return &Algorithms[i]
		}
	}
	return &Algorithm{Name: c.Algo}
}
