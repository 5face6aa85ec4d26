package chart

import (
	"fmt"
	"math"
	"strconv"

	"impalab/web/number"
)

// LagMap is the seeds of every policy lag and learning rate of a sweep: which stand at the end, and which ended at
// chance. Its lags and rates are above 0 and rise; there are at least two of each.
type LagMap struct {
	Lags, Rates         []float64
	LagNames, RateNames []string
	Cells               []LagSeeds // the lags change fastest, the lowest rate is first
	Borders             []LagBorder
	Guess               float64 // a visitor's product of lag and rate; 0: none
	Chosen              int     // the Number of a cell; -1: none
}

// LagSeeds is the seeds of one lag and rate.
type LagSeeds struct {
	Number  int       // of the cell on its page
	Heights []float64 // returns of the seeds that stand, highest first: 0 is a uniform policy's, 1 the best
	Fell    int       // seeds that ended at chance
	Asked   int       // all seeds, also those that still train
}

// LagBorder is where half of the seeds end at chance: a product of lag and rate, with its interval. Below and above all
// products of the map it is −∞ and +∞. NaN: nothing has ended.
type LagBorder struct {
	Name               string
	Tone               string // "ink" or "corrected"
	Product, Low, High float64
	Rates              []float64 // the same of each rate alone
}

// Sizes of DrawLagMap in pixels.
const (
	lagMapTop    = 54.0 // for the names of the lines
	lagMapFoot   = 44.0
	lagMapName   = 17.0 // between two rows of names
	lagMapNarrow = 500.0
)

// lagPlace is where the cells of a LagMap are.
type lagPlace struct {
	m                       *LagMap
	left, right, top, foot  float64
	column, row, gap, thick float64
	narrow                  bool
}

func (m *LagMap) place(w, h float64) lagPlace {
	p := lagPlace{m: m, left: 66, top: lagMapTop, foot: h - lagMapFoot, gap: 5, thick: 4.5}
	if p.narrow = w < lagMapNarrow; p.narrow {
		p.left, p.gap, p.thick = 54, 3, 2.4
	}
	p.column = (w - p.left + p.gap) / float64(len(m.Lags))
	p.row = (p.foot - p.top + p.gap) / float64(len(m.Rates))
	p.right = w
	return p
}

// cell returns the left and the upper edge of a cell. Its sides are column − gap and row − gap.
func (p *lagPlace) cell(n int) (x, y float64) {
	lags := len(p.m.Lags)
	return p.left + p.column*float64(n%lags), p.foot - p.row*float64(n/lags+1) + p.gap
}

// x and y return the middle of a column and of a row by their numbers, which may be broken.
func (p *lagPlace) x(lag float64) float64 { return p.left + p.column*lag + (p.column-p.gap)/2 }

func (p *lagPlace) y(rate float64) float64 { return p.foot - p.row*(rate+0.5) + p.gap/2 }

// numberOf returns the number of a value among rising values, broken where it lies between two of them on a logarithmic
// scale. valueAt is its inverse. Beyond the ends both extrapolate from the last two values.
func numberOf(values []float64, v float64) float64 {
	i := 0
	for i < len(values)-2 && v > values[i+1] {
		i++
	}
	return float64(i) + math.Log(v/values[i])/math.Log(values[i+1]/values[i])
}

func valueAt(values []float64, n float64) float64 {
	i := min(max(int(math.Floor(n)), 0), len(values)-2)
	return values[i] * math.Pow(values[i+1]/values[i], n-float64(i))
}

// line returns the points of a product of lag and rate, from the lower edge of the map to the upper.
func (p *lagPlace) line(product float64) (points []XY) {
	const steps = 4 // in a row
	for k := range steps*len(p.m.Rates) + 1 {
		rate := float64(k)/steps - 0.5
		lag := product / valueAt(p.m.Rates, rate)
		points = append(points, XY{p.x(numberOf(p.m.Lags, lag)), p.y(rate)})
	}
	return points
}

// within returns the path of a line inside the map.
func (p *lagPlace) within(points []XY) string {
	var d pen
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		at := func(x float64) XY { return XY{x, a.Y + (b.Y-a.Y)*(x-a.X)/(b.X-a.X)} }
		if max(a.X, b.X) < p.left || min(a.X, b.X) > p.right {
			d.down = false
			continue
		}
		for _, end := range []*XY{&a, &b} {
			if end.X < p.left {
				*end = at(p.left)
			} else if end.X > p.right {
				*end = at(p.right)
			}
		}
		if !d.down {
			d.to(a.X, a.Y)
		}
		d.to(b.X, b.Y)
	}
	return d.String()
}

