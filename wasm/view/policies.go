//go:build js && wasm

package view

import (
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/learner/net"
	"impalab/web/palette"
	"impalab/web/play"
	"impalab/web/wire"
)

// Below the world are the two policies. Each named action has a column: the probability under π (blue) above the one
// under μ (amber). A dot marks the chosen action. Each control with real numbers has a pair of bells.
// Below them is the ribbon of the trace: how much of the newest surprise reaches back to each of the last steps, newest
// on the right.

// strip is the layout of the two policies.
type strip struct {
	from, to, s float32 // left and right end, pixels to a CSS pixel
	names       []string
	taken       int // the action, or −1 if it has no name
	columns     columns
	labels      labels
	policyTall  float32 // of the bars or the bells
	parts
}

func (p *strip) tall() float32 {
	if !p.policy {
		return 0
	}
	tall := float32(p.lines)*lineTall*p.s + policyAbove*p.s + p.policyTall + policyBelow*p.s
	if p.ribbon {
		tall += (ribbonAbove + ribbonTall) * p.s
	}
	return tall
}

// stripOf lays out the strip in a box: below the world, or beside it in a low box.
func (g *Cell) stripOf(f *wire.Frame, spec *envs.Spec, b box, s float32) strip {
	tall := b.h
	if beside(b) {
		wide := g.split(b, s)
		b.x, b.w, tall = b.x+wide, b.w-wide, b.h+worldLeast*s // the world needs none of it
	}
	p := strip{from: b.x + (aside+symbolsWide)*s, to: b.x + b.w - aside*s, s: s, taken: int(f.Action),
		policyTall: (2*barTall + barGap) * s}
	if !g.judges() {
		return p
	}
	p.names = spec.Actions
	if net.Policy(f.Policy) != net.Softmax {
		p.names, p.taken, p.policyTall = nil, -1, bellTall*s
		for _, c := range spec.Controls {
			p.names = append(p.names, c.Name)
		}
	}
	p.columns = columnsOf(max(1, len(p.names)), p.from, p.to, s)
	var at, wide []float32
	for a, name := range p.names {
		at, wide = append(at, p.columns.at(a)), append(wide, g.words.wide(shownName(name), sans, nameSize*s)+9*s)
	}
	p.labels = layLabels(at, wide, p.to, 4*s)
	p.parts = partsFor(tall/s, p.policyTall/s, p.labels.lines)
	return p
}

func shownName(name string) string { return strings.ReplaceAll(name, "_", " ") }

// strip draws the strip below height top.
func (g *Cell) strip(screen *ebiten.Image, f *wire.Frame, spec *envs.Spec, p *strip, top float32) {
	s := p.s
	policyTop := top + float32(p.lines)*lineTall*s + policyAbove*s
	nameMid := func(a int) float32 { return policyTop - policyAbove*s - (float32(p.labels.line[a])+0.5)*lineTall*s }
	names := p.names
	if p.lines == 0 { // a line below its column marks the chosen action
		names = nil
		if p.taken >= 0 && p.taken < len(p.names) {
			g.paint.rect(p.columns.at(p.taken), policyTop+p.policyTall+s, p.columns.wide, 2*s, g.paint.colour(palette.Strong), 1)
		}
	}
	for a := range names { // a line leads from a higher name to its column
		if p.labels.line[a] > 0 {
			x := p.columns.at(a) + 3*s
			g.paint.line(x, nameMid(a)+6*s, x, policyTop-1*s, s, g.paint.colour(palette.Faint), 1)
		}
		if a == p.taken {
			g.paint.circle(p.labels.x[a]+3*s, nameMid(a), 3*s, g.paint.colour(palette.Strong), 1)
		}
	}
	piMid, muMid := policyTop+barTall/2*s, policyTop+(1.5*barTall+barGap)*s
	if net.Policy(f.Policy) == net.Softmax {
		g.bars(f, p, policyTop)
	} else {
		g.bells(f, p, policyTop)
		piMid, muMid = policyTop+bellTall/4*s, policyTop+3*bellTall/4*s
	}
	ribbonMid := policyTop + p.policyTall + (ribbonAbove+ribbonTall/2)*s
	if p.ribbon {
		g.ribbon(p.from, p.to, ribbonMid, ribbonTall*s)
	}
	g.paint.flush(screen)

	symbols := p.from - 8*s
	g.words.write(screen, "π", serif, 15*s, right, symbols, piMid, g.paint.colour(palette.Target))
	g.words.write(screen, "μ", serif, 15*s, right, symbols, muMid, g.paint.colour(palette.BehaviourText))
	if p.ribbon {
		g.words.write(screen, "Πc", serif, 13*s, right, symbols, ribbonMid, g.paint.colour(palette.Corrected))
	}
	for a, name := range names {
		role := palette.Quiet
		if a == p.taken || p.taken < 0 {
			role = palette.Strong
		}
		g.words.write(screen, shownName(name), sans, nameSize*s, left, p.labels.x[a]+9*s, nameMid(a), g.paint.colour(role))
	}
}

