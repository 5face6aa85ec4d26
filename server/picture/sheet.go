package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"

	"impalab/web/palette"
)

// Sheet is a chart that stands alone: with its title above, its caption and its source below.
type Sheet struct {
	Chart
	Caption string // broken into as many lines as it needs
	From    string // one line: the run, its seed, its link
	Dark    bool
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
	lineHigh    = 18.0 // of a caption
)

// size returns the size of the whole sheet, whose caption has some lines.
func (s *Sheet) size(lines int) (w, h float64) {
	return left + wide + right, above + float64(s.High) + below + lineHigh*float64(lines)
}

// captionWide is the width of a caption's lines in the letters of a PNG. Letters of a system can be wider.
const captionWide = 0.88 * wide

// lines breaks the caption and the source into lines, and says how many of them are the caption's.
func (s *Sheet) lines() (lines []string, captions int, err error) {
	if s.Caption == "" {
		return []string{s.From}, 0, nil
	}
	letters, err := face(liberationsansregular.TTF, lettersHigh)
	if err != nil {
		return nil, 0, err
	}
	for _, word := range strings.Split(s.Caption, " ") {
		n := len(lines) - 1
		if n < 0 || float64(font.MeasureString(letters, lines[n]+" "+word))/64/finer > captionWide {
			lines = append(lines, word)
		} else {
			lines[n] += " " + word
		}
	}
	return append(lines, s.From), len(lines), nil
}

// shapes returns the sheet's ground and words, in pixels from its corner, and the chart, in pixels from its own corner.
func (s *Sheet) shapes() (ground shape, words, chart []shape, err error) {
	lines, captions, err := s.lines()
	if err != nil {
		return ground, nil, nil, err
	}
	w, h := s.size(captions)
	ground = shape{XMLName: xml.Name{Local: "rect"}, Width: w, Height: h,
		style: style{fill: ink(palette.Ground, 1, s.Dark)}}
	line := func(y float64, text string, role palette.Role) {
		words = append(words, shape{XMLName: xml.Name{Local: "text"}, X: left, Y: y, Words: text,
			style: style{fill: ink(role, 1, s.Dark)}})
	}
	line(24, s.Title, palette.Strong)
	for i, text := range lines {
		role := palette.Strong
		if i == captions {
			role = palette.Quiet
		}
		line(h-12-lineHigh*float64(captions-i), text, role)
	}
	chart, err = parse(s.Drawn[0].Inside, s.Dark)
	return ground, words, chart, err
}

// SVG returns the sheet as a file that needs no style sheet.
func (s *Sheet) SVG() ([]byte, error) {
	ground, words, chart, err := s.shapes()
	if err != nil {
		return nil, err
	}
	w, h := ground.Width, ground.Height
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" role="img" `+
		`font-family="%s" font-size="%g">`, w, h, w, h, sans, lettersHigh)
	out := xml.NewEncoder(&b)
	write := func(shapes ...shape) {
		for i := range shapes {
			err = errors.Join(err, shapes[i].write(out))
		}
	}
	err = errors.Join(out.EncodeElement(s.Title, xml.StartElement{Name: xml.Name{Local: "title"}}),
		out.EncodeElement(s.Says, xml.StartElement{Name: xml.Name{Local: "desc"}}))
	write(ground)
	fmt.Fprintf(&b, `<g transform="translate(%g %g)">`, left, above)
	write(chart...)
	b.WriteString("</g>")
	write(words...)
	b.WriteString("</svg>\n")
	return b.Bytes(), err
}

// dressed is a shape with its style as attributes.
type dressed struct {
	shape
	Fill          string  `xml:"fill,attr"`
	FillOpacity   string  `xml:"fill-opacity,attr,omitempty"`
	Stroke        string  `xml:"stroke,attr,omitempty"`
	StrokeOpacity string  `xml:"stroke-opacity,attr,omitempty"`
	StrokeWidth   float64 `xml:"stroke-width,attr,omitempty"`
	Join          string  `xml:"stroke-linejoin,attr,omitempty"`
	Cap           string  `xml:"stroke-linecap,attr,omitempty"`
	Dashes        string  `xml:"stroke-dasharray,attr,omitempty"`
}

