//go:build js && wasm

package view

import (
	"impalab/envs"
	"impalab/web/palette"
	"impalab/web/play"
)

// What a map overlays on a world: values, visits and the likeliest ways.

// mapped returns the world of the map, if there is a map to draw.
func (g *Cell) mapped() (envs.Mapped, bool) {
	world, ok := g.world.(envs.Mapped)
	return world, ok && g.chart != nil && g.chart.World == world.Spec().Name
}

// overlay draws a finite world with its map: tints on its floor and arrows above. A state with a positive value is
// green, a negative one vermilion, stronger further from 0. An arrow is as long as its action is likely, beside the
// likeliest of the map: blue for π, and amber below it for μ where μ differs.
func (g *Cell) overlay(world envs.Mapped) {
	picture := &g.film.next
	picture.clear()
	world.Draw(picture)
	floor := picture.foot()
	picture.draw(g.paint, 0, floor)
	if most := max(g.chart.High, -g.chart.Low); g.values && most > 0 {
		g.states(world, func(s int, x, y, room float32) {
			v, role := g.chart.Value[s], palette.Prize
			if v < 0 {
				v, role = -v, palette.Harm
			}
			g.paint.rect(x-room, y-room, 2*room, 2*room, g.paint.colour(role), 0.55*share(v/most))
		})
	}
	g.images()
	picture.draw(g.paint, floor, len(picture.shapes))
	if g.arrows {
		g.states(world, func(s int, x, y, room float32) {
			for a := range g.chart.Actions {
				if dx, dy := play.Way(world, s, a); g.chart.Differs(s, a) {
					g.paint.arrow(x, y, dx, dy, room, g.chart.Acting[s*g.chart.Actions+a]/g.chart.Most, palette.Behaviour)
				}
			}
			for a := range g.chart.Actions {
				dx, dy := play.Way(world, s, a)
				g.paint.arrow(x, y, dx, dy, room, g.chart.Policy[s*g.chart.Actions+a]/g.chart.Most, palette.Target)
			}
		})
	}
}

// states visits every state that has actions, with its place in pixels.
func (g *Cell) states(world envs.Mapped, visit func(s int, x, y, room float32)) {
	p, mdp := g.paint, world.MDP()
	for s := range mdp.States {
		if x, y, room, ok := world.Position(s); ok && !mdp.Over[s] {
			visit(s, p.x+x*p.scale, p.y+y*p.scale, room*p.scale)
		}
	}
}

// arrow points from the middle of a state, as long as its probability.
func (p *paint) arrow(x, y, dx, dy, room, likely float32, role palette.Role) {
	if dx == 0 && dy == 0 || !(likely > 0.02) {
		return
	}
	ink := p.colour(role)
	tip := 0.9 * room * min(1, likely)
	head := min(tip, 0.28*room)
	bx, by, half := x+dx*(tip-head), y+dy*(tip-head), 0.7*head
	p.line(x, y, bx, by, max(1, 0.12*room), ink, 0.9)
	p.convex([]float32{x + dx*tip, y + dy*tip, bx - dy*half, by + dx*half, bx + dy*half, by - dx*half}, ink, 0.9)
}
