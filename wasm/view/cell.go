//go:build js && wasm

package view

import (
	"image/color"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/envs/bodies"
	"impalab/web/palette"
	"impalab/web/play"
	"impalab/web/wire"
)

// Cell is the picture of one run: its world and its recent past.
type Cell struct {
	*Stage
	trace trace
	frame *wire.Frame
	world envs.World // of the frame; nil before the first

	Tumble *play.Tumble // the played fall of the agent, or nil
	trail  []envs.Stick // the newest poses of a stick, the oldest first
	ink    palette.Role // of the agent: which of the runs it is

	film film
	past past
	roll roll // of a world whose agent writes

	outlined int          // symbols of its answer that are outlines
	body     bodies.Posed // of the world; nil where it has none
	gait     *gait
	pose     bodies.Pose   // as drawn
	spare    []bodies.Limb // of a ghost
	earlier  *gait         // of the run before, or nil
	glides   bool          // the world's picture moves between its steps
	arrived  time.Time     // when the newest frame came
	each     time.Duration // two steps

	chart          *play.Map // over the world, or nil
	arrows, values bool

	title Title
}

// Show shows a frame; nil empties the cell. A frame that cannot be shown is an error, and the last one stays.
func (g *Cell) Show(f *wire.Frame) error {
	if f == nil {
		if g.gait != nil {
			g.earlier = g.gait
		}
		g.gait = nil
		g.frame, g.world, g.trace, g.trail = nil, nil, trace{}, g.trail[:0]
		g.past.clear()
		ebiten.ScheduleFrame()
		return nil
	}
	if g.world == nil || g.world.Spec().Name != f.World {
		world, err := envs.New(f.World)
		if err != nil {
			return err
		}
		g.world, g.trace, g.film, g.glides = world, trace{}, film{}, glides(world)
		g.past.clear()
		g.roll, g.outlined = roll{}, 0
		g.each = time.Duration(float64(time.Second) / float64(world.Spec().Rate))
		g.body = bodies.Of(world)
		if g.gait = newGait(g.body, world.Spec()); g.gait != nil && g.earlier != nil && g.earlier.world == g.gait.world {
			g.gait.flag = g.earlier.best
		}
	}
	if err := g.world.SetState(f.State); err != nil {
		return err
	}
	follows := g.frame != nil && f.Number == g.frame.Number+1 && f.Length > 1
	if g.gait != nil {
		same := g.frame != nil && f.Number-g.frame.Number == uint64(f.Length-g.frame.Length) && f.Length > g.frame.Length
		g.gait.add(g.body, same, envs.End(f.End) == envs.Terminated)
	} else if stick, ok := envs.StickOf(g.world); ok {
		g.balance(stick, follows)
	} else {
		g.past.add(g.world, follows)
		if writing, ok := envs.WritingOf(g.world); ok {
			g.roll.add(writing, f)
		}
		if g.glides {
			g.film.add(g.world, follows)
		}
	}
	g.arrived = time.Now()
	g.frame = f
	g.trace.add(f)
	ebiten.ScheduleFrame()
	return nil
}

// Map draws a map over its world: the policy of each state as arrows, its value as a tint.
func (g *Cell) Map(m *play.Map, arrows, values bool) {
	g.chart, g.arrows, g.values = m, arrows, values
	ebiten.ScheduleFrame()
}

// draw draws the cell into its box, s pixels to a CSS pixel: its stage, and below it or beside it the policies.
func (g *Cell) draw(screen *ebiten.Image, b box, s float32, letter string) {
	if g.frame == nil {
		g.staged(screen, b, s, letter)
		return
	}
	spec := g.world.Spec()
	under := g.stripOf(g.frame, spec, b, s)
	stage := box{b.x, b.y, b.w, b.h - under.tall()}
	top := stage.y + stage.h
	if under.policy && beside(b) {
		stage, top = box{b.x, b.y, g.split(b, s), b.h}, max(b.y, b.y+(b.h-under.tall())/2)
	}
	g.staged(screen, stage, s, letter)
	if under.policy {
		g.strip(screen, g.frame, spec, &under, top)
	}
}

