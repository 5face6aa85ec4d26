package torch

import (
	"fmt"
	"math"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
)

// optimisers are the lines of a step by optimiser and form: the state of a parameter p, and its change along g.
// %[1]s to %[4]s are lr, ε, the first and the second memory; %[5]s is the mean square at the start.
var optimisers = map[hyper.Optimiser]map[hyper.OptForm][2]string{
	hyper.RMSProp: {
		hyper.FormPapers:     {rmsState, "change = g / (m2 + %[2]s).sqrt()  # TensorFlow 1's RMSProp: ε inside the root"},
		hyper.FormTensorFlow: {rmsState, "change = g / (m2 + %[2]s).sqrt()  # TensorFlow 1's RMSProp: ε inside the root"},
		hyper.FormPyTorch:    {rmsState, "change = g / (m2.sqrt() + %[2]s)  # PyTorch's RMSProp: ε outside the root"},
	},
	hyper.Adam: {
		hyper.FormPapers:     {adamState, adamAfter},
		hyper.FormPyTorch:    {adamState, adamAfter},
		hyper.FormTensorFlow: {adamState, adamBefore},
	},
}

const (
	rmsState   = "m2.mul_(%[4]s).add_((1 - %[4]s) * g ** 2)"
	adamState  = "m1.mul_(%[3]s).add_((1 - %[3]s) * g); m2.mul_(%[4]s).add_((1 - %[4]s) * g ** 2)"
	adamAfter  = "change = m1 / (1 - %[3]s ** n) / ((m2 / (1 - %[4]s ** n)).sqrt() + %[2]s)  # Adam, ε last"
	adamBefore = "change = (1 - %[4]s ** n) ** 0.5 / (1 - %[3]s ** n) * m1 / (m2.sqrt() + %[2]s)  # TensorFlow 1's Adam"
)

// optimiser writes the network, the state of the optimiser and its step.
func (p *page) optimiser() {
	c := p.cfg
	first, second := num(c.Beta1), num(c.Beta2)
	if c.Optimiser == hyper.RMSProp {
		first, second = num(c.Momentum), num(c.OptDecay)
	}
	lines := optimisers[c.Optimiser][c.OptForm]
	form := func(line string) string {
		of := []any{"lr", num(c.OptEps), first, second}
		return fmt.Sprintf(line+"%[5]s", append(of, "")...)
	}
	start := "torch.zeros_like(p)"
	if c.Optimiser == hyper.RMSProp && c.OptStart != 0 {
		start += " + " + num(c.OptStart)
	}
	momentum := c.Optimiser == hyper.RMSProp && c.Momentum != 0
	p.add(0, "", "net = Network()")
	p.addf(0, "memory = [(p, torch.zeros_like(p), %s) for p in net.parameters()]", start)
	p.add(0, "", "def step(grads, lr, n):  # n counts the updates from 1")
	if !math.IsInf(c.Clip, 1) {
		p.add(1, "norm = float(sum((g ** 2).sum() for g in grads)) ** 0.5",
			fmt.Sprintf("grads = [g * min(1, %s / max(norm, 1e-30)) for g in grads]", num(c.Clip)))
	}
	p.add(1, "for (p, m1, m2), g in zip(memory, grads):")
	p.add(2, form(lines[0]), form(lines[1]))
	if momentum {
		rate := "lr * change"
		if c.OptForm == hyper.FormPyTorch {
			rate = "change"
		}
		p.addf(2, "m1.mul_(%s).add_(%s)", first, rate)
		if rate == "change" {
			p.add(2, "p.sub_(lr * m1)")
		} else {
			p.add(2, "p.sub_(m1)")
		}
		return
	}
	p.add(2, "p.sub_(lr * change)")
}

// rewards are the lines that change r, by the names of the learner's table.
var rewards = map[loss.Reward]string{
	loss.RewardAsIs:           "b.r",
	loss.RewardClip:           "b.r.clamp(-1, 1)",
	loss.RewardAsymmetric:     "0.3 * torch.tanh(b.r).clamp(max=0) + 5 * torch.tanh(b.r).clamp(min=0)",
	loss.RewardSoftAsymmetric: "5 * torch.tanh(b.r / 5) * torch.where(b.r < 0, 0.3, 1.0)",
}

