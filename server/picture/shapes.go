package picture

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"slices"
	"strconv"
	"strings"

	"impalab/web/palette"
)

// A chart comes as elements with classes, which the page's style sheet colours. A sheet's elements carry their own
// colours: many programs that open SVG know no style sheet.

// shape is one element of a chart.
type shape struct {
	kind  string // line, rect, circle, path or text
	at    map[string]float64
	d     string // of a path
	end   string // of a text: text-anchor
	spans []span // of a text
	style
}

type span struct {
	text   string
	symbol bool // in serif italics
}

// style is how an element is drawn. A colour without opacity is not drawn.
type style struct {
	fill, stroke  color.NRGBA
	width         float64
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
		case is("ghost"):
			s.stroke, s.width = of(palette.Ghost, 1), 1.5
		case is("beside"):
			s.stroke, s.width = of(palette.Strong, 1), 2.5
		}
		s.dashed = is("truth")
	case is("area"):
		s.fill = of(own, 0.13)
	case is("mark"), is("tick"):
		s.stroke = of(palette.Edge, 1)
	case is("axis"):
		s.stroke = of(palette.Faint, 1)
	default:
		s.fill = of(own, 1)
	}
	return s
}

// parse reads the inside of a chart, without the labels for narrow screens.
func parse(inner string, dark bool) (shapes []shape, err error) {
	in := xml.NewDecoder(strings.NewReader("<svg>" + inner + "</svg>"))
	symbol, hidden := false, false // within a text: a tspan; the label of a narrow screen
	for {
		token, err := in.Token()
		if err == io.EOF {
			return shapes, nil
		}
		if err != nil {
			return nil, fmt.Errorf("a chart is not XML: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "svg":
			case "tspan":
				symbol = true
			default:
				one, classes, err := read(token)
				if err != nil {
					return nil, err
				}
				one.style = dress(one.kind, classes, dark)
				if hidden = slices.Contains(classes, "inside"); !hidden {
					shapes = append(shapes, one)
				}
			}
		case xml.CharData:
			if n := len(shapes); n > 0 && shapes[n-1].kind == "text" && !hidden {
				shapes[n-1].spans = append(shapes[n-1].spans, span{string(token), symbol})
			}
		case xml.EndElement:
			symbol = false
		}
	}
}

// read reads an element without its style and texts.
func read(e xml.StartElement) (s shape, classes []string, err error) {
	s.kind, s.at = e.Name.Local, map[string]float64{}
	if !slices.Contains([]string{"line", "rect", "circle", "path", "text"}, s.kind) {
		return s, nil, fmt.Errorf("a chart has a <%s>, which cannot be drawn", s.kind)
	}
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "class":
			classes = strings.Fields(a.Value)
		case "d":
			s.d = a.Value
		case "text-anchor":
			s.end = a.Value
		default:
			if s.at[a.Name.Local], err = strconv.ParseFloat(a.Value, 64); err != nil {
				return s, nil, fmt.Errorf("a chart has %s=%q", a.Name.Local, a.Value)
			}
		}
	}
	return s, classes, nil
}
