//go:build js && wasm

package view

import (
	"impalab/learner/net"
	"impalab/web/palette"
	"impalab/web/play"
	"impalab/web/wire"
)

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
			g.paint.slab(from, foot, mu[i]*up, to, mu[i+1]*up, g.paint.colour(palette.Behaviour), 0.7)
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