// update writes the function of an update.
func (p *page) update() {
	c := p.cfg
	if p.spec.Reals() > 0 {
		p.add(0, "", "def log_normal(x, mean, log_s):",
			"    return (-((x - mean) / log_s.exp()) ** 2 / 2 - log_s - 0.5 * math.log(2 * math.pi)).sum(-1)")
	}
	p.add(0, "", "def update(b, n, steps):  # n counts the updates from 1; steps are the environment's before it")
	call, core := "net(b.x)", p.spec.States() > 0
	if core {
		call = "net(b.x, b.state, b.keep)"
	}
	outputs := "y, V"
	if core {
		outputs = "y, V, states"
	}
	p.addf(1, "%s = %s", outputs, call)
	p.policy()
	p.add(1, "with torch.no_grad():  # targets and weights are constants of the step")
	reward := rewards[c.Reward]
	if c.RewardScale != 1 {
		if c.Reward != loss.RewardAsIs {
			reward = "(" + reward + ")"
		}
		reward = num(c.RewardScale) + " * " + reward
	}
	if p.cuts && reward == "b.r" {
		reward += ".clone()"
	}
	p.addf(2, "r, discount = %s, %s * (1 - b.end)", reward, num(c.Gamma))
	if p.cuts {
		value := "net(b.x_cut)[1]"
		if core {
			value = "net(b.x_cut[None], states[:-1][b.cut], torch.ones(1, len(b.x_cut), 1))[1][0]"
		}
		p.addf(2, "r[b.cut] += %s * %s  # a limit of time is no end: V is worth the rest", num(c.Gamma), value)
		p.add(2, "discount[b.cut] = 0")
	}
	p.targets()
	if p.popart {
		p.pop(call, outputs)
	}
	p.losses()
	rate := num(c.LearningRate)
	if c.Anneal == hyper.AnnealLinear {
		rate += fmt.Sprintf(" * max(0, 1 - steps / %d)", c.Steps)
	}
	p.add(1, "grads = torch.autograd.grad(loss, [p for p, _, _ in memory])", "with torch.no_grad():")
	p.addf(2, "step(grads, %s, n)", rate)
	p.add(1, "return float(loss)")
}

// targets writes the ratios, v, A and the weights of the policy gradient.
func (p *page) targets() {
	c, row := p.cfg, p.correction
	trace := hyper.InForce[float64](c)
	p.add(2, "# "+row.Title+": "+row.Formula)
	if row.Weights() || !row.NStep {
		if n := p.spec.Reals(); n > 0 {
			p.addf(2, "ratio = (log_pi_a - log_normal(b.a, b.mu[..., :%d], b.mu[..., %d:].log())).exp()", n, n)
		} else {
			p.add(2, "ratio = (log_pi_a - b.mu.gather(-1, b.a[..., None])[..., 0]).exp()")
		}
	}
	if p.masked() {
		implied := "b.mu"
		if c.Relevance == correct.RelevanceImplied {
			implied = "torch.log_softmax(torch.minimum(b.mu" + plusLog(c.RhoBar) + ", log_pi), -1)"
		}
		p.addf(2, "kl = (log_pi.exp() * (log_pi - %s)).sum(-1)", implied)
		p.addf(2, "inside = (kl < %s).float()", num(c.TrustKL))
	}
	rho, trail := "", ""
	if !row.NStep {
		rho, trail = leaky(trace.LeakRho, trace.RhoBar), times(trace.Lambda)+leaky(trace.LeakC, trace.CBar)
		p.addf(2, "rho, c = %s, %s", rho, trail)
		rho, trail = "rho[t] * ", "c[t] * "
	}
	p.add(2, "gap = torch.zeros_like(V)  # v - V; 0 behind the last step",
		"for t in reversed(range(len(r))):",
		"    delta = r[t] + discount[t] * V[t + 1] - V[t]")
	gap := fmt.Sprintf("%sdelta + discount[t] * %sgap[t + 1]", rho, trail)
	if p.masked() {
		gap = "inside[t] * (" + gap + ")"
	}
	p.add(3, "gap[t] = "+gap)
	p.add(2, "v = V + gap", "A = "+map[correct.Advantage]string{
		correct.AdvantageVTrace:    "r + discount * v[1:] - V[:-1]",
		correct.AdvantageBootstrap: "r + discount * V[1:] - V[:-1]",
		correct.AdvantageLASER:     "gap[:-1]",
	}[p.advantage()])
	if c.Lift != 0 && c.Algo != hyper.A2C {
		if p.masked() {
			p.addf(2, "A = A + %s * (inside * A.abs()).sum() / inside.sum().clamp(min=1)", num(c.Lift))
		} else {
			p.addf(2, "A = A + %s * A.abs().mean()", num(c.Lift))
		}
	}
	p.weight(trace)
}

func (p *page) advantage() correct.Advantage {
	if p.cfg.Algo == hyper.A2C {
		return correct.AdvantageVTrace
	}
	return p.cfg.Advantage
}