// split returns the width of the world in a low box, where the policies stand beside it: half of the box, and up to two
// thirds for a wide picture.
func (g *Cell) split(b box, s float32) float32 {
	if g.panelled() {
		return b.w / 2
	}
	view := g.world.Spec().View
	wide := view[0]/view[1]*(b.h-(headTall+worldBelow)*s) + 2*aside*s
	return max(b.w/2, min(wide, 2*b.w/3))
}

// panelled reports whether the world stands on a stage of its own.
func (g *Cell) panelled() bool { return g.gait != nil || len(g.trail) > 0 }

// under lays out the policies of one of two stacked cells, below both of w × h.
func (g *Cell) under(w, h, s float32) (p strip) {
	if g.frame == nil {
		return p
	}
	p = g.stripOf(g.frame, g.world.Spec(), box{0, 0, w, h}, s)
	p.parts = partsFor(.56*h/s, p.policyTall/s, p.labels.lines)
	if !g.judges() {
		p.parts = parts{}
	}
	return p
}

// corner is the radius of a stage's corners, in CSS pixels.
const corner = 6

// staged draws the world into a box, with the run's letter, name and score.
func (g *Cell) staged(screen *ebiten.Image, b box, s float32, letter string) {
	if g.frame == nil {
		g.words.write(screen, "Waiting for the world", sans, 13*s, centre, b.x+b.w/2, b.y+b.h/2,
			g.paint.colour(palette.Quiet))
		g.head(screen, b, s, letter)
		return
	}
	below := box{b.x, b.y + headTall*s, b.w, b.h - headTall*s}
	if !g.panelled() {
		if _, ok := envs.WritingOf(g.world); ok && g.down() {
			g.paint.under = blend(g.paint.colour(palette.Ground), g.paint.colour(palette.Sore), g.Tumble.Sore(g.calm.Matches()))
			g.paint.rounded(b.x, b.y, b.w, b.h, corner*s, corner*s, g.paint.under, 1)
		}
		g.paint.fit(g.world.Spec().View, below.x+aside*s, below.y, below.w-2*aside*s, below.h-worldBelow*s)
		g.picture()
		g.paint.under = color.RGBA{}
		g.paint.flush(screen)
		g.head(screen, b, s, letter)
		return
	}
	g.paint.rounded(b.x, b.y, b.w, b.h, corner*s, corner*s, g.floorColour(), 1)
	g.paint.flush(screen)
	if g.gait != nil {
		g.bodied(screen, below, s, g.way())
	} else {
		g.balanced(screen, b, s)
	}
	g.head(screen, b, s, letter)
}

func (g *Cell) plain(screen *ebiten.Image, b box, s float32) {
	g.paint.rounded(b.x, b.y, b.w, b.h, corner*s, corner*s, g.floorColour(), 1)
	g.paint.flush(screen)
	if g.frame == nil {
		return
	}
	if g.gait != nil { // below the page's name and score
		const head = 34
		g.bodied(screen, box{b.x, b.y + head*s, b.w, b.h - head*s}, s, g.way())
		return
	}
	if len(g.trail) > 0 {
		g.balanced(screen, b, s)
		return
	}
	g.writes(screen, b, s)
}

// Title is what stands on a stage: the run's name, its score, and what the score counts. Weak: it fell.
type Title struct {
	Name, Score, Unit string
	Weak              bool
}

// Name puts a title on the stage.
func (g *Cell) Name(t Title) {
	if t != g.title {
		g.title = t
		ebiten.ScheduleFrame()
	}
}

