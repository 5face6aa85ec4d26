//go:build js && wasm

package view

import (
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/web/number"
	"impalab/web/palette"
)

// Where the page writes the name and the score of an answer, in CSS pixels.
const (
	answerHead  = 48  // above the answer…
	answerLow   = 36  // …on a phone
	answerAside = 104 // right of it, for the two likeliest symbols
	answerBroad = 430 // width of a stage above which they stand there
)

// writes draws the answer of an agent that writes, in the run's colour, below the page's name and score.
func (g *Cell) writes(screen *ebiten.Image, b box, s float32) {
	head, margin, right := answerHead*s, aside*s, float32(0)
	switch {
	case b.w < 220*s:
		head, margin = answerLow*s, 4*s
	case b.w > answerBroad*s:
		right = answerAside * s
	}
	view := g.world.Spec().View
	g.paint.under, g.paint.agent = g.floorColour(), g.paint.colour(g.ink)
	g.paint.fit(view, b.x+margin, b.y+head, b.w-2*margin-right, b.h-head-worldBelow*s)
	g.picture()
	g.paint.flush(screen)
	if right > 0 && g.judges() && !g.falls() {
		g.likeliest(screen, g.paint.x+view[0]*g.paint.scale+14*s, s)
	}
	g.paint.under, g.paint.agent = color.RGBA{}, color.RGBA{}
}

// likeliest writes the two likeliest symbols of the newest place, each with its probability.
func (g *Cell) likeliest(screen *ebiten.Image, x, s float32) {
	writing, ok := envs.WritingOf(g.world)
	symbols, known := g.roll.likeliest()
	if !ok || !known {
		return
	}
	likely := g.roll.likely[len(g.roll.likely)-1]
	_, y, _, high, _ := writing.Field(writing.Written()-1, 1)
	middle := g.paint.y + (y+high/2)*g.paint.scale
	ink, quiet := g.paint.colour(g.ink), g.paint.colour(palette.Quiet)
	g.words.write(screen, "how likely", sans, 13*s, left, x, middle-22*s, quiet)
	for k, symbol := range symbols {
		style := bold
		if k > 0 {
			style, ink = sans, quiet
		}
		said := g.world.Spec().Actions[symbol] + " " + number.Percent(likely[symbol])
		g.words.write(screen, said, style, 15*s, left, x, middle+float32(20*k)*s, ink)
	}
}
