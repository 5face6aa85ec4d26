package page

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"impalab/web/lesson"
)

// The figures of lessons that the reader turns: curves under a lens, bars with a switch, and a table of runs.

// plotScript returns the data of a plot for the page's script, as JSON.
func plotScript(p *lesson.Plot) (string, error) {
	type line struct {
		Says   string    `json:"says"`
		Tone   string    `json:"tone"`
		After  int       `json:"after"`
		In     *int      `json:"in,omitempty"`
		Values []string  `json:"values"`
		At     []float64 `json:"at"` // the share of the axis, in percent
		Shades []string  `json:"shades,omitempty"`
	}
	out := struct {
		Says    string        `json:"says"`
		Xs      []string      `json:"xs"`
		Choices []string      `json:"choices"`
		After   int           `json:"after"`
		Panels  [][]line      `json:"panels"`
		Race    [][]raceDrawn `json:"race,omitempty"`   // by the position of the switch and the place of the lens
		Lags    int           `json:"lags,omitempty"`   // the step whose answer shows the lags of a race
		Fallen  []bool        `json:"fallen,omitempty"` // of each run to draw from
	}{Says: p.Says, Choices: p.Choose, After: p.After, Panels: [][]line{}}
	for _, x := range p.Xs() {
		out.Xs = append(out.Xs, signed(x))
	}
	if p.Race != nil {
		out.Lags = p.Race.After
		for choice := range p.Choose {
			var places []raceDrawn
			for _, x := range p.Xs() {
				places = append(places, drawRace(p, x, choice))
			}
			out.Race = append(out.Race, places)
		}
	}
	if p.Draw != nil {
		for _, end := range p.Draw.Ends {
			out.Fallen = append(out.Fallen, end < p.Draw.Below)
		}
	}
	for i := range p.Panels {
		var lines []line
		for _, l := range p.Panels[i].Lines {
			one := line{Says: l.Says, Tone: l.Tone, After: l.After, In: l.In,
				Shades: l.Shades}
			for _, v := range l.Values {
				one.Values = append(one.Values, signed(v))
				one.At = append(one.At, tenth(p.AxisOf(&p.Panels[i]).Position(v)))
			}
			lines = append(lines, one)
		}
		out.Panels = append(out.Panels, lines)
	}
	text, err := json.Marshal(out)
	return string(text), err
}

// signed is short with a true minus.
func signed(v float64) string { return strings.Replace(short(v), "-", "−", 1) }

// tenth rounds a share to a tenth of a percent.
func tenth(share float64) float64 { return float64(int(1000*share+.5)) / 10 }

// covered reports whether a line waits for an answer or for another position of the switch.
func covered(p *lesson.Plot, l *lesson.Line) bool {
	return l.After > 0 || l.In != nil && *l.In != p.Chosen
}

// curveOf returns the paths of a line's curve, and of its jumps.
func curveOf(p *lesson.Plot, panel *lesson.Panel, l *lesson.Line) (curve, jumps string) {
	before := lesson.Point{}
	for i, at := range l.Curve {
		here := coord(100*p.X.Position(at.X)) + " " + coord(100-100*p.AxisOf(panel).Position(at.Y))
		if i > 0 && at.X == before.X {
			jumps += "M" + coord(100*p.X.Position(at.X)) + " " + coord(100-100*p.AxisOf(panel).Position(before.Y)) + "L" + here
			curve += "M" + here
		} else {
			curve += move(i) + here
		}
		before = at
	}
	return curve, jumps
}

