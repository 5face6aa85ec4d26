package torch

import (
	"fmt"
	"strings"

	"impalab/learner/correct"
	"impalab/learner/kernel"
	"impalab/learner/net"
)

// network writes the class of the network. Its modules have the names and the order of the learner's layers.
func (p *page) network() {
	p.add(0, "", "class Network(nn.Module):", "    def __init__(self):", "        super().__init__()")
	layers := p.spec.Layers()
	for i := range layers {
		l := &layers[i]
		switch l.Kind {
		case net.Dense:
			p.addf(2, "self.%s = nn.Linear(%d, %d)", name(l), l.In, l.Out)
		case net.Conv:
			g := l.Filter
			p.addf(2, "self.%s = nn.Conv2d(%d, %d, %d, stride=%d, padding=%d)", name(l), g.In, g.Out, g.Size, g.Stride, g.Pad)
		case net.LSTM:
			p.addf(2, "self.%s = nn.Linear(%d, %d, bias=False)", name(l), l.Out, l.In)
		}
	}
	if p.popart {
		p.add(2, "self.m, self.s, self.variance = 0.0, 1.0, 1.0  # of the targets (PopArt)")
	}
	p.add(0, "")
	if p.spec.States() > 0 {
		p.add(1, "def forward(self, obs, state, keep):")
		p.add(2, "states = []")
	} else {
		p.add(1, "def forward(self, obs):")
	}
	p.pass(layers)
}

func name(l *net.Layer) string { return strings.NewReplacer(".", "_").Replace(l.Name) }

// pass writes the lines that compute the layers.
func (p *page) pass(layers []net.Layer) {
	of := map[int]string{net.Observation: "obs", net.Feedback: fmt.Sprintf("obs[..., %d:]", p.spec.Obs)}
	if p.spec.Feedback > 0 {
		of[net.Observation] = fmt.Sprintf("obs[..., :%d]", p.spec.Obs)
	}
	image := map[int]bool{} // layers whose output is [rows, channels, height, width]
	for i := range layers {
		l := &layers[i]
		to, from := "x", of[l.From[0]]
		if trunk, _, separate := strings.Cut(l.Name, "."); separate {
			to = map[string]string{"policy": "p", "value": "v"}[trunk[:min(len(trunk), len("policy"))]]
			if to == "" {
				to = "v"
			}
		} else if l.Name == "policy" || l.Name == "value" {
			to = l.Name
		}
		switch l.Kind {
		case net.Dense:
			if image[l.From[0]] { // the learner's order of an image is height, width, channels
				p.addf(2, "%s = %s.permute(0, 2, 3, 1).reshape(*obs.shape[:-1], -1)", to, from)
				from = to
			}
			p.addf(2, "%s = %s", to, activated(l.Act, fmt.Sprintf("self.%s(%s)", name(l), from)))
		case net.Conv:
			if l.From[0] == net.Observation {
				g := l.Filter
				p.addf(2, "%s = %s.reshape(-1, %d, %d, %d).permute(0, 3, 1, 2)", to, from, g.H, g.W, g.In)
				from = to
			}
			p.addf(2, "%s = %s", to, activated(l.Act, fmt.Sprintf("self.%s(%s)", name(l), from)))
			image[i] = true
		case net.Join:
			if l.Name == "heads" {
				break
			}
			if image[l.From[0]] {
				p.addf(2, "%s = %s.permute(0, 2, 3, 1).reshape(*obs.shape[:-1], -1)", to, from)
				from = to
			}
			p.addf(2, "%s = torch.cat([%s, %s], -1)", to, from, of[l.From[1]])
		case net.LSTM:
			p.lstm(l, to, from)
		}
		of[i] = to
	}
	last := &layers[len(layers)-1]
	n := p.spec.Actions
	logits, value := fmt.Sprintf("x[..., :%d]", n), fmt.Sprintf("x[..., %d]", n)
	if last.Kind == net.Join {
		logits, value = of[last.From[0]], of[last.From[1]]+"[..., 0]"
	}
	if p.popart {
		value = "self.s * " + value + " + self.m"
	}
	if p.spec.States() > 0 {
		value += ", torch.cat(states, -1)"
	}
	p.addf(2, "return %s, %s", logits, value)
}

func activated(a kernel.Activation, x string) string {
	switch a {
	case kernel.Tanh:
		return "torch.tanh(" + x + ")"
	case kernel.ReLU:
		return "torch.relu(" + x + ")"
	}
	return x
}

// lstm writes one layer of LSTM over the steps of z.
func (p *page) lstm(l *net.Layer, to, z string) {
	h, n := l.State, l.Out
	p.addf(2, "h, c, steps = state[:, %d:%d], state[:, %d:%d], []", h, h+n, h+n, h+2*n)
	p.addf(2, "for t in range(len(%s)):", z)
	p.add(3, "h, c = keep[t] * h, keep[t] * c",
		fmt.Sprintf("i, f, g, o = (%s[t] + self.%s(h)).chunk(4, -1)", z, name(l)),
		"c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)",
		"h = torch.sigmoid(o) * torch.tanh(c)",
		"steps.append(torch.cat([h, c], -1))")
	p.addf(2, "states.append(torch.stack(steps))")
	p.addf(2, "%s = states[-1][..., :%d]", to, n)
}

// policy writes log π(a) of the network's numbers y, without the last step's.
func (p *page) policy() {
	n := p.spec.Reals()
	if n == 0 {
		p.add(1, "log_pi = torch.log_softmax(y[:-1], -1)", "log_pi_a = log_pi.gather(-1, b.a[..., None])[..., 0]")
		return
	}
	if p.spec.Policy.Spread() == correct.SpreadBounded {
		p.addf(1, "mean, log_s = torch.tanh(y[:-1, :, :%d]), %d + %s(torch.tanh(y[:-1, :, %d:]) + 1)", n,
			correct.LogSigmaLow, times(float64(correct.LogSigmaHigh-correct.LogSigmaLow)/2), n)
	} else {
		p.addf(1, "mean, log_s = y[:-1, :, :%d], (nn.functional.softplus(y[:-1, :, %d:]) + %s).log()", n, n,
			num(correct.LeastSigma))
	}
	p.add(1, "log_pi_a = log_normal(b.a, mean, log_s)")
}

// entropy is minus the entropy of each step. For tanh policies, whose entropy has no formula, it is KL(π‖N(0, 1)).
func (p *page) entropy() string {
	switch {
	case p.spec.Reals() == 0:
		return "(log_pi.exp() * log_pi).sum(-1)"
	case p.spec.Policy.Spread() == correct.SpreadBounded:
		return "(((2 * log_s).exp() + mean ** 2 - 1) / 2 - log_s).sum(-1)"
	}
	return "(-0.5 * math.log(2 * math.pi * math.e) - log_s).sum(-1)"
}
