package picture

import (
	"bytes"
	"image"
	"image/color"
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
)

// Size of an episode's picture: so many pixels across, and so many steps at most.
const (
	episodeWide = 240
	MaxSteps    = 600
)

// Episode plays one with a policy and writes it as a GIF: from a first state that the run's seed decides, so that the
// same policy always shows the same. Of a suite it is one of the first task. It fails where the policy is not finite.
func Episode(to io.Writer, cfg *hyper.Config, spec net.Spec, by *play.Policies) (steps int, err error) {
	player, err := play.NewPlayer(cfg.World, spec, envs.NewRand(cfg.Seed, stream.Watch))
	if err != nil {
		return 0, err
	}
	film := film{delay: max(2, int(100/player.Rate()+0.5)), view: player.World().Spec().View}
	film.add(player.World())
	for over := false; !over && steps < MaxSteps; steps++ {
		f, err := player.Step(by, cfg)
		if err != nil {
			return steps, err
		}
		film.add(player.World())
		over = f.End != uint8(envs.Running)
	}
	return steps, gif.EncodeAll(to, film.cut())
}

// film collects what a world looks like, step for step.
type film struct {
	view   [2]float32
	delay  int // between two frames, in hundredths of a second
	frames []*image.RGBA
}

func (f *film) add(w envs.World) {
	scale := episodeWide / f.view[0]
	dc := gg.NewContext(episodeWide, int(f.view[1]*scale+0.5))
	c := canvas{dc, dc.Image().(*image.RGBA), float64(scale)}
	c.fill(dc.Image().Bounds(), palette.Of(palette.Ground, false))
	w.Draw(&c)
	f.frames = append(f.frames, c.pixels)
}

// cut makes the GIF: of each frame the part that differs from the one before.
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
	out.Delay[len(out.Delay)-1] = 150 // how it ended
	return out
}

// differs is the box in which two frames do; a pixel, where they do not: a GIF's frame is never empty.
func differs(a, b *image.RGBA) image.Rectangle {
	box := image.Rectangle{}
	size := b.Bounds()
	for y := range size.Dy() {
		from, to := a.PixOffset(0, y), a.PixOffset(size.Dx(), y)
		if bytes.Equal(a.Pix[from:to], b.Pix[from:to]) {
			continue
		}
		for x := range size.Dx() {
			if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		box = image.Rect(0, 0, 1, 1)
	}
	return box
}

// inks are the 256 colours that the frames have most of, and which of them is nearest to a colour.
func (f *film) inks() (color.Palette, func(color.RGBA) uint8) {
	const bits = 5 // of each of red, green and blue
	key := func(c color.RGBA) int { return int(c.R>>3)<<(2*bits) | int(c.G>>3)<<bits | int(c.B>>3) }
	var count [1 << (3 * bits)]int
	var seen [1 << (3 * bits)]color.RGBA
	for _, frame := range f.frames {
		for i := 0; i < len(frame.Pix); i += 4 {
			c := color.RGBA{frame.Pix[i], frame.Pix[i+1], frame.Pix[i+2], 0xFF}
			k := key(c)
			count[k]++
			if count[k] == 1 {
				seen[k] = c
			}
		}
	}
	var used []int
	for k, n := range count {
		if n > 0 {
			used = append(used, k)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return count[b] - count[a] })
	used = used[:min(len(used), 256)]
	var inks color.Palette
	for _, k := range used {
		inks = append(inks, seen[k])
	}
	var known [1 << (3 * bits)]int16 // one more than the number
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

// whole is a box of the world in whole pixels, so that neighbours leave no seam.
func (c *canvas) whole(x, y, w, h float32) image.Rectangle {
	at := func(v float32) int { return int(float64(v)*c.scale + 0.5) }
	return image.Rect(at(x), at(y), at(x+w), at(y+h)).Intersect(c.pixels.Bounds())
}

func (c *canvas) fill(box image.Rectangle, in color.RGBA) {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c.pixels.SetRGBA(x, y, in)
		}
	}
}

func (c *canvas) Rect(x, y, w, h float32, ink envs.Ink) { c.fill(c.whole(x, y, w, h), c.ink(ink)) }

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

// Picture shows the nearest pixel.
func (c *canvas) Picture(x, y, w, h float32, rgb []byte, columns int) {
	rows := len(rgb) / 3 / columns
	whole := func(v float32) int { return int(float64(v)*c.scale + 0.5) }
	x0, y0, x1, y1 := whole(x), whole(y), whole(x+w), whole(y+h)
	box := c.whole(x, y, w, h)
	for j := box.Min.Y; j < box.Max.Y; j++ {
		for i := box.Min.X; i < box.Max.X; i++ {
			p := rgb[3*((j-y0)*rows/(y1-y0)*columns+(i-x0)*columns/(x1-x0)):]
			c.pixels.SetRGBA(i, j, color.RGBA{p[0], p[1], p[2], 0xFF})
		}
	}
}