// weight writes the factor of the policy gradient.
func (p *page) weight(trace correct.Truncation[float64]) {
	c, text := p.cfg, ""
	switch {
	case !p.correction.NStep:
		text = leaky(trace.LeakRho, trace.RhoBarPG)
	case p.correction.Weight == correct.WeightCutRatio:
		text = leaky(trace.LeakRho, trace.RhoBar)
	case c.Correction == correct.MethodTaper:
		half := "A < 0"
		if c.Taper == correct.HalfGood {
			half = "A >= 0"
		}
		text = fmt.Sprintf("torch.where(%s, ratio.clamp(%s, %s), 1.0)", half, num(c.TaperLow), num(c.TaperHigh))
	case c.Correction == correct.MethodClip:
		text = fmt.Sprintf("torch.where((A > 0) & (ratio > 1 + %s) | (A < 0) & (ratio < 1 - %s), 0.0, ratio)",
			num(c.ClipHigh), num(c.ClipLow))
	case c.Correction == correct.MethodBand:
		text = fmt.Sprintf("torch.where((ratio >= %s) & (ratio <= %s), ratio, 0.0)", num(c.Floor), num(c.Ceiling))
	case c.Correction == correct.MethodShift:
		p.add(2, "apart = log_pi_a.exp() * (1 - 1 / ratio)  # pi - mu")
		text = fmt.Sprintf("torch.where((A > 0) & (apart > %[1]s) | (A < 0) & (apart < -%[1]s), 0.0, ratio)", num(c.Shift))
	case p.masked():
		p.add(2, "weight = inside")
		return
	default:
		return // 1
	}
	if p.masked() {
		text = "inside * " + text
	}
	p.add(2, "weight = "+text)
}

// leaky is the truncated ratio, of which the share 1 − leak is not truncated.
func leaky(leak, bar float64) string {
	cut := fmt.Sprintf("ratio.clamp(max=%s)", num(bar))
	switch {
	case leak == 0 || math.IsInf(bar, 1):
		return "ratio"
	case leak == 1:
		return cut
	}
	return fmt.Sprintf("(%s * %s + %s * ratio)", num(leak), cut, num(1-leak))
}

// plusLog adds log ρ̄ to a log-probability.
func plusLog(bar float64) string {
	switch {
	case bar == 1:
		return ""
	case math.IsInf(bar, 1):
		return ` + float("inf")`
	}
	return " + " + num(math.Log(bar))
}

// pop writes PopArt: the statistics follow the targets, and the head is rescaled so that no value changes.
func (p *page) pop(call, outputs string) {
	if p.cfg.PopArt == hyper.PopArtOn {
		layers := p.spec.Layers()
		head, column := layers[len(layers)-1], p.spec.Actions
		if head.From[0] >= 0 && len(head.From) > 1 {
			head, column = layers[head.From[len(head.From)-1]], 0
		}
		counted := "v[:-1].flatten()"
		if p.masked() {
			counted = "v[:-1][inside > 0]"
		}
		p.add(2, "m, s = net.m, net.s  # PopArt")
		p.addf(2, "for target in %s:", counted)
		p.add(3, "off = float(target) - net.m",
			"net.variance = (1 - 1e-4) * (net.variance + 1e-4 * off ** 2)",
			"net.m += 1e-4 * off")
		p.add(2, "net.s = min(1e6, max(1e-2, net.variance ** 0.5))",
			fmt.Sprintf("net.%s.weight[%d] *= s / net.s", name(&head), column),
			fmt.Sprintf("net.%s.bias[%d] = (s * net.%s.bias[%d] + m - net.m) / net.s", name(&head), column, name(&head), column),
			"A = A / net.s")
		p.addf(1, "%s = %s  # the same values by the rescaled head", outputs, call)
		p.policy()
	}
}

// losses writes the three losses and their sum.
func (p *page) losses() {
	c := p.cfg
	reduce := ".mean()"
	if c.Reduce == hyper.Sum {
		reduce = ".sum()"
	}
	weight := "weight * "
	if p.correction.Weight == correct.WeightOne && !p.masked() {
		weight = ""
	}
	score := "log_pi_a"
	if eps := p.correction.LogEpsilon; eps > 0 {
		score = fmt.Sprintf("(log_pi_a.exp() + %s).log()", num(eps))
	}
	if p.correction.Centred {
		p.add(1, "mean_score = (b.mu.exp() * log_pi).sum(-1)  # its slope is the mean score of mu")
		score = map[correct.CentreOf]string{correct.CentreAll: "(log_pi_a - mean_score)",
			correct.CentreBad:  "(log_pi_a - (A < 0) * mean_score)",
			correct.CentreGood: "(log_pi_a - (A >= 0) * mean_score)"}[c.Centre]
	}
	p.addf(1, "policy_loss = -(%sA * %s)%s", weight, score, reduce)
	gap, counts := "(v[:-1] - V[:-1])", ""
	if p.popart && c.PopArt == hyper.PopArtOn {
		gap = "((v[:-1] - V[:-1]) / net.s)"
	}
	if p.masked() {
		counts = "inside * "
	}
	p.addf(1, "value_loss = (%s%s ** 2)%s", counts, gap, reduce)
	if c.Mix > 0 {
		counts += "b.online * "
	}
	entropy := p.entropy()
	if counts != "" {
		entropy = "(" + counts + entropy + ")"
	}
	p.addf(1, "entropy_loss = %s%s  # minus the entropy", entropy, reduce)
	p.addf(1, "loss = %spolicy_loss + %svalue_loss + %sentropy_loss", times(c.PolicyCost), times(c.ValueCost),
		times(c.Entropy))
}
