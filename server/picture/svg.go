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

func ink(dark bool, role string) color.NRGBA {
	c := palette.Of(map[string]palette.Role{
		"ground": palette.Ground, "strong": palette.Strong, "quiet": palette.Quiet,
	}[role], dark)
	return color.NRGBA{c.R, c.G, c.B, 0xFF}
}

// Families of the letters, as style sheets have them. The PNG is set in the last but one of each.
const (
	sans  = "system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif"
	serif = "'STIX Two Text', Cambria, 'Times New Roman', 'Liberation Serif', serif"
)

// Sizes of letters in pixels.
const (
	lettersHigh = 13.0
	symbolHigh  = 16.0
)

// SVG is the sheet as a file of its own, which needs no style sheet.
func (s *Sheet) SVG() ([]byte, error) {
	shapes, err := s.shapes()
	if err != nil {
		return nil, err
	}
	w, h := s.size()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" role="img" `+
		`font-family="%s" font-size="%g">`, w, h, w, h, sans, lettersHigh)
	fmt.Fprintf(&b, "\n<title>%s</title>\n<desc>%s</desc>\n", escaped(s.Title), escaped(s.Says))
	for i := range shapes {
		shapes[i].write(&b)
	}
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

func (s *shape) write(b *bytes.Buffer) {
	if s.kind == "text" && s.halo.A > 0 { // behind, as an element of its own: not every program knows paint-order
		around := *s
		around.fill, around.stroke, around.width, around.round, around.halo = s.halo, s.halo, 4, true, color.NRGBA{}
		around.write(b)
	}
	b.WriteByte('<')
	b.WriteString(s.kind)
	for _, name := range []string{"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height"} {
		if v, ok := s.at[name]; ok {
			fmt.Fprintf(b, ` %s="%s"`, name, short(v))
		}
	}
	if s.d != "" {
		fmt.Fprintf(b, ` d="%s"`, s.d)
	}
	paint(b, "fill", s.fill)
	if paint(b, "stroke", s.stroke) {
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
	if s.kind != "text" {
		b.WriteString("/>\n")
		return
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
	b.WriteString("</text>\n")
}

// paint writes a colour, and reports whether there is one.
func paint(b *bytes.Buffer, what string, c color.NRGBA) bool {
	if c.A == 0 {
		if what == "fill" {
			b.WriteString(` fill="none"`)
		}
		return false
	}
	fmt.Fprintf(b, ` %s="#%02X%02X%02X"`, what, c.R, c.G, c.B)
	if c.A < 0xFF {
		fmt.Fprintf(b, ` %s-opacity="%.2f"`, what, float64(c.A)/0xFF)
	}
	return true
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

// short is a coordinate with one decimal.
func short(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// eachPoint reads a path: moves and lines with a point each, and Z, which has none.
func eachPoint(d string, see func(command byte, x, y float64)) {
	for d != "" {
		command := d[0]
		next := strings.IndexAny(d[1:], "MLZ")
		part := d[1:]
		if next >= 0 {
			part = d[1 : next+1]
		}
		d = d[1+len(part):]
		fields := strings.Fields(part)
		if len(fields) == 2 {
			x, _ := strconv.ParseFloat(fields[0], 64)
			y, _ := strconv.ParseFloat(fields[1], 64)
			see(command, x, y)
		}
	}
}
