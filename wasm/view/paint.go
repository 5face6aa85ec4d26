//go:build js && wasm

package view

import (
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/web/palette"
)

// paint is the canvas a world draws on: the world's units scaled into a box of the screen, inks in the theme's colours.
type paint struct {
	mesh
	dark        bool
	x, y, scale float32 // where the world's origin stands, and pixels to its unit

	batch []ebiten.Vertex
	white *ebiten.Image
}

func newPaint() *paint {
	whole := ebiten.NewImage(3, 3)
	whole.Fill(color.White)
	middle := whole.SubImage(whole.Bounds().Inset(1)).(*ebiten.Image) // its neighbours are white too
	return &paint{white: middle}
}

// fit places a world's view into a box, as large as it goes, in the middle.
func (p *paint) fit(view [2]float32, x, y, w, h float32) {
	p.scale = min(w/view[0], h/view[1])
	p.x = x + (w-view[0]*p.scale)/2
	p.y = y + (h-view[1]*p.scale)/2
}

func (p *paint) ink(i envs.Ink) color.RGBA { return palette.Of(palette.Role(i), p.dark) }

func (p *paint) Rect(x, y, w, h float32, ink envs.Ink) {
	p.rect(p.x+x*p.scale, p.y+y*p.scale, w*p.scale, h*p.scale, p.ink(ink), 1)
}

func (p *paint) Circle(x, y, r float32, ink envs.Ink) {
	p.circle(p.x+x*p.scale, p.y+y*p.scale, r*p.scale, p.ink(ink), 1)
}

func (p *paint) Line(x0, y0, x1, y1, width float32, ink envs.Ink) {
	p.line(p.x+x0*p.scale, p.y+y0*p.scale, p.x+x1*p.scale, p.y+y1*p.scale, width*p.scale, p.ink(ink), 1)
}

func (p *paint) Polygon(xy []float32, ink envs.Ink) {
	p.outline = p.outline[:0]
	for i := 0; i+1 < len(xy); i += 2 {
		p.outline = append(p.outline, p.x+xy[i]*p.scale, p.y+xy[i+1]*p.scale)
	}
	p.convex(p.outline, p.ink(ink), 1)
}

// flush draws everything collected, in order, in one call.
func (p *paint) flush(screen *ebiten.Image) {
	p.batch = p.batch[:0]
	for _, v := range p.vertices {
		p.batch = append(p.batch, ebiten.Vertex{
			DstX: v.x, DstY: v.y, SrcX: 1, SrcY: 1, ColorR: v.r, ColorG: v.g, ColorB: v.b, ColorA: v.a,
		})
	}
	screen.DrawTriangles32(p.batch, p.indices, p.white, nil)
	p.clear()
}
