package picture

import (
	"fmt"
	"image/color"
	"strings"
)

// Sheet is a chart with what a reader needs to know of it once it has left its page: its title above, and below where
// it comes from.
type Sheet struct {
	Chart
	From string // one line: the run, its seed, its link
	Dark bool
}

// Room around the drawing, in pixels.
const (
	left  = 64.0 // where the numbers of the levels stand
	right = 24.0
	above = 40.0
	below = 36.0
)

// size is that of the whole sheet.
func (s *Sheet) size() (w, h float64) {
	return left + float64(s.Wide) + right, above + float64(s.High) + below
}

// shapes are everything on the sheet, in pixels from its corner.
func (s *Sheet) shapes() ([]shape, error) {
	drawn, err := parse(s.Inner, s.Dark)
	if err != nil {
		return nil, err
	}
	w, h := s.size()
	ground := shape{kind: "rect", at: map[string]float64{"x": 0, "y": 0, "width": w, "height": h}}
	ground.fill = ink(s.Dark, "ground")
	all := []shape{ground}
	for _, one := range drawn {
		all = append(all, one.moved(left, above))
	}
	line := func(y float64, text string, fill color.NRGBA) shape {
		return shape{kind: "text", at: map[string]float64{"x": left, "y": y}, spans: []span{{text, false}},
			style: style{fill: fill}}
	}
	return append(all, line(24, s.Title, ink(s.Dark, "strong")), line(h-12, s.From, ink(s.Dark, "quiet"))), nil
}

// moved is a shape in another place.
func (s shape) moved(x, y float64) shape {
	at := map[string]float64{}
	for name, v := range s.at {
		switch name {
		case "x", "x1", "x2", "cx":
			v += x
		case "y", "y1", "y2", "cy":
			v += y
		}
		at[name] = v
	}
	s.at = at
	if s.d == "" {
		return s
	}
	var d strings.Builder
	eachPoint(s.d, func(command byte, px, py float64) {
		fmt.Fprintf(&d, "%c%s %s", command, short(px+x), short(py+y))
	})
	s.d = d.String()
	return s
}