// bars draws a column for each action, filled by its probability.
func (g *Cell) bars(f *wire.Frame, p *strip, top float32) {
	tall := barTall * p.s
	for a := range min(len(f.Target), len(f.Behaviour), len(p.names)) {
		x, wide := p.columns.at(a), p.columns.wide
		for _, bar := range [...]struct {
			top, p float32
			role   palette.Role
		}{{top, f.Target[a], palette.Target}, {top + (barTall+barGap)*p.s, f.Behaviour[a], palette.Behaviour}} {
			g.paint.rect(x, bar.top, wide, tall, g.paint.colour(palette.Faint), 1)
			g.paint.rect(x, bar.top, wide*share(bar.p), tall, g.paint.colour(bar.role), 1)
		}
	}
}

// ribbon draws the trace from right to left, as thick as the product of the last c's, and at most as thick as its
// place.
func (g *Cell) ribbon(from, to, middle, tall float32) {
	g.paint.line(from, middle, to, middle, 1, g.paint.colour(palette.Faint), 1)
	var reach [traceSteps]float32
	each, before := (to-from)/traceSteps, float32(0)
	for i := range g.trace.reach(&reach) {
		thick := min(1, reach[i]) * tall / 2
		if i == 0 {
			before = thick
		}
		x := to - float32(i)*each
		fade := 0.9 - 0.6*float32(i)/traceSteps
		g.paint.band(x, middle-before, middle+before, x-each, middle-thick, middle+thick,
			g.paint.colour(palette.Corrected), fade)
		before = thick
	}
}

const bellPoints = 65

// bells draws the densities of real-valued actions: μ as a filled shape, π as a line over it, and the action as a dot
// on the axis. The axis is a control's range and a quarter of it on either side, where a Gaussian may draw and the
// world cuts. Both densities of a control have one scale.
func (g *Cell) bells(f *wire.Frame, p *strip, top float32) {
	n, s := len(p.names), p.s
	if len(f.Target) != 2*n || len(f.Behaviour) != 2*n || len(f.Control) != n {
		return
	}
	foot := top + p.policyTall - 4*s
	for k := range n {
		x, wide := p.columns.at(k), p.columns.wide
		place := func(v float32) float32 { return x + (min(1.5, max(-1.5, v))+1.5)/3*wide }
		var pi, mu [bellPoints]float32
		play.Bell(pi[:], net.Policy(f.Policy), f.Target[k], f.Target[n+k], -1.5, 1.5)
		play.Bell(mu[:], net.Policy(f.Policy), f.Behaviour[k], f.Behaviour[n+k], -1.5, 1.5)
		most := float32(1e-6)
		for i := range bellPoints {
			most = max(most, pi[i], mu[i])
		}
		up, each := (foot-top)/most, wide/(bellPoints-1)
		for i := range bellPoints - 1 {
			from, to := x+float32(i)*each, x+float32(i+1)*each
			g.paint.band(from, foot-mu[i]*up, foot, to, foot-mu[i+1]*up, foot, g.paint.colour(palette.Behaviour), 0.7)
		}
		for i := range bellPoints - 1 {
			from, to := x+float32(i)*each, x+float32(i+1)*each
			g.paint.line(from, foot-pi[i]*up, to, foot-pi[i+1]*up, 2*s, g.paint.colour(palette.Target), 1)
		}
		g.paint.line(x, foot, x+wide, foot, s, g.paint.colour(palette.Quiet), 1)
		for _, end := range [...]float32{-1, 1} {
			g.paint.line(place(end), foot-3*s, place(end), foot+3*s, s, g.paint.colour(palette.Quiet), 1)
		}
		g.paint.circle(place(f.Control[k]), foot, 3*s, g.paint.colour(palette.Strong), 1)
	}
}
