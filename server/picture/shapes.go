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

// A chart comes as elements with classes, which the page's style sheet dresses. Away from the page each element carries
// its own colours: many programs that open SVG know no style sheet.

// shape is one element of a chart.
type shape struct {
	kind  string // line, rect, circle, path or text
	at    map[string]float64
	d     string // of a path
	end   string // of a text: where its x stands in it
	spans []span // of a text
	style
}

type span struct {
	text   string
	symbol bool // set in serif italics
}

// style is how an element is drawn; a colour of no opacity is none.
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

// dress is what static/instrument.css says of an element below [data-chart]: a change of one is a change of the other.
func dress(kind string, classes []string, dark bool) (s style) {
	is := func(class string) bool { return slices.Contains(classes, class) }
	of := func(r palette.Role, opacity float64) color.NRGBA {
		c := palette.Of(r, dark)
		return color.NRGBA{c.R, c.G, c.B, uint8(opacity*255 + 0.5)}
	}
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

// parse reads the inside of a chart. What is meant for narrow screens is left out.
func parse(inner string, dark bool) (shapes []shape, err error) {
	in := xml.NewDecoder(strings.NewReader("<svg>" + inner + "</svg>"))
	for {
		token, err := in.Token()
		if err == io.EOF {
			return shapes, nil
		}
		if err != nil {
			return nil, fmt.Errorf("a chart that is no XML: %w", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local == "svg" {
			continue
		}
		one, classes, err := read(e)
		if err != nil {
			return nil, err
		}
		one.style = dress(one.kind, classes, dark)
		if one.kind == "text" {
			if one.spans, err = words(in); err != nil {
				return nil, err
			}
		}
		if !slices.Contains(classes, "inside") {
			shapes = append(shapes, one)
		}
	}
}

func read(e xml.StartElement) (s shape, classes []string, err error) {
	s.kind, s.at = e.Name.Local, map[string]float64{}
	switch s.kind {
	case "line", "rect", "circle", "path", "text":
	default:
		return s, nil, fmt.Errorf("a chart with a <%s>, which has no picture", s.kind)
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
				return s, nil, fmt.Errorf("a chart with %s=%q", a.Name.Local, a.Value)
			}
		}
	}
	return s, classes, nil
}

// words are what stands in a text until its end.
func words(in *xml.Decoder) (spans []span, err error) {
	symbol := false
	for {
		token, err := in.Token()
		if err != nil {
			return nil, fmt.Errorf("a chart that is no XML: %w", err)
		}
		switch token := token.(type) {
		case xml.CharData:
			spans = append(spans, span{string(token), symbol})
		case xml.StartElement:
			symbol = true // the only one in a text
		case xml.EndElement:
			if token.Name.Local == "text" {
				return spans, nil
			}
			symbol = false
		}
	}
}
