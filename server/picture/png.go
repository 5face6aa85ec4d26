package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strconv"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-fonts/liberation/liberationserifitalic"
	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// finer is how many pixels of a PNG show one of the sheet: slides and paper show more than a screen.
const finer = 2.0

// painter paints shapes in pixels.
type painter struct {
	dc            *gg.Context
	pixels        *image.RGBA
	plain, symbol font.Face
}

// PNG returns the sheet as a PNG.
func (s *Sheet) PNG() ([]byte, error) {
	ground, words, chart, err := s.shapes()
	if err != nil {
		return nil, err
	}
	p := painter{dc: gg.NewContext(int(ground.Width*finer), int(ground.Height*finer))}
	p.pixels = p.dc.Image().(*image.RGBA)
	if p.plain, err = face(liberationsansregular.TTF, lettersHigh); err != nil {
		return nil, err
	}
	if p.symbol, err = face(liberationserifitalic.TTF, symbolHigh); err != nil {
		return nil, err
	}
	p.paint(&ground, 0, 0)
	for i := range chart {
		p.paint(&chart[i], left, above)
	}
	for i := range words {
		p.paint(&words[i], 0, 0)
	}
	var b bytes.Buffer
	err = png.Encode(&b, p.pixels)
	return b.Bytes(), err
}

func face(file []byte, high float64) (font.Face, error) {
	letters, err := opentype.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("the letters of charts: %w", err)
	}
	return opentype.NewFace(letters, &opentype.FaceOptions{Size: high * finer, DPI: 72, Hinting: font.HintingNone})
}

// paint paints a shape whose corner is at x, y.
func (p *painter) paint(s *shape, x, y float64) {
	dc := p.dc
	dc.Push()
	defer dc.Pop()
	dc.Scale(finer, finer)
	dc.Translate(x, y)
	switch s.XMLName.Local {
	case "text":
		p.text(s, x, y)
	case "line":
		dc.DrawLine(s.X1, s.Y1, s.X2, s.Y2)
	case "rect":
		dc.DrawRectangle(s.X, s.Y, s.Width, s.Height)
	case "circle":
		dc.DrawCircle(s.CX, s.CY, s.R)
	case "path":
		eachPoint(s.D, func(command byte, px, py float64) {
			if command == 'M' {
				dc.MoveTo(px, py)
			} else {
				dc.LineTo(px, py)
			}
		})
	}
	if s.style.fill.A > 0 {
		dc.SetColor(s.style.fill)
		dc.FillPreserve()
	}
	if s.style.stroke.A > 0 {
		dc.SetColor(s.style.stroke)
		dc.SetLineWidth(s.style.width * finer)
		if s.style.dashed {
			dc.SetDash(4*finer, 3*finer)
		}
		dc.SetLineCapButt()
		if s.style.round {
			dc.SetLineCapRound()
			dc.SetLineJoinRound()
		}
		dc.StrokePreserve()
	}
	dc.ClearPath()
}

// eachPoint reads a path: moves and lines with a point each, and Z, which has none.
func eachPoint(d string, see func(command byte, x, y float64)) {
	for d != "" {
		part := d[1:]
		if next := strings.IndexAny(part, "MLZ"); next >= 0 {
			part = part[:next]
		}
		if xy := strings.Fields(part); len(xy) == 2 {
			x, _ := strconv.ParseFloat(xy[0], 64)
			y, _ := strconv.ParseFloat(xy[1], 64)
			see(d[0], x, y)
		}
		d = d[1+len(part):]
	}
}

// bar stands over the letter before it: ρ̄. The fonts place it over few letters.
const bar = '\u0304'

// text writes a text, with its halo behind it.
func (p *painter) text(s *shape, x, y float64) {
	spans := []span{{p.plain, s.Words}}
	if s.Symbol != nil {
		spans = []span{{p.symbol, s.Symbol.Text}, {p.plain, s.Words}}
	}
	wide := 0.0
	for _, one := range spans {
		wide += float64(font.MeasureString(one.face, strings.ReplaceAll(one.text, string(bar), ""))) / 64
	}
	x, y = (x+s.X)*finer, (y+s.Y)*finer
	switch s.Anchor {
	case "middle":
		x -= wide / 2
	case "end":
		x -= wide
	}
	if s.style.halo.A > 0 {
		for i := range 16 {
			angle := float64(i) * math.Pi / 8
			p.line(spans, x+2*finer*math.Cos(angle), y+2*finer*math.Sin(angle), s.style.halo)
		}
	}
	p.line(spans, x, y, s.style.fill)
}

// span is a part of a text in one face.
type span struct {
	face font.Face
	text string
}

func (p *painter) line(spans []span, x, y float64, in color.NRGBA) {
	dot := fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}
	for _, one := range spans {
		pen := font.Drawer{Dst: p.pixels, Src: image.NewUniform(in), Face: one.face, Dot: dot}
		before := dot.X // the letter before
		for _, r := range one.text {
			if r != bar {
				before = pen.Dot.X
				pen.DrawString(string(r))
				continue
			}
			top := pen.Dot.Y - pen.Face.Metrics().XHeight*5/4
			box := image.Rect((before + 64).Round(), (top - 96).Round(), (pen.Dot.X - 32).Round(), top.Round())
			draw.Draw(p.pixels, box, pen.Src, image.Point{}, draw.Src)
		}
		dot = pen.Dot
	}
}
