// Package torch writes the update of a run as one page of PyTorch: its network, its loss with the formula of its
// correction, and its optimiser, with the numbers of its settings. A test runs the page beside the learner's update.
// Start with Text.
package torch

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/net"
)

// Refuse returns an error that names the first setting whose effect a page cannot say.
func Refuse(cfg *hyper.Config) error {
	unwritten := func(key, instead string) error {
		return fmt.Errorf("%s=%s is not written as PyTorch; %s", key, cfg.Get(key), instead)
	}
	switch correction := &correct.Corrections[cfg.Correction]; {
	case cfg.Algo != hyper.Impala && cfg.Algo != hyper.A2C && cfg.Algo != hyper.Laser:
		return unwritten("algo", "only algo=impala, laser and a2c are, each one loss and one step")
	case cfg.Algo == hyper.Laser && cfg.Mix > 0 && cfg.Sampling == hyper.SamplePrioritised:
		return unwritten("sampling", "a page weighs no draws: set sampling=uniform")
	case cfg.TrXL > 0:
		return unwritten("trxl", "only networks with an LSTM, or without a core, are")
	case cfg.Torso == hyper.DeepTorso:
		return unwritten("torso", "only torso=flat and torso=shallow are")
	case cfg.PixelControl > 0:
		return unwritten("pixel-control", "set pixel-control=0")
	case cfg.PopArt != hyper.PopArtOff && cfg.Tasks() > 1:
		return fmt.Errorf("popart=%s with world=%s is not written as PyTorch; a page has the statistics of one value",
			cfg.PopArt, cfg.World)
	case cfg.Algo == hyper.A2C:
		return nil
	case cfg.Correction == correct.MethodMoment || cfg.Correction == correct.MethodOwn:
		return unwritten("correction", "its weights are no formula of arrays: see notebooks/corrections.py and the program")
	case correction.Levels && cfg.Level != correct.LevelStep:
		return unwritten("ratio", "only ratio=step is: see level in notebooks/corrections.py")
	case masks(cfg) && cfg.Policy != hyper.Softmax:
		return fmt.Errorf("algo=%s and correction=%s with policy=%s are not written as PyTorch: the distance of a trust "+
			"region is an integral", cfg.Algo, correction.Name, cfg.Policy)
	}
	return nil
}

// Text returns the page for the settings of cfg, or the error of Refuse. title is its first line.
func Text(cfg *hyper.Config, title string) (string, error) {
	if err := Refuse(cfg); err != nil {
		return "", err
	}
	spec, err := cfg.Network()
	if err != nil {
		return "", err
	}
	world, _, err := envs.Describe(cfg.World)
	if err != nil {
		return "", err
	}
	method := cfg.Correction
	if cfg.Algo == hyper.A2C {
		method = correct.MethodNone
	}
	p := &page{cfg: cfg, spec: spec, cuts: world.Limit > 0, popart: cfg.PopArt != hyper.PopArtOff,
		correction: &correct.Corrections[method]}
	if strings.ContainsAny(title, "\r\n") {
		return "", errors.New("the title of a page has one line")
	}
	p.add(0, "# "+title, "# One update in PyTorch, with the numbers of the run's settings. This text is CC0-1.0.")
	if spec.Reals() > 0 {
		p.add(0, "import math")
	}
	p.add(0, "import torch", "from torch import nn")
	p.network()
	p.batch()
	p.optimiser()
	p.update()
	return p.text.String(), nil
}

// page is the text so far.
type page struct {
	cfg        *hyper.Config
	spec       net.Spec
	correction *correct.Correction
	cuts       bool // the world has a limit of time
	popart     bool
	text       strings.Builder
}

// add appends lines, each indented by depth levels.
func (p *page) add(depth int, lines ...string) {
	for _, line := range lines {
		if line != "" {
			line = strings.Repeat("    ", depth) + line
		}
		p.text.WriteString(line + "\n")
	}
}

// addf appends one formatted line.
func (p *page) addf(depth int, format string, of ...any) { p.add(depth, fmt.Sprintf(format, of...)) }

// num is a number as Python reads it.
func num(x float64) string {
	if math.IsInf(x, 1) {
		return `float("inf")`
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// times is "x * " or, for 1, "".
func times(x float64) string {
	if x == 1 {
		return ""
	}
	return num(x) + " * "
}

// masks reports whether steps outside a trust region do not count: LASER's under any correction.
func masks(cfg *hyper.Config) bool {
	return cfg.Algo == hyper.Laser || cfg.Algo != hyper.A2C && correct.Corrections[cfg.Correction].TrustRegion
}

func (p *page) masked() bool { return masks(p.cfg) }

// batch describes the arrays of a batch.
func (p *page) batch() {
	t, b := p.cfg.UnrollLen, p.cfg.BatchSize
	p.add(0, "", fmt.Sprintf("# A batch b has %d steps of %d trajectories, time first:", t, b))
	p.addf(0, "#   x [%d, %d, %d] float: observations; the last ones follow the last step", t+1, b, p.spec.Inputs())
	if n := p.spec.Reals(); n > 0 {
		p.addf(0, "#   a [%d, %d, %d] float: draws, before a world cuts or squashes them", t, b, n)
		p.addf(0, "#   mu [%d, %d, %d] float: means, then deviations, of the policy that acted", t, b, 2*n)
	} else {
		p.addf(0, "#   a [%d, %d] long: actions", t, b)
		p.addf(0, "#   mu [%d, %d, %d] float: log-probabilities of the policy that acted", t, b, p.spec.Actions)
	}
	p.addf(0, "#   r [%d, %d] float: rewards; end [%d, %d] float: 1 where the episode ended", t, b, t, b)
	if p.cuts {
		p.addf(0, "#   cut [%d, %d] bool: where the limit of time cut; x_cut [n, %d]: the observations there", t, b,
			p.spec.Inputs())
	}
	if n := p.spec.States(); n > 0 {
		p.addf(0, "#   state [%d, %d] float: the core's before x[0]; keep [%d, %d, 1]: 0 where an episode begins", b, n,
			t+1, b)
	}
	if p.cfg.Mix > 0 {
		p.addf(0, "#   online [%d] float: 0 for a replayed trajectory (%d of %d), whose entropy does not count", b,
			p.cfg.Replayed(), b)
	}
}
