package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-fonts/liberation/liberationserifitalic"
	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// finer is how many pixels of a PNG stand for one of the sheet: slides and paper show more than a screen.
const finer = 2.0

var fonts = sync.OnceValues(func() (both [2]*sfnt.Font, err error) {
	for i, file := range [][]byte{liberationsansregular.TTF, liberationserifitalic.TTF} {
		if both[i], err = opentype.Parse(file); err != nil {
			return both, err
		}
	}
	return both, nil
})

// PNG is the sheet in pixels, two for one of its SVG.
func (s *Sheet) PNG() ([]byte, error) {
	shapes, err := s.shapes()
	if err != nil {
		return nil, err
	}
	faces, err := newFaces()
	if err != nil {
		return nil, err
	}
	w, h := s.size()
	dc := gg.NewContext(int(w*finer), int(h*finer))
	for i := range shapes {
		if one := &shapes[i]; one.kind == "text" {
			faces.set(dc.Image().(*image.RGBA), one)
		} else {
			one.draw(dc)
		}
	}
	var b bytes.Buffer
	err = png.Encode(&b, dc.Image())
	return b.Bytes(), err
}

func (s *shape) draw(dc *gg.Context) {
	at := func(name string) float64 { return s.at[name] * finer }
	switch s.kind {
	case "line":
		dc.DrawLine(at("x1"), at("y1"), at("x2"), at("y2"))
	case "rect":
		dc.DrawRectangle(at("x"), at("y"), at("width"), at("height"))
	case "circle":
		dc.DrawCircle(at("cx"), at("cy"), at("r"))
	case "path":
		eachPoint(s.d, func(command byte, x, y float64) {
			if command == 'M' {
				dc.MoveTo(x*finer, y*finer)
			} else {
				dc.LineTo(x*finer, y*finer)
			}
		})
	}
	if s.fill.A > 0 {
		dc.SetColor(s.fill)
		dc.FillPreserve()
	}
	if s.stroke.A > 0 {
		dc.SetColor(s.stroke)
		dc.SetLineWidth(s.width * finer)
		if s.dashed {
			dc.SetDash(4*finer, 3*finer)
		} else {
			dc.SetDash()
		}
		if s.round {
			dc.SetLineCapRound()
			dc.SetLineJoinRound()
		} else {
			dc.SetLineCapButt()
		}
		dc.StrokePreserve()
	}
	dc.ClearPath()
}

// faces are the letters of one picture: a face is for one goroutine.
type faces struct{ plain, symbol font.Face }

func newFaces() (f faces, err error) {
	both, err := fonts()
	if err != nil {
		return f, fmt.Errorf("the letters of charts: %w", err)
	}
	size := func(high float64) *opentype.FaceOptions {
		return &opentype.FaceOptions{Size: high * finer, DPI: 72, Hinting: font.HintingNone}
	}
	if f.plain, err = opentype.NewFace(both[0], size(lettersHigh)); err == nil {
		f.symbol, err = opentype.NewFace(both[1], size(symbolHigh))
	}
	return f, err
}

func (f *faces) of(s span) font.Face {
	if s.symbol {
		return f.symbol
	}
	return f.plain
}

// bar stands over the letter before it: ρ̄. The fonts place it for no letter of theirs but those with a form of their
// own.
const bar = '\u0304'

// set sets a text, with its halo behind it.
func (f *faces) set(to *image.RGBA, s *shape) {
	wide := 0.0
	for _, one := range s.spans {
		wide += float64(font.MeasureString(f.of(one), strings.ReplaceAll(one.text, string(bar), ""))) / 64
	}
	x, y := s.at["x"]*finer, s.at["y"]*finer
	switch s.end {
	case "middle":
		x -= wide / 2
	case "end":
		x -= wide
	}
	if s.halo.A > 0 {
		for i := range 16 {
			angle := float64(i) * math.Pi / 8
			f.line(to, s, x+2*finer*math.Cos(angle), y+2*finer*math.Sin(angle), s.halo)
		}
	}
	f.line(to, s, x, y, s.fill)
}

func (f *faces) line(to *image.RGBA, s *shape, x, y float64, in color.NRGBA) {
	dot := fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}
	for _, one := range s.spans {
		pen := font.Drawer{Dst: to, Src: image.NewUniform(in), Face: f.of(one), Dot: dot}
		for _, r := range one.text {
			if r == bar {
				continue
			}
			pen.DrawString(string(r))
		}
		over(&pen, one.text, dot)
		dot = pen.Dot
	}
}

// over draws the bars of a text that begins at a place.
func over(pen *font.Drawer, text string, from fixed.Point26_6) {
	dot := from
	last := from.X
	for _, r := range text {
		if r != bar {
			advance, _ := pen.Face.GlyphAdvance(r)
			last, dot.X = dot.X, dot.X+advance
			continue
		}
		high := pen.Face.Metrics().XHeight
		box := image.Rect((last + 64).Round(), (dot.Y - high*5/4 - 96).Round(), (dot.X - 32).Round(),
			(dot.Y - high*5/4).Round())
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				pen.Dst.Set(x, y, pen.Src.At(x, y))
			}
		}
	}
}
