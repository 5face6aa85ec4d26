package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/web/lesson/quantity"
)

// Plot is the figure of a step that the reader turns: exact curves under a lens, or exact bars with a switch. Package
// quantity computes every number. A line that answers a question appears when the reader has opened that answer.
type Plot struct {
	Title  string   `yaml:"title"`
	Says   string   `yaml:"says"`   // begins the sentence above the figure; {x} is the lens' place, {choice} the choice
	X      Axis     `yaml:"x"`      // along which the lens moves; without a length: bars
	Y      Axis     `yaml:"y"`      // of every panel
	At     float64  `yaml:"at"`     // where the lens begins
	Places int      `yaml:"places"` // steps of the lens from one end of the axis to the other
	Choose []string `yaml:"choose"` // positions of the switch
	Chosen int      `yaml:"chosen"`
	After  int      `yaml:"after"` // the step whose answer frees the switch; 0: it is free
	Panels []Panel  `yaml:"panels"`
	// Pictures are drawn in place of panels, one for each position of the switch: "map LINE", the seeds that fell by lag
	// and rate; "curves FILE", measured curves; or "ratios recorded" and "ratios computed again", those of a late batch.
	Pictures []string `yaml:"pictures"`
	Batch    string   `yaml:"batch"` // a line: a late batch below the axis shows the steps that it leaves out
	Band     *Band    `yaml:"band"`  // nil: none
	Draw     *Draw    `yaml:"draw"`  // runs that the reader draws from; the lens says how many
	Maps     bool     `yaml:"maps"`  // below the axis each line colours a map of the four rooms by its values
	// Race is drawn below the axis. The lens says how many actors it has. At position 0 of the switch they take turns.
	Race *Race `yaml:"race"`
}

// Band marks a part of the axis.
type Band struct {
	Name string  `yaml:"name"`
	From float64 `yaml:"from"`
	To   float64 `yaml:"to"`
}

// Draw is the runs of a row of the step's evidence. A run that ends below a return has fallen.
type Draw struct {
	Row   string  `yaml:"row"`
	Below float64 `yaml:"below"`

	Ends []float64 `yaml:"-"` // returns at the end
}

// Fallen returns how many of the runs have fallen.
func (d *Draw) Fallen() (n int) {
	for _, end := range d.Ends {
		if end < d.Below {
			n++
		}
	}
	return n
}

// Race is some actors, their queue and a learner.
type Race struct {
	quantity.Race `yaml:",inline"`
	Until         float64 `yaml:"until"` // milliseconds that are drawn
	After         int     `yaml:"after"` // the step whose answer shows the lags
}

// At returns the course of the race with a number of actors, at a position of the switch.
func (r *Race) At(actors float64, choice int) *quantity.Timeline {
	race := r.Race
	race.Actors, race.Turns = int(actors), choice == 0
	return race.Run(r.Until)
}

// Axis is a scale with marks.
type Axis struct {
	Scale `yaml:",inline"`
	Ticks []float64 `yaml:"ticks"`
}

// Panel is one pair of axes with its lines, or one scale with its bars.
type Panel struct {
	Name  string `yaml:"name"`
	Y     *Axis  `yaml:"y"` // nil: the plot's
	Lines []Line `yaml:"lines"`
}

// Line is one function of the lens' place or of the switch.
type Line struct {
	Name  string `yaml:"name"`
	Says  string `yaml:"says"` // its part of the sentence, with {} for its value; "": the sentence leaves it out
	Tone  string `yaml:"tone"`
	Of    string `yaml:"of"`    // a quantity with all arguments but one
	Along string `yaml:"along"` // the missing argument; "": the quantity is a constant
	After int    `yaml:"after"` // the step whose answer shows it; 0: always
	In    *int   `yaml:"in"`    // the only position of the switch that shows it; nil: all
	Pale  bool   `yaml:"pale"`
	Wide  bool   `yaml:"wide"` // so that a line on it is seen
	Want  string `yaml:"want"` // of a bar: the quantity that it should be

	Values []float64 `yaml:"-"` // at each place of the lens, or at each position of the switch
	Curve  []Point   `yaml:"-"` // over the axis; two points with one X are a jump
	Wanted float64   `yaml:"-"`
	// Shades colour a map at each place of the lens: two hexadecimal digits for each state, ff for a value of 1.
	Shades []string `yaml:"-"`
}

// Lens reports whether the plot has curves and a lens.
func (p *Plot) Lens() bool { return p.X.From != p.X.To }

// AxisOf returns the vertical axis of a panel, or the scale of its bars.
func (p *Plot) AxisOf(panel *Panel) *Axis {
	if panel.Y != nil {
		return panel.Y
	}
	return &p.Y
}