// ends returns where the names of a panel's lines stand beside their ends, as shares from the top: in the order of the
// ends, and apart from each other among the lines that are seen together.
func ends(p *lesson.Plot, panel *lesson.Panel) []float64 {
	apart := .09
	if p.Maps || p.Race != nil { // the axes are low
		apart = .15
	}
	at, order := make([]float64, len(panel.Lines)), make([]int, len(panel.Lines))
	for i := range panel.Lines {
		at[i], order[i] = 1-p.AxisOf(panel).Position(panel.Lines[i].Curve[len(panel.Lines[i].Curve)-1].Y), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	together := func(a, b *lesson.Line) bool { return a.In == nil || b.In == nil || *a.In == *b.In }
	for n, i := range order {
		for _, above := range order[:n] {
			if together(&panel.Lines[i], &panel.Lines[above]) {
				at[i] = max(at[i], at[above]+apart)
			}
		}
	}
	return at
}

// lineID names a line of a plot for the script.
func lineID(panel, line int) string { return fmt.Sprintf("%d.%d", panel, line) }

// ofAxis writes a share as a percentage, as attributes of SVG elements accept it.
func ofAxis(share float64) string { return say(tenth(share)) + "%" }

// barOf returns the beginning and the length of a bar from 0 to a value, as shares of its axis.
func barOf(axis *lesson.Axis, v float64) (from, long float64) {
	zero, end := axis.Position(0), axis.Position(v)
	return min(zero, end), max(zero, end) - min(zero, end)
}

// tabled are the places of the lens that the table of a plot has, by index.
func tabled(p *lesson.Plot) (places []int) {
	for i := range p.Xs() {
		if every := max(1, p.Places/8); i%every == 0 {
			places = append(places, i)
		}
	}
	return places
}

// lateBatch is how often the ratios of late data lie in each twentieth from 0 to 2, and beyond in the last bin, of
// steps that turned out well and of steps that turned out badly.
//
//	go test ./web/page -run LateBatch -measure
type lateBatch struct {
	Command string `json:"command"`
	Run     string `json:"run"`
	From    uint64 `json:"from"` // steps of the run
	To      uint64 `json:"to"`
	Good    []int  `json:"good"`
	Bad     []int  `json:"bad"`
}

const (
	lateBins = 41
	lateBin  = .05
	lateLag  = 8
)

//go:embed latebatch.json
var lateText []byte

func readLate() (b lateBatch, err error) {
	return b, json.Unmarshal(lateText, &b)
}

// lateBar is one bin of the late batch. Its height is in percent of the highest.
type lateBar struct {
	At, High float64
	Out      bool // the line leaves these steps out
}

// lateBars returns the bins of one position of the switch, and the share of the steps that a line leaves out.
func lateBars(p *lesson.Plot, choice int) (bars []lateBar, out string, err error) {
	b, err := readLate()
	if err != nil {
		return nil, "", err
	}
	counts := [][]int{b.Good, b.Bad}[choice]
	var line *lesson.Line
	for i := range p.Panels[0].Lines {
		if l := &p.Panels[0].Lines[i]; l.Name == p.Batch && (l.In == nil || *l.In == choice) {
			line = l
		}
	}
	most, all, gone := 0, 0, 0
	for _, n := range counts {
		most, all = max(most, n), all+n
	}
	for i, n := range counts {
		weight, err := line.At((float64(i) + .5) * lateBin)
		if err != nil {
			return nil, "", err
		}
		at, high := p.X.Position(float64(i)*lateBin), float64(n)/float64(most)
		bar := lateBar{At: tenth(at), High: tenth(high), Out: weight == 0}
		if i == lateBins-1 { // beyond the axis
			bar.At = 100 + 100*lateBin/p.X.To/2
		}
		if bar.Out {
			gone += n
		}
		bars = append(bars, bar)
	}
	return bars, fmt.Sprintf("%.0f %%", 100*float64(gone)/float64(all)), nil
}

// gridCell is the seeds of one cell of a table of runs.
type gridCell struct {
	Fell, Of int
	Given    bool
}

// grid is a table of runs: how many seeds fell, by two settings.
type grid struct {
	Across, Up []string // values of the settings
	Cells      [][]*gridCell
	Gaps       bool // whether some were not run
}

// gridOf reads the table from the rows of a step's evidence: values rise to the right and upwards.
func gridOf(e *lesson.Evidence) (g grid) {
	value := func(r *lesson.Row, key string) string {
		_, rest, _ := strings.Cut(r.Train, " "+key+"=")
		text, _, _ := strings.Cut(rest, " ")
		return text
	}
	cells := map[[2]string]*gridCell{}
	for i := range e.Rows {
		r, c := &e.Rows[i], gridCell{Given: e.Rows[i].Given}
		if n, err := fmt.Sscanf(r.Fallen, "%d of %d", &c.Fell, &c.Of); r.Aside || n != 2 || err != nil {
			continue
		}
		across, up := value(r, e.Grid.Across), value(r, e.Grid.Up)
		g.Across, g.Up = append(g.Across, across), append(g.Up, up)
		cells[[2]string{across, up}] = &c
	}
	rising := func(a, b string) int { return cmp.Compare(numeric(a), numeric(b)) }
	slices.SortFunc(g.Across, rising)
	slices.SortFunc(g.Up, func(a, b string) int { return -rising(a, b) })
	g.Across, g.Up = slices.Compact(g.Across), slices.Compact(g.Up)
	for _, up := range g.Up {
		row := make([]*gridCell, len(g.Across))
		for i, across := range g.Across {
			row[i] = cells[[2]string{across, up}]
			g.Gaps = g.Gaps || row[i] == nil
		}
		g.Cells = append(g.Cells, row)
	}
	return g
}

func numeric(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0 // a test checks every row
	}
	return v
}

// columnName is the head of a column of a plot's table.
func columnName(p *lesson.Plot, panel, line int) string {
	l := &p.Panels[panel].Lines[line]
	name := l.Name
	if l.In != nil {
		name += ", " + p.Choose[*l.In]
	}
	if p.Lens() && p.Panels[panel].Name != "" {
		name = p.Panels[panel].Name + ", " + name
	}
	return name
}

func rowName(p *lesson.Plot, at int) string {
	if p.Lens() {
		return signed(p.Xs()[at])
	}
	return p.Choose[at]
}

// figuresOf returns the steps of a lesson with a figure beside the text, from 1. Steps of the short path come first.
// The page opens with the first step.
func figuresOf(l *lesson.Lesson) (steps []int) {
	for _, core := range [...]bool{true, false} {
		for i := range l.Steps {
			s := &l.Steps[i]
			figured := asked(l, i+1) || s.Plot != nil || s.Evidence != nil && s.Evidence.Grid != nil
			if s.Core == core && figured {
				steps = append(steps, i+1)
			}
		}
	}
	return steps
}

// opens reports whether the page opens with the figure of a step.
func opens(l *lesson.Lesson, n int) bool { return figuresOf(l)[0] == n }

// heard says whether the sentence above a plot is announced. The lens announces its own sentence, but none of a draw.
func heard(p *lesson.Plot) string {
	if p.Lens() && p.Draw == nil {
		return "off"
	}
	return "polite"
}

// tabStop makes one of several sliders that move together a tab stop.
func tabStop(first bool) string {
	if first {
		return "0"
	}
	return "-1"
}
