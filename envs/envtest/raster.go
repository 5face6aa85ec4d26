package envtest

import (
	"image"
	"image/color"
	"math"

	"impalab/envs"
)

// Raster is a canvas of pixels, for looking at worlds without a page: four samples a pixel each way, then averaged.
type Raster struct {
	scale float32
	fine  *image.RGBA
	inks  [envs.Past + 1]color.RGBA
}

const fineness = 4

// Light is the drawing language on white paper.
var Light = [envs.Past + 1]color.RGBA{
	envs.Ground: {0xF4, 0xF5, 0xF6, 0xFF},
	envs.Wall:   {0x9A, 0xA1, 0xA9, 0xFF},
	envs.Faint:  {0xD9, 0xDD, 0xE1, 0xFF},
	envs.Strong: {0x1C, 0x22, 0x28, 0xFF},
	envs.Agent:  {0x0B, 0x62, 0xA8, 0xFF},
	envs.Harm:   {0xB5, 0x40, 0x2C, 0xFF},
	envs.Prize:  {0x00, 0x79, 0x5A, 0xFF},
	envs.Past:   {0xB3, 0x6B, 0x00, 0xFF},
}

// NewRaster makes a white canvas for a view, width pixels wide.
func NewRaster(view [2]float32, width int, inks [envs.Past + 1]color.RGBA) *Raster {
	r := &Raster{scale: float32(width*fineness) / view[0], inks: inks}
	height := int(math.Ceil(float64(float32(width) * view[1] / view[0])))
	r.fine = image.NewRGBA(image.Rect(0, 0, width*fineness, height*fineness))
	for i := range r.fine.Pix {
		r.fine.Pix[i] = 0xFF
	}
	return r
}

// Image returns the drawing at the given width.
func (r *Raster) Image() *image.RGBA {
	size := r.fine.Bounds().Size().Div(fineness)
	out := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			var sum [4]int
			for i := range fineness * fineness {
				at := r.fine.PixOffset(x*fineness+i%fineness, y*fineness+i/fineness)
				for k := range sum {
					sum[k] += int(r.fine.Pix[at+k])
				}
			}
			at := out.PixOffset(x, y)
			for k := range sum {
				out.Pix[at+k] = byte(sum[k] / (fineness * fineness))
			}
		}
	}
	return out
}

// fill colours the samples of a box that lie inside.
func (r *Raster) fill(x0, y0, x1, y1 float32, ink envs.Ink, inside func(x, y float32) bool) {
	box := image.Rect(int(x0*r.scale), int(y0*r.scale), int(x1*r.scale)+1, int(y1*r.scale)+1).Intersect(r.fine.Bounds())
	for j := box.Min.Y; j < box.Max.Y; j++ {
		for i := box.Min.X; i < box.Max.X; i++ {
			if inside((float32(i)+.5)/r.scale, (float32(j)+.5)/r.scale) {
				r.fine.SetRGBA(i, j, r.inks[ink])
			}
		}
	}
}

func (r *Raster) Rect(x, y, w, h float32, ink envs.Ink) {
	r.Polygon([]float32{x, y, x + w, y, x + w, y + h, x, y + h}, ink)
}

func (r *Raster) Circle(x, y, radius float32, ink envs.Ink) {
	r.fill(x-radius, y-radius, x+radius, y+radius, ink, func(px, py float32) bool {
		return (px-x)*(px-x)+(py-y)*(py-y) <= radius*radius
	})
}

func (r *Raster) Line(x0, y0, x1, y1, width float32, ink envs.Ink) {
	length := float32(math.Hypot(float64(x1-x0), float64(y1-y0)))
	if length == 0 {
		return
	}
	nx, ny := (y0-y1)/length*width/2, (x1-x0)/length*width/2
	r.Polygon([]float32{x0 + nx, y0 + ny, x1 + nx, y1 + ny, x1 - nx, y1 - ny, x0 - nx, y0 - ny}, ink)
}

func (r *Raster) Polygon(xy []float32, ink envs.Ink) {
	x0, y0, x1, y1 := xy[0], xy[1], xy[0], xy[1]
	for i := 0; i < len(xy); i += 2 {
		x0, y0, x1, y1 = min(x0, xy[i]), min(y0, xy[i+1]), max(x1, xy[i]), max(y1, xy[i+1])
	}
	r.fill(x0, y0, x1, y1, ink, func(px, py float32) bool {
		left, right := false, false // convex: inside is on the same side of every edge
		for i := 0; i < len(xy); i += 2 {
			j := (i + 2) % len(xy)
			side := (xy[j]-xy[i])*(py-xy[i+1]) - (xy[j+1]-xy[i+1])*(px-xy[i])
			left, right = left || side > 0, right || side < 0
		}
		return !(left && right)
	})
}

// Picture shows the nearest pixel.
func (r *Raster) Picture(x, y, w, h float32, rgb []byte, columns int) {
	rows := len(rgb) / 3 / columns
	x0, x1 := int(x*r.scale+.5), int((x+w)*r.scale+.5)
	y0, y1 := int(y*r.scale+.5), int((y+h)*r.scale+.5)
	for j := max(y0, 0); j < min(y1, r.fine.Rect.Max.Y); j++ {
		row := (j - y0) * rows / (y1 - y0)
		for i := max(x0, 0); i < min(x1, r.fine.Rect.Max.X); i++ {
			p := rgb[3*(row*columns+(i-x0)*columns/(x1-x0)):]
			r.fine.SetRGBA(i, j, color.RGBA{p[0], p[1], p[2], 0xFF})
		}
	}
}
