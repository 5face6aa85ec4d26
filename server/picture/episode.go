package picture

import (
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"slices"

	"git.sr.ht/~sbinet/gg"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/stream"
	"impalab/web/palette"
	"impalab/web/play"
	"impalab/web/wire"
)

const (
	episodeWide = 240 // pixels
	MaxSteps    = 600 // of an episode
)

// Episode plays an episode with a policy and writes it as a GIF. The run's seed decides the first state, so the same
// policy always makes the same GIF. Of a suite it plays the first task. A policy that is not finite is an error.
func Episode(to io.Writer, cfg *hyper.Config, spec net.Spec, by *play.Policies) (steps int, err error) {
	var film film
	world, last, err := Ending(cfg, spec, by, film.add)
	if err != nil {
		return 0, err
	}
	film.delay = max(2, int(100/world.Spec().Rate+0.5))
	return int(last.Length), gif.EncodeAll(to, film.cut())
}

// Ending plays the episode of Episode, and returns its world at the end with its last frame. If see is not nil, Ending
// calls it with the world at the start and after each step.
func Ending(cfg *hyper.Config, spec net.Spec, by *play.Policies, see func(envs.World)) (
	envs.World, *wire.Frame, error) {
	player, err := play.NewPlayer(cfg.World, spec, envs.NewRand(cfg.Seed, stream.Watch))
	if err != nil {
		return nil, nil, err
	}
	if see == nil {
		see = func(envs.World) {}
	}
	see(player.World())
	for {
		f, err := player.Step(by, cfg)
		if err != nil {
			return nil, nil, err
		}
		see(player.World())
		if f.End != uint8(envs.Running) || f.Length >= MaxSteps {
			return player.World(), f, nil
		}
	}
}

// film collects pictures of a world, one for each step.
type film struct {
	delay  int // between two frames, in hundredths of a second
	frames []*image.RGBA
}

func (f *film) add(w envs.World) {
	view := w.Spec().View
	scale := episodeWide / view[0]
	dc := gg.NewContext(episodeWide, int(view[1]*scale+0.5))
	c := canvas{dc, dc.Image().(*image.RGBA), float64(scale)}
	c.fill(dc.Image().Bounds(), palette.Of(palette.Ground, false))
	w.Draw(&c)
	f.frames = append(f.frames, c.pixels)
}

// cut returns the GIF. Each frame has the part that differs from the frame before.
func (f *film) cut() *gif.GIF {
	inks, nearest := f.inks()
	out := &gif.GIF{Config: image.Config{ColorModel: inks, Width: episodeWide, Height: f.frames[0].Bounds().Dy()}}
	for i, frame := range f.frames {
		where := frame.Bounds()
		if i > 0 {
			where = differs(f.frames[i-1], frame)
		}
		part := image.NewPaletted(where, inks)
		for y := where.Min.Y; y < where.Max.Y; y++ {
			for x := where.Min.X; x < where.Max.X; x++ {
				part.SetColorIndex(x, y, nearest(frame.RGBAAt(x, y)))
			}
		}
		out.Image, out.Delay = append(out.Image, part), append(out.Delay, f.delay)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	out.Delay[len(out.Delay)-1] = 150 // shows how it ended
	return out
}

// differs returns the box in which two frames differ; one pixel if they are equal, because a GIF's frame is never
// empty.
func differs(a, b *image.RGBA) (box image.Rectangle) {
	for y := range b.Rect.Dy() {
		for x := range b.Rect.Dx() {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return box
}

// inks returns the 256 most frequent colours of the frames, and a function that returns the nearest of them. Colours
// count as equal if they agree in the first five bits of red, green and blue.
func (f *film) inks() (color.Palette, func(color.RGBA) uint8) {
	key := func(c color.RGBA) int { return int(c.R>>3)<<10 | int(c.G>>3)<<5 | int(c.B>>3) }
	var count [1 << 15]int
	var first [1 << 15]color.RGBA
	var used []int
	for _, frame := range f.frames {
		for i := 0; i < len(frame.Pix); i += 4 {
			c := color.RGBA{frame.Pix[i], frame.Pix[i+1], frame.Pix[i+2], 0xFF}
			k := key(c)
			if count[k]++; count[k] == 1 {
				used, first[k] = append(used, k), c
			}
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return count[b] - count[a] })
	var inks color.Palette
	for _, k := range used[:min(len(used), 256)] {
		inks = append(inks, first[k])
	}
	var known [1 << 15]int16 // one more than the number
	return inks, func(c color.RGBA) uint8 {
		k := key(c)
		if known[k] == 0 {
			known[k] = int16(inks.Index(c)) + 1
		}
		return uint8(known[k] - 1)
	}
}

// canvas draws a world in pixels, in the colours of light paper.
type canvas struct {
	*gg.Context
	pixels *image.RGBA
	scale  float64
}

func (c *canvas) ink(i envs.Ink) color.RGBA { return palette.Of(palette.Role(i), false) }

// pixel returns a coordinate of the world in whole pixels.
func (c *canvas) pixel(v float32) int { return int(float64(v)*c.scale + 0.5) }

// box returns a box of the world in whole pixels, so that neighbours leave no gap.
func (c *canvas) box(x, y, w, h float32) image.Rectangle {
	return image.Rect(c.pixel(x), c.pixel(y), c.pixel(x+w), c.pixel(y+h))
}

func (c *canvas) fill(box image.Rectangle, in color.RGBA) {
	draw.Draw(c.pixels, box, image.NewUniform(in), image.Point{}, draw.Src)
}

func (c *canvas) Rect(x, y, w, h float32, ink envs.Ink) { c.fill(c.box(x, y, w, h), c.ink(ink)) }

func (c *canvas) Circle(x, y, r float32, ink envs.Ink) {
	c.DrawCircle(float64(x)*c.scale, float64(y)*c.scale, float64(r)*c.scale)
	c.SetColor(c.ink(ink))
	c.Fill()
}

func (c *canvas) Line(x0, y0, x1, y1, width float32, ink envs.Ink) {
	c.DrawLine(float64(x0)*c.scale, float64(y0)*c.scale, float64(x1)*c.scale, float64(y1)*c.scale)
	c.SetLineWidth(float64(width) * c.scale)
	c.SetLineCapButt()
	c.SetColor(c.ink(ink))
	c.Stroke()
}

func (c *canvas) Polygon(xy []float32, ink envs.Ink) {
	for i := 0; i+1 < len(xy); i += 2 {
		c.LineTo(float64(xy[i])*c.scale, float64(xy[i+1])*c.scale)
	}
	c.ClosePath()
	c.SetColor(c.ink(ink))
	c.Fill()
}

// Picture draws the nearest pixel of the picture.
func (c *canvas) Picture(x, y, w, h float32, rgb []byte, columns int) {
	rows := len(rgb) / 3 / columns
	all := c.box(x, y, w, h)
	seen := all.Intersect(c.pixels.Bounds())
	for j := seen.Min.Y; j < seen.Max.Y; j++ {
		for i := seen.Min.X; i < seen.Max.X; i++ {
			p := rgb[3*((j-all.Min.Y)*rows/all.Dy()*columns+(i-all.Min.X)*columns/all.Dx()):]
			c.pixels.SetRGBA(i, j, color.RGBA{p[0], p[1], p[2], 0xFF})
		}
	}
}