// band returns the area between two products inside the map.
func (p *lagPlace) band(low, high float64) string {
	edge := func(product float64) []XY {
		switch {
		case math.IsInf(product, -1):
			product = p.m.Lags[0] * p.m.Rates[0] / 1e6
		case math.IsInf(product, 1):
			product = p.m.Lags[len(p.m.Lags)-1] * p.m.Rates[len(p.m.Rates)-1] * 1e6
		}
		points := p.line(product)
		for i := range points {
			points[i].X = min(max(points[i].X, p.left), p.right)
		}
		return points
	}
	var d pen
	for _, at := range edge(low) {
		d.to(at.X, at.Y)
	}
	right := edge(high)
	for i := len(right) - 1; i >= 0; i-- {
		d.to(right[i].X, right[i].Y)
	}
	return d.String()
}

// DrawLagMap draws a pole for each seed: as tall as its return, or on the floor where it ended at chance. The borders
// with their intervals, and a guess, go over the cells.
func DrawLagMap(m *LagMap, w, h float64) string {
	var s svg
	p := m.place(w, h)
	for n := range m.Cells {
		s.lagSeeds(&p, n)
	}
	names := lagNames{p: &p}
	for i := range m.Borders {
		s.lagBorder(&p, &m.Borders[i], &names)
	}
	if m.Guess > 0 {
		line := p.line(m.Guess)
		s.path("line guess ink", p.within(line))
		names.add("you", "label strong", line[len(line)-1].X)
	}
	for n := range m.Cells {
		if m.Cells[n].Number == m.Chosen {
			x, y := p.cell(n)
			s.rect("frame", x, y, p.column-p.gap, p.row-p.gap)
		}
	}
	s.WriteString(names.String())
	s.lagAxes(&p)
	return s.String()
}

// lagSeeds draws a cell.
func (s *svg) lagSeeds(p *lagPlace, n int) {
	c := &p.m.Cells[n]
	x, y := p.cell(n)
	wide, high := p.column-p.gap, p.row-p.gap
	if len(c.Heights)+c.Fell == 0 {
		s.rect("cell waits", x, y, wide, high)
		return
	}
	s.rect("cell", x, y, wide, high)
	if c.Fell > 0 {
		s.faded("cut", 0.3*float64(c.Fell)/float64(c.Asked), x, y, wide, high)
	}
	each := (wide - 4) / float64(max(c.Asked, 1))
	floor := y + high - 4
	var stand, lie pen
	for i := range len(c.Heights) + c.Fell {
		at := x + 2 + each*float64(i)
		if i < len(c.Heights) {
			stand.down = false
			stand.to(at+each/2, floor)
			stand.to(at+each/2, floor-max(1, c.Heights[i]*(high-10)))
			continue
		}
		lie.down = false
		lie.to(at+each*0.1, floor-p.thick/2)
		lie.to(at+each*0.9, floor-p.thick/2)
	}
	class := "poles"
	if p.narrow {
		class = "poles thin"
	}
	s.path(class+" pi", stand.String())
	s.path(class+" cut", lie.String())
}

// lagBorder draws a border, and a ring where each rate alone has its own.
func (s *svg) lagBorder(p *lagPlace, b *LagBorder, names *lagNames) {
	switch {
	case math.IsNaN(b.Product):
		return
	case math.IsInf(b.Product, 0):
		words := ": most stand everywhere"
		if b.Product < 0 {
			words = ": most fall everywhere"
		}
		names.add(b.Name+words, "label strong "+b.Tone, p.right)
		return
	}
	s.path("interval "+b.Tone, p.band(b.Low, b.High))
	line := p.line(b.Product)
	s.path("line behind", p.within(line))
	s.path("line hand "+b.Tone, p.within(line))
	for rate, product := range b.Rates {
		if lag := product / p.m.Rates[rate]; lag-lag == 0 {
			if x := p.x(numberOf(p.m.Lags, lag)); x > p.left && x < p.right {
				s.circle("ring "+b.Tone, x, p.y(float64(rate)), 3.4)
			}
		}
	}
	words := b.Name + " falls right of here"
	if p.narrow {
		words = b.Name
	}
	names.add(words, "label strong "+b.Tone, line[len(line)-1].X)
}