func (s *shape) write(out *xml.Encoder) error {
	if s.style.halo.A > 0 { // an element of its own behind the text: few programs know paint-order
		around := *s
		around.style = style{fill: s.style.halo, stroke: s.style.halo, width: 4, round: true}
		if err := around.write(out); err != nil {
			return err
		}
	}
	d := dressed{shape: *s}
	d.Fill, d.FillOpacity = paint(s.style.fill)
	if s.style.stroke.A > 0 {
		d.Stroke, d.StrokeOpacity = paint(s.style.stroke)
		d.StrokeWidth = s.style.width
	}
	if s.style.round {
		d.Join, d.Cap = "round", "round"
	}
	if s.style.dashed {
		d.Dashes = "4 3"
	}
	return out.EncodeElement(d, xml.StartElement{Name: s.XMLName})
}

// paint returns a colour as two attributes.
func paint(c color.NRGBA) (colour, opacity string) {
	switch c.A {
	case 0:
		return "none", ""
	case 0xFF:
		return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B), ""
	}
	return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B), fmt.Sprintf("%.2f", float64(c.A)/0xFF)
}

// A chart comes as elements with classes, which the page's style sheet colours. A sheet's elements carry their own
// colours: many programs that open SVG know no style sheet.

// shape is one element of a chart: a line, rect, circle, path or text.
type shape struct {
	XMLName xml.Name
	Class   string  `xml:"class,attr,omitempty"`
	X       float64 `xml:"x,attr,omitempty"`
	Y       float64 `xml:"y,attr,omitempty"`
	X1      float64 `xml:"x1,attr,omitempty"`
	Y1      float64 `xml:"y1,attr,omitempty"`
	X2      float64 `xml:"x2,attr,omitempty"`
	Y2      float64 `xml:"y2,attr,omitempty"`
	CX      float64 `xml:"cx,attr,omitempty"`
	CY      float64 `xml:"cy,attr,omitempty"`
	R       float64 `xml:"r,attr,omitempty"`
	Width   float64 `xml:"width,attr,omitempty"`
	Height  float64 `xml:"height,attr,omitempty"`
	D       string  `xml:"d,attr,omitempty"`            // of a path
	Faded   float64 `xml:"fill-opacity,attr,omitempty"` // 0: as its class
	Anchor  string  `xml:"text-anchor,attr,omitempty"`  // of a text
	Symbol  *symbol `xml:"tspan"`                       // begins a text; nil: none
	Words   string  `xml:",chardata"`                   // of a text
	style   style
}

// symbol is a text in serif italics.
type symbol struct {
	Family string  `xml:"font-family,attr"`
	Style  string  `xml:"font-style,attr"`
	Size   float64 `xml:"font-size,attr"`
	Text   string  `xml:",chardata"`
}

// style is how an element is drawn. A colour without opacity is not drawn.
type style struct {
	fill, stroke  color.NRGBA
	width         float64 // of the stroke
	dashed, round bool
	halo          color.NRGBA // behind a text
}

// tones are the classes that name a quantity.
var tones = map[string]palette.Role{
	"pi": palette.Target, "mu": palette.Behaviour, "corrected": palette.Corrected, "cut": palette.Cut,
	"age": palette.Old, "truth": palette.Truth, "ink": palette.Strong, "meta": palette.Meta,
}

// ink returns a colour of the palette with an opacity.
func ink(role palette.Role, opacity float64, dark bool) color.NRGBA {
	c := palette.Of(role, dark)
	return color.NRGBA{c.R, c.G, c.B, uint8(opacity*255 + 0.5)}
}