// head writes the run's letter on a disc, its name and its score.
func (g *Cell) head(screen *ebiten.Image, b box, s float32, letter string) {
	x, y, ink := b.x+aside*s, b.y+16*s, g.paint.colour(g.ink)
	if letter != "" {
		g.paint.circle(x+8*s, y, 9.5*s, ink, 1)
		g.paint.flush(screen)
		g.words.write(screen, letter, bold, 13*s, centre, x+8*s, y, g.paint.colour(palette.Ground))
		x += 24 * s
	}
	large, small := float32(25), float32(15)
	switch wide, high := b.w/s, b.h/s; {
	case wide < 220 || !g.panelled():
		large, small = 17, 13
	case wide > 400 && high > 280:
		large, small = 44, 17
	}
	strong, quiet := g.paint.colour(palette.Strong), g.paint.colour(palette.Quiet)
	title := g.title
	if g.gait != nil && title.Score != "" { // a body's score is its way
		title.Score, title.Unit = g.gait.score()
		title.Weak = title.Weak || g.gait.fell > 0
	}
	name, score := g.words.wide(title.Name, bold, small*s), g.words.wide(title.Score, bold, large*s)
	edge := b.x + b.w - aside*s
	if x+name+8*s < edge-score {
		g.pale(screen, x, y, name, small*s)
		g.words.write(screen, title.Name, bold, small*s, left, x, y, strong)
	}
	if x+score > edge {
		return
	}
	if title.Weak {
		ink = g.paint.colour(palette.Cut)
	}
	middle := b.y + (7+large/2)*s
	g.words.write(screen, title.Score, bold, large*s, right, edge, middle, ink)
	if large > 17 && b.h > 90*s {
		unit, y := g.words.wide(title.Unit, sans, 13*s), middle+(large/2+9)*s
		g.pale(screen, edge-unit, y, unit, 13*s)
		g.words.write(screen, title.Unit, sans, 13*s, right, edge, y, quiet)
	}
}

// pale pales a stage where words of a size stand with their middle at height y: a pole or its fan may lie there.
func (g *Cell) pale(screen *ebiten.Image, x, y, wide, size float32) {
	g.paint.rounded(x-.3*size, y-.75*size, wide+.6*size, 1.5*size, .3*size, .3*size, g.floorColour(), .8)
	g.paint.flush(screen)
}

// judges reports whether the player has a policy and values; a person has neither.
func (g *Cell) judges() bool { return g.frame.Ratio == g.frame.Ratio }

// picture draws the world, or its map, or its motion between two steps.
func (g *Cell) picture() {
	g.outline()
	if world, ok := g.mapped(); ok {
		g.overlay(world)
		return
	}
	if g.past.drawn.bitmap {
		g.world.Draw(g.paint)
		return
	}
	drawn := &g.past.drawn
	if g.glides {
		drawn = g.film.at(g.way())
	}
	floor := drawn.foot()
	drawn.draw(g.paint, 0, floor)
	g.images()
	drawn.draw(g.paint, floor, len(drawn.shapes))
}

// outline turns the symbols of a fallen answer to outlines.
func (g *Cell) outline() {
	writing, ok := envs.WritingOf(g.world)
	if !ok || g.Tumble == nil {
		return
	}
	if n := g.Tumble.Outlined(); n != g.outlined {
		g.outlined = n
		writing.Outline(n)
		g.past.add(g.world, true)
	}
	if g.falls() && !g.Tumble.Rests() {
		g.move()
	}
}

// images draws where the agent was, or how likely each of its symbols was.
func (g *Cell) images() {
	p := g.paint
	if writing, ok := envs.WritingOf(g.world); ok {
		g.roll.show(&p.mesh, writing, p.x, p.y, p.scale, p.ink(envs.Agent))
		return
	}
	g.past.show(&p.mesh, p.x, p.y, p.scale, p.colour(g.ink), g.glides)
}

// way is the share of the way from the last picture to the newest, and asks for another frame until it is 1.
func (g *Cell) way() float32 {
	way := float32(time.Since(g.arrived)) / float32(g.each)
	if way >= 1 || g.calm.Matches() {
		return 1
	}
	g.move()
	return way
}
