//go:build js && wasm

package view

import (
	"image/color"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/envs"
	"impalab/web/palette"
)

// paint is the canvas of a world. It scales the world's units into a box of the screen, in the theme's colours.
type paint struct {
	mesh
	dark        bool
	x, y, scale float32 // the world's origin, and pixels to its unit

	batch []ebiten.Vertex
	white *ebiten.Image

	under color.RGBA // the ground of a world on a stage; without alpha: the page's
	agent color.RGBA // the agent's; without alpha: the theme's

	pictures []picture // reused in the next frame
	shown    int       // pictures of this frame, in order
}

// picture is a bitmap between the shapes before and after it.
type picture struct {
	image      *ebiten.Image
	rgba       []byte
	x, y, w, h float32
	before     int // indices of the mesh that come first
}

func newPaint() *paint {
	whole := ebiten.NewImage(3, 3)
	whole.Fill(color.White)
	middle := whole.SubImage(whole.Bounds().Inset(1)).(*ebiten.Image) // its neighbours are white too
	return &paint{white: middle}
}

// fit centres a world's view in a box, as large as possible.
func (p *paint) fit(view [2]float32, x, y, w, h float32) {
	p.scale = min(w/view[0], h/view[1])
	p.x = x + (w-view[0]*p.scale)/2
	p.y = y + (h-view[1]*p.scale)/2
}

func (p *paint) ink(i envs.Ink) color.RGBA {
	if i == envs.Ground && p.under.A > 0 {
		return p.under
	}
	if i == envs.Agent && p.agent.A > 0 {
		return p.agent
	}
	return p.colour(palette.Role(i))
}

// colour returns the colour of a role in the theme.
func (p *paint) colour(r palette.Role) color.RGBA { return palette.Of(r, p.dark) }

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

// Picture stores the pixels for flush.
func (p *paint) Picture(x, y, w, h float32, rgb []byte, columns int) {
	rows := len(rgb) / 3 / columns
	if p.shown == len(p.pictures) {
		p.pictures = append(p.pictures, picture{})
	}
	next := &p.pictures[p.shown]
	p.shown++
	if next.image == nil || next.image.Bounds().Dx() != columns || next.image.Bounds().Dy() != rows {
		if next.image != nil {
			next.image.Deallocate()
		}
		next.image, next.rgba = ebiten.NewImage(columns, rows), make([]byte, 4*columns*rows)
	}
	for i := range columns * rows {
		copy(next.rgba[4*i:], rgb[3*i:3*i+3])
		next.rgba[4*i+3] = 0xFF
	}
	next.image.WritePixels(next.rgba)
	next.x, next.y, next.w, next.h = round(p.x+x*p.scale), round(p.y+y*p.scale), round(w*p.scale), round(h*p.scale)
	next.before = len(p.indices)
}

// flush draws all collected shapes in order, with one call between two pictures.
func (p *paint) flush(screen *ebiten.Image) {
	p.batch = p.batch[:0]
	for _, v := range p.vertices {
		p.batch = append(p.batch, ebiten.Vertex{
			DstX: v.x, DstY: v.y, SrcX: 1, SrcY: 1, ColorR: v.r, ColorG: v.g, ColorB: v.b, ColorA: v.a,
		})
	}
	from := 0
	shapes := func(to int) {
		if to > from {
			screen.DrawTriangles32(p.batch, p.indices[from:to], p.white, nil)
		}
		from = to
	}
	for i := range p.shown {
		shapes(p.pictures[i].before)
		p.pictures[i].draw(screen)
	}
	shapes(len(p.indices))
	p.clear()
	p.shown = 0
}

// draw stretches the bitmap. Large pixels stay square.
func (p *picture) draw(screen *ebiten.Image) {
	size := p.image.Bounds().Size()
	var options ebiten.DrawImageOptions
	options.GeoM.Scale(float64(p.w)/float64(size.X), float64(p.h)/float64(size.Y))
	options.GeoM.Translate(float64(p.x), float64(p.y))
	if p.w < 2*float32(size.X) {
		options.Filter = ebiten.FilterLinear
	}
	screen.DrawImage(p.image, &options)
}
