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

// FilmBytes is the memory that Episode takes, at most: two bytes of a pixel, then one.
const FilmBytes = 3 * episodeWide * episodeWide * (MaxSteps + 1)

// Episode plays an episode with a policy and writes it as a GIF. The run's seed decides the first state, so the same
// policy always makes the same GIF. Of a suite it plays the first task. A policy that is not finite is an error. Going
// is called between two frames; its error ends the film.
func Episode(to io.Writer, cfg *hyper.Config, spec net.Spec, by *play.Policies, going func() error) (steps int,
	err error) {
	var film film
	world, last, err := Ending(cfg, spec, by, film.add, going)
	if err != nil {
		return 0, err
	}
	film.delay = max(2, int(100/world.Spec().Rate+0.5))
	cut, err := film.cut(going)
	if err != nil {
		return 0, err
	}
	return int(last.Length), gif.EncodeAll(writer(func(p []byte) (int, error) {
		if err := going(); err != nil {
			return 0, err
		}
		return to.Write(p)
	}), cut)
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// Ending plays the episode of Episode, and returns its world at the end with its last frame. If see is not nil, Ending
// calls it with the world at the start and after each step. Going is called after each step; its error ends the
// episode.
func Ending(cfg *hyper.Config, spec net.Spec, by *play.Policies, see func(envs.World), going func() error) (
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
		if err := going(); err != nil {
			return nil, nil, err
		}
	}
}

// film collects pictures of a world, one for each step. Colours count as equal if they agree in the first five bits of
// red, green and blue, which are the shade of a pixel.
type film struct {
	delay  int // between two frames, in hundredths of a second
	bounds image.Rectangle
	frames [][]uint16 // shades
	drawn  *gg.Context
	count  [1 << 15]int        // of each shade
	first  [1 << 15]color.RGBA // the first colour of the shade
}

func (f *film) add(w envs.World) {
	view := w.Spec().View
	scale := episodeWide / view[0]
	if f.drawn == nil {
		f.drawn = gg.NewContext(episodeWide, int(view[1]*scale+0.5))
		f.bounds = f.drawn.Image().Bounds()
	}
	c := canvas{f.drawn, f.drawn.Image().(*image.RGBA), float64(scale)}
	c.fill(f.bounds, palette.Of(palette.Ground, false))
	w.Draw(&c)
	shades := make([]uint16, f.bounds.Dx()*f.bounds.Dy())
	for i := range shades {
		p := c.pixels.Pix[4*i:]
		s := uint16(p[0]>>3)<<10 | uint16(p[1]>>3)<<5 | uint16(p[2]>>3)
		if f.count[s]++; f.count[s] == 1 {
			f.first[s] = color.RGBA{p[0], p[1], p[2], 0xFF}
		}
		shades[i] = s
	}
	f.frames = append(f.frames, shades)
}

// cut returns the GIF. Each frame has the part that differs from the frame before. Going is called after each; its
// error ends the cut.
func (f *film) cut(going func() error) (*gif.GIF, error) {
	inks := f.inks()
	var nearest [1 << 15]uint8
	for s, n := range f.count {
		if n > 0 {
			nearest[s] = uint8(inks.Index(f.first[s]))
		}
	}
	out := &gif.GIF{Config: image.Config{ColorModel: inks, Width: episodeWide, Height: f.bounds.Dy()}}
	for i, frame := range f.frames {
		where := f.bounds
		if i > 0 {
			where = f.differs(f.frames[i-1], frame)
			f.frames[i-1] = nil
		}
		part := image.NewPaletted(where, inks)
		for y := where.Min.Y; y < where.Max.Y; y++ {
			row := frame[y*f.bounds.Dx():]
			for x := where.Min.X; x < where.Max.X; x++ {
				part.Pix[part.PixOffset(x, y)] = nearest[row[x]]
			}
		}
		out.Image, out.Delay = append(out.Image, part), append(out.Delay, f.delay)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
		if err := going(); err != nil {
			return nil, err
		}
	}
	out.Delay[len(out.Delay)-1] = 150 // shows how it ended
	return out, nil
}

// differs returns the box in which two frames differ; one pixel if they are equal, because a GIF's frame is never
// empty.
func (f *film) differs(a, b []uint16) (box image.Rectangle) {
	wide := f.bounds.Dx()
	for i := range a {
		if a[i] != b[i] {
			x, y := i%wide, i/wide
			box = box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	if box.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return box
}

// inks returns the first colours of the 256 most frequent shades.
func (f *film) inks() (inks color.Palette) {
	var used []int
	for s, n := range f.count {
		if n > 0 {
			used = append(used, s)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return f.count[b] - f.count[a] })
	for _, s := range used[:min(len(used), 256)] {
		inks = append(inks, f.first[s])
	}
	return inks
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