// Xs returns the places of the lens, or the positions of the switch.
func (p *Plot) Xs() (xs []float64) {
	if !p.Lens() {
		for i := range p.Choose {
			xs = append(xs, float64(i))
		}
		return xs
	}
	for i := range p.Places + 1 {
		xs = append(xs, tidy(p.X.At(float64(i)/float64(p.Places))))
	}
	return xs
}

// Index returns the index of a value among the places of the lens.
func (p *Plot) Index() int { return int(math.Round(p.X.Position(p.At) * float64(p.Places))) }

// tidy rounds to nine digits, so that a place is the decimal number that people read.
func tidy(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 9, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// compute fills the lines.
func (p *Plot) compute() error {
	if p.Lens() && p.Places < 1 || !p.Lens() && len(p.Choose) < 2 {
		return fmt.Errorf("a plot has an axis x with places, or a switch of two positions at least")
	}
	if n := len(p.Pictures); n > 0 && (n != len(p.Choose) || p.Lens() || p.Panels != nil) {
		return fmt.Errorf("%d pictures and %d positions: a picture for each position, without an axis and panels", n,
			len(p.Choose))
	}
	if p.Race != nil && (p.Race.Learn <= 0 || p.Race.Queue < 1 || p.X.From < 1 || len(p.Choose) != 2) {
		return fmt.Errorf("a race has an axis of one actor and more, a queue, a time to learn, and a switch of two positions")
	}
	xs := p.Xs()
	for i := range p.Panels {
		panel := &p.Panels[i]
		for k := range panel.Lines {
			line := &panel.Lines[k]
			of, err := line.function()
			if err != nil {
				return fmt.Errorf("%s: %w", line.Name, err)
			}
			for _, x := range xs {
				line.Values = append(line.Values, of(x))
			}
			if p.Maps {
				err = line.shade(xs)
			}
			if err == nil && line.Want != "" {
				line.Wanted, err = quantity.Compute(line.Want)
			}
			if err == nil && p.Lens() {
				line.Curve = trace(of, &p.X.Scale, &p.AxisOf(panel).Scale)
			}
			if bad := slices.IndexFunc(line.Values, func(v float64) bool { return v-v != 0 }); err == nil && bad >= 0 {
				err = fmt.Errorf("it has no finite value at %v", xs[bad])
			}
			if err != nil {
				return fmt.Errorf("%s: %w", line.Name, err)
			}
		}
	}
	return nil
}

// function returns the line's quantity as a function of its missing argument. It is NaN where the quantity fails.
func (l *Line) function() (func(float64) float64, error) {
	q, given, err := quantity.Find(l.Of)
	if err != nil {
		return nil, err
	}
	if _, ok := q.Args[l.Along]; !ok && l.Along != "" {
		return nil, fmt.Errorf("%s has no argument %q to turn", q.Name, l.Along)
	}
	return func(x float64) float64 {
		if l.Along != "" {
			given[l.Along] = x
		}
		v, err := q.Of(given)
		if err != nil {
			return math.NaN()
		}
		return v
	}, nil
}

// shade fills the shades of the line's map.
func (l *Line) shade(xs []float64) error {
	q, given, err := quantity.Find(l.Of)
	if err != nil {
		return err
	}
	for _, x := range xs {
		if l.Along != "" {
			given[l.Along] = x
		}
		v, ok := q.InRooms(given)
		if !ok {
			return fmt.Errorf("%s has no values in the four rooms", q.Name)
		}
		var shades strings.Builder
		for _, value := range v {
			fmt.Fprintf(&shades, "%02x", int(math.Round(255*max(0, min(1, value)))))
		}
		l.Shades = append(l.Shades, shades.String())
	}
	return nil
}

// At returns the value of the line at a place.
func (l *Line) At(x float64) (float64, error) {
	of, err := l.function()
	if err != nil {
		return 0, err
	}
	return of(x), nil
}

// trace returns the points of a curve. Where it jumps by more than a tenth of its axis between two neighbours, it looks
// for the jump, and ends and begins there.
func trace(of func(float64) float64, x, y *Scale) (curve []Point) {
	const points, jump, halvings = 160, .1, 50
	apart := func(a, b Point) bool { return math.Abs(y.Position(a.Y)-y.Position(b.Y)) > jump }
	for i := range points + 1 {
		at := tidy(x.At(float64(i) / points))
		next := Point{at, of(at)}
		if i > 0 && apart(curve[len(curve)-1], next) {
			low, high := curve[len(curve)-1], next
			for range halvings {
				middle := Point{X: (low.X + high.X) / 2}
				middle.Y = of(middle.X)
				if apart(low, middle) {
					high = middle
				} else {
					low = middle
				}
			}
			if apart(low, high) {
				curve = append(curve, low, Point{low.X, high.Y})
			}
		}
		curve = append(curve, next)
	}
	return curve
}