// dress returns the style that static/instrument.css gives an element below [data-chart]: change both together.
func dress(kind string, classes []string, dark bool) (s style) {
	is := func(class string) bool { return slices.Contains(classes, class) }
	of := func(r palette.Role, opacity float64) color.NRGBA { return ink(r, opacity, dark) }
	own, toned := palette.Strong, false
	for _, class := range classes {
		if role, ok := tones[class]; ok {
			own, toned = role, true
		}
	}
	s.width = 1
	switch {
	case kind == "text":
		s.fill = of(palette.Quiet, 1)
		if toned && own == palette.Behaviour {
			own = palette.BehaviourText
		}
		if toned && !is("ink") {
			s.fill = of(own, 1)
		}
		if is("halo") {
			s.halo = of(palette.Ground, 1)
		}
	case is("line"):
		s.stroke, s.width, s.round = of(own, 1), 2.25, true
		switch {
		case is("hand"):
			s.width = 3.2
		case is("recent"):
			s.stroke, s.width = of(own, 0.6), 1.25
		case is("seed"):
			s.stroke, s.width = of(own, 0.55), 1.2
		case is("rank0"):
			s.stroke, s.width = of(own, 0.72), 1.4
		case is("rank1"):
			s.stroke, s.width = of(own, 0.8), 1.8
		case is("rank2"):
			s.stroke, s.width = of(own, 0.86), 2.2
		case is("rank3"):
			s.stroke, s.width = of(own, 0.93), 2.6
		case is("rank4"):
			s.width = 3
		case is("ghost"):
			s.stroke, s.width = of(palette.Ghost, 1), 1.5
		case is("beside"):
			s.stroke, s.width = of(palette.Strong, 1), 2.5
		}
		if is("behind") {
			s.stroke, s.width = of(palette.Ground, 1), 7
		}
		if is("guess") {
			s.width = 3
		}
		s.dashed = is("truth") || is("dashed") || is("guess")
	case is("poles"):
		s.stroke, s.width = of(own, 1), 4.5
		if is("thin") {
			s.width = 2.4
		}
	case is("cell"):
		s.fill = of(palette.Held, 1)
	case is("frame"):
		s.stroke, s.width = of(palette.Strong, 1), 2.5
	case is("area"):
		s.fill = of(own, 0.13)
	case is("interval"):
		s.fill = of(own, 0.24)
	case is("ring"):
		s.fill, s.stroke, s.width, s.dashed = of(palette.Ground, 1), of(own, 1), 1.4, is("dashed")
	case is("cross"):
		s.stroke, s.width, s.round = of(palette.Cut, 1), 2.5, true
	case is("mark"), is("tick"):
		s.stroke = of(palette.Edge, 1)
	case is("axis"):
		s.stroke = of(palette.Faint, 1)
	case is("hole"):
		s.fill = of(palette.Ground, 1)
	default:
		s.fill = of(own, 1)
	}
	return s
}

// parse reads the inside of a chart, without the labels for narrow screens.
func parse(inner string, dark bool) ([]shape, error) {
	var all struct {
		Shapes []shape `xml:",any"`
	}
	if err := xml.Unmarshal([]byte("<svg>"+inner+"</svg>"), &all); err != nil {
		return nil, fmt.Errorf("a chart cannot be read: %w", err)
	}
	var shapes []shape
	for _, one := range all.Shapes {
		classes := strings.Fields(one.Class)
		if slices.Contains(classes, "inside") {
			continue
		}
		one.Class, one.style = "", dress(one.XMLName.Local, classes, dark)
		if one.Faded > 0 {
			one.style.fill.A, one.Faded = uint8(255*one.Faded), 0
		}
		if one.Symbol != nil {
			one.Symbol = &symbol{serif, "italic", symbolHigh, one.Symbol.Text}
		}
		shapes = append(shapes, one)
	}
	return shapes, nil
}
