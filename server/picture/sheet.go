package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"impalab/web/palette"
)

// Sheet is a chart that stands alone: with its title above, and its source below.
type Sheet struct {
	Chart
	From string // one line: the run, its seed, its link
	Dark bool
}

// Margins around the drawing, in pixels.
const (
	left  = 64.0 // for the numbers of the levels
	right = 24.0
	above = 40.0
	below = 36.0
)

// Families and sizes of letters, as style sheets have them. The PNG uses the last family but one of each.
const (
	sans  = "system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"
	serif = "'STIX Two Text', Cambria, 'Times New Roman', 'Liberation Serif', serif"

	lettersHigh = 13.0
	symbolHigh  = 16.0
)

// size returns the size of the whole sheet.
func (s *Sheet) size() (w, h float64) {
	return left + float64(s.Wide) + right, above + float64(s.High) + below
}

// shapes returns the sheet's ground and words, in pixels from its corner, and the chart, in pixels from its own corner.
func (s *Sheet) shapes() (ground shape, words, chart []shape, err error) {
	w, h := s.size()
	ground = shape{kind: "rect", at: map[string]float64{"x": 0, "y": 0, "width": w, "height": h}}
	ground.fill = ink(palette.Ground, 1, s.Dark)
	line := func(y float64, text string, role palette.Role) shape {
		return shape{kind: "text", at: map[string]float64{"x": left, "y": y}, spans: []span{{text, false}},
			style: style{fill: ink(role, 1, s.Dark)}}
	}
	words = []shape{line(24, s.Title, palette.Strong), line(h-12, s.From, palette.Quiet)}
	chart, err = parse(s.Inner, s.Dark)
	return ground, words, chart, err
}

// SVG returns the sheet as a file that needs no style sheet.
func (s *Sheet) SVG() ([]byte, error) {
	ground, words, chart, err := s.shapes()
	if err != nil {
		return nil, err
	}
	w, h := s.size()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" role="img" `+
		`font-family="%s" font-size="%g">`, w, h, w, h, sans, lettersHigh)
	fmt.Fprintf(&b, "\n<title>%s</title>\n<desc>%s</desc>\n", escaped(s.Title), escaped(s.Says))
	ground.write(&b)
	fmt.Fprintf(&b, `<g transform="translate(%g %g)">`+"\n", left, above)
	for i := range chart {
		chart[i].write(&b)
	}
	b.WriteString("</g>\n")
	for i := range words {
		words[i].write(&b)
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

func (s *shape) write(b *bytes.Buffer) {
	if s.kind == "text" && s.halo.A > 0 { // an element of its own behind the text: few programs know paint-order
		around := *s
		around.fill, around.stroke, around.width, around.round, around.halo = s.halo, s.halo, 4, true, color.NRGBA{}
		around.write(b)
	}
	fmt.Fprintf(b, "<%s", s.kind)
	for _, name := range []string{"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height"} {
		if v, ok := s.at[name]; ok {
			fmt.Fprintf(b, ` %s="%s"`, name, short(v))
		}
	}
	if s.d != "" {
		fmt.Fprintf(b, ` d="%s"`, s.d)
	}
	paint(b, "fill", s.fill)
	if s.stroke.A > 0 {
		paint(b, "stroke", s.stroke)
		fmt.Fprintf(b, ` stroke-width="%s"`, short(s.width))
	}
	if s.round {
		b.WriteString(` stroke-linejoin="round" stroke-linecap="round"`)
	}
	if s.dashed {
		b.WriteString(` stroke-dasharray="4 3"`)
	}
	if s.end != "" {
		fmt.Fprintf(b, ` text-anchor="%s"`, s.end)
	}
	b.WriteByte('>')
	for _, one := range s.spans {
		if one.symbol {
			fmt.Fprintf(b, `<tspan font-family="%s" font-style="italic" font-size="%g">%s</tspan>`, serif, symbolHigh,
				escaped(one.text))
		} else {
			b.WriteString(escaped(one.text))
		}
	}
	fmt.Fprintf(b, "</%s>\n", s.kind)
}

// paint writes a colour as an attribute.
func paint(b *bytes.Buffer, name string, c color.NRGBA) {
	if c.A == 0 {
		fmt.Fprintf(b, ` %s="none"`, name)
		return
	}
	fmt.Fprintf(b, ` %s="#%02X%02X%02X"`, name, c.R, c.G, c.B)
	if c.A < 0xFF {
		fmt.Fprintf(b, ` %s-opacity="%.2f"`, name, float64(c.A)/0xFF)
	}
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder returns no error
	return b.String()
}

// short returns a coordinate with one decimal.
func short(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }
