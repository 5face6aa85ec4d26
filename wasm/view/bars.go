//go:build js && wasm

package view

import (
	"image/color"
	"strconv"
	"strings"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/web/palette"
	"impalab/web/wire"
)

// Under the world stand the two policies, one column for each action: what π would do (blue) over what μ does (amber).
// The action taken has a dot before its name. Below runs the ribbon of the trace: how much of the newest surprise
// reaches back to each of the last steps, newest on the right.

// Sizes in CSS pixels.
const (
	namesTall   = 18
	barTall     = 9
	barGap      = 4
	ribbonTall  = 9
	ribbonAbove = 8
	symbolsWide = 26
	aside       = 12
	stripTall   = namesTall + 2*barTall + barGap + ribbonAbove + ribbonTall + 10
)

// columns are the places of the actions.
type columns struct{ from, wide, each float32 }

func columnsOf(n int, from, to, s float32) columns {
	gap := min(10*s, (to-from)/float32(4*n))
	each := (to - from + gap) / float32(n)
	return columns{from, each - gap, each}
}

func (c columns) at(action int) float32 { return c.from + float32(action)*c.each }

// strip draws into the bottom of a screen w pixels wide, from height top on; s is pixels to a CSS pixel.
func (g *Stage) strip(screen *ebiten.Image, f *wire.Frame, spec *envs.Spec, top, w, s float32) {
	colour := func(r palette.Role) color.RGBA { return palette.Of(r, g.paint.dark) }
	from, to := (aside+symbolsWide)*s, w-aside*s
	nameMid := top + namesTall/2*s
	piTop := top + namesTall*s
	muTop := piTop + (barTall+barGap)*s
	ribbonMid := muTop + (barTall+ribbonAbove+ribbonTall/2)*s

	n := min(len(f.Target), len(f.Behaviour), len(spec.Actions))
	taken := int(f.Action)
	col := columnsOf(max(1, n), from, to, s)
	for a := range n {
		for _, bar := range [...]struct {
			top, p float32
			role   palette.Role
		}{{piTop, f.Target[a], palette.Target}, {muTop, f.Behaviour[a], palette.Behaviour}} {
			g.paint.rect(col.at(a), bar.top, col.wide, barTall*s, colour(palette.Faint), 1)
			g.paint.rect(col.at(a), bar.top, col.wide*share(bar.p), barTall*s, colour(bar.role), 1)
		}
		if a == taken {
			g.paint.circle(col.at(a)+3*s, nameMid, 3*s, colour(palette.Strong), 1)
		}
	}
	g.ribbon(from, to, ribbonMid, ribbonTall*s)
	g.paint.flush(screen)

	symbols := (aside + symbolsWide - 8) * s
	g.words.write(screen, "π", serif, 15*s, right, symbols, piTop+barTall/2*s, colour(palette.Target))
	g.words.write(screen, "μ", serif, 15*s, right, symbols, muTop+barTall/2*s, colour(palette.BehaviourText))
	g.words.write(screen, "Πc", serif, 13*s, right, symbols, ribbonMid, colour(palette.Corrected))
	for a := range n {
		role := palette.Quiet
		if a == taken {
			role = palette.Strong
		}
		name := strings.ReplaceAll(spec.Actions[a], "_", " ")
		if g.words.wide(name, sans, 12*s) < col.wide-9*s {
			g.words.write(screen, name, sans, 12*s, left, col.at(a)+9*s, nameMid, colour(role))
		} else if a == taken { // there is no room over its column
			g.words.write(screen, name, sans, 12*s, right, to, 14*s, colour(role))
		}
	}
	wide := g.words.write(screen, "V(x)", serif, 14*s, left, aside*s, 14*s, colour(palette.Quiet))
	g.words.figures(screen, number(f.Value), 12*s, aside*s+wide+4*s, 14*s, colour(palette.Strong))
}

// ribbon draws the trace from right to left, as thick as the product of the last c's; beyond 1 it grows no thicker than
// its place allows.
func (g *Stage) ribbon(from, to, middle, tall float32) {
	g.paint.line(from, middle, to, middle, 1, palette.Of(palette.Faint, g.paint.dark), 1)
	var reach [traceSteps]float32
	each, before := (to-from)/traceSteps, float32(0)
	for i := range g.trace.reach(&reach) {
		thick := min(1, reach[i]) * tall / 2
		if i == 0 {
			before = thick
		}
		x := to - float32(i)*each
		fade := 0.9 - 0.6*float32(i)/traceSteps
		g.paint.quad(x, middle, before, x-each, thick, palette.Of(palette.Corrected, g.paint.dark), fade)
		before = thick
	}
}

// number has two decimals and at most seven figures.
func number(v float32) string {
	switch {
	case v != v:
		return "–"
	case v > 99999 || v < -99999:
		return strconv.FormatFloat(float64(v), 'e', 1, 32)
	}
	text := strconv.FormatFloat(float64(v), 'f', 2, 32)
	if text == "-0.00" {
		return "0.00"
	}
	return text
}

func share(p float32) float32 {
	if p != p {
		return 0
	}
	return min(1, max(0, p))
}