// lagNames are the names of lines above their upper ends, in rows where they do not touch.
type lagNames struct {
	svg
	p     *lagPlace
	taken [3][][2]float64
}

func (n *lagNames) add(words, class string, x float64) {
	x = min(max(x, n.p.left), n.p.right)
	half := wide(words)*0.55 + 4 // bold letters
	from := min(max(x-half, 0), n.p.right-2*half)
	to := from + 2*half
	row := 0
	free := func() bool {
		for _, t := range n.taken[row] {
			if from < t[1]+6 && to > t[0]-6 {
				return false
			}
		}
		return true
	}
	for row < len(n.taken)-1 && !free() {
		row++
	}
	n.taken[row] = append(n.taken[row], [2]float64{from, to})
	y := n.p.top - 7 - lagMapName*float64(row)
	if row > 0 {
		n.line("tick", x, y+4, x, n.p.top)
	}
	n.text(class, middle, (from+to)/2, y, words)
}

// lagAxes names the columns and the rows.
func (s *svg) lagAxes(p *lagPlace) {
	for i, name := range p.m.LagNames {
		s.text("label age", middle, p.x(float64(i)), p.foot+17, name)
	}
	s.text("label age", middle, (p.left+p.right)/2, p.foot+38, "policy lag, updates")
	for i, name := range p.m.RateNames {
		s.text("label", end, p.left-8, p.y(float64(i))+4, name)
	}
	if p.narrow {
		s.text("label", start, 0, p.top-7, "rate")
		return
	}
	s.text("label", start, 0, p.top-24, "learning")
	s.text("label", start, 0, p.top-7, "rate")
}

// LagGuess is the line that a visitor drags over a LagMap without results, for a script to move. A doubled lag is
// Column pixels to the right, and a doubled rate Row pixels upwards. X, Y is the middle of the cell whose product is
// Product. The map must have lags and rates that double.
type LagGuess struct {
	Left, Top, Right, Foot     float64
	X, Y, Column, Row, Product float64
	Line                       string // of Product
}

// GuessOn returns the line for a map of some size.
func (m *LagMap) GuessOn(w, h float64) LagGuess {
	p := m.place(w, h)
	g := LagGuess{Left: p.left, Top: p.top, Right: p.right, Foot: p.foot, X: p.x(0), Y: p.y(0), Column: p.column,
		Row: p.row, Product: m.Lags[0] * m.Rates[0]}
	var d pen
	for _, at := range p.line(g.Product) {
		d.to(at.X, at.Y)
	}
	g.Line = d.String()
	return g
}

// Targets draws a transparent link over each cell. href returns the address of a cell, and says describes it.
func (m *LagMap) Targets(w, h float64, href, says func(number int) string) string {
	var s svg
	p := m.place(w, h)
	for i := range m.Cells {
		n := m.Cells[i].Number
		x, y := p.cell(i)
		s.WriteString(`<a href="` + markup.Replace(href(n)) + `" data-number="` + strconv.Itoa(n) + `" aria-label="` +
			markup.Replace(says(n)) + `"`)
		if n == m.Chosen {
			s.WriteString(` aria-current="true"`)
		} else {
			s.WriteString(` tabindex="-1"`)
		}
		s.WriteByte('>')
		s.rect("target", x, y, p.column-p.gap, p.row-p.gap)
		s.WriteString("</a>")
	}
	return s.String()
}

// Words returns the border as people read it, with its interval.
func (b *LagBorder) Words() (product, interval string) {
	words := func(v float64) string {
		switch {
		case math.IsInf(v, 1):
			return "above the map"
		case math.IsInf(v, -1):
			return "below the map"
		}
		return Product(v)
	}
	if math.IsNaN(b.Product) {
		return number.None, ""
	}
	if math.IsInf(b.Product, 0) && b.Low == b.High {
		return words(b.Product), ""
	}
	return words(b.Product), fmt.Sprintf("[%s, %s]", words(b.Low), words(b.High))
}

// Product returns a product of lag and rate in two digits, as .0175 or .06.
func Product(v float64) string {
	text := strconv.FormatFloat(v, 'g', 2, 64)
	if e, err := strconv.ParseFloat(text, 64); err == nil {
		text = strconv.FormatFloat(e, 'f', -1, 64)
	}
	if len(text) > 1 && text[0] == '0' {
		return text[1:]
	}
	return text
}
