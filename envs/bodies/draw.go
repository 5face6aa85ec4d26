package bodies

import (
	"math"

	"impalab/envs/world"
)

const margin = .25 // m of ground in the picture

// Draw keeps the root in the middle. The left side is the far one.
func (w *creature) Draw(c world.Canvas) {
	b, m, view := w.body, &w.m, w.task.view
	wide, tall := view[0], view[1]
	left, floor := m.x-float64(wide)/2, float64(tall-margin)
	if w.terrain != flat {
		under, _ := w.land.height(m.x)
		floor += under // the camera climbs with the ground
	}
	at := func(x, z float64) (float32, float32) {
		return min(max(float32(x-left), 0), wide), min(max(float32(floor-z), 0), tall)
	}
	const cells = 40
	cell := float64(wide) / cells
	for i := range cells {
		x := left + float64(i)*cell
		z, _ := w.land.height(x + cell/2)
		x0, y0 := at(x, z)
		if w.terrain == flat {
			c.Rect(0, y0, wide, tall-y0, world.Wall)
			break
		}
		c.Rect(x0, y0, float32(cell), tall-y0, world.Wall)
	}
	// Each metre's mark keeps its place in the list of shapes, so between two pictures it glides.
	marks := int(wide) + 1
	for i := range marks {
		x := left + math.Mod(math.Mod(float64(i)-left, float64(marks))+float64(marks), float64(marks))
		z, _ := w.land.height(x)
		x0, y0 := at(x, z)
		c.Line(x0, y0, x0, min(y0+.1, tall), .02, world.Faint)
	}
	for i := b.n - 1; i >= 0; i-- {
		ink := world.Agent
		if w.task.far(i) {
			ink = world.Past
		}
		for _, k := range w.task.plan.links[i].bones {
			x0, y0 := at(b.position(m, &w.fs, i, k.from))
			x1, y1 := at(b.position(m, &w.fs, i, k.to))
			r := float32(k.radius)
			c.Line(x0, y0, x1, y1, 2*r, ink)
			c.Circle(x0, y0, r, ink)
			c.Circle(x1, y1, r, ink)
		}
	}
}
