package trial

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Fate is how a seed of a cell ended.
type Fate uint8

// A seed that still trains has no end.
const (
	Training Fate = iota
	Stood
	FellToChance // by AtChance
)

// LagCell is the seeds of one policy lag and one learning rate.
type LagCell struct {
	Product float64 // the lag times the rate
	Fates   []Fate  // of each seed, in one order for all cells
}

// grid is the rows of one variant over its learning rates and lags.
type grid struct {
	name  string
	rates []string
	cells []LagCell // the lags change fastest
}

// grids returns the rows of a study whose axes are lr and lag.
func (t *StudyTable) grids() (all []*grid) {
	rates, lags := t.Study.Each[0], t.Study.Each[1]
	for rows := range slices.Chunk(t.Rows, len(rates.Values)*len(lags.Values)) {
		name, _, _ := strings.Cut(rows[0].Label, ", "+rates.Key)
		g := &grid{name: name, rates: rates.Values}
		for i, r := range rows {
			times, _ := strconv.ParseFloat(rates.Values[i/len(lags.Values)], 64) // the settings have been read already
			late, _ := strconv.ParseFloat(lags.Values[i%len(lags.Values)], 64)
			cell := LagCell{Product: times * late}
			for _, at := range r.endedAtChance() {
				fate := Stood
				if at {
					fate = FellToChance
				}
				cell.Fates = append(cell.Fates, fate)
			}
			g.cells = append(g.cells, cell)
		}
		all = append(all, g)
	}
	return all
}

// at returns the cells of the rate with this number; -1: all cells.
func (g *grid) at(rate int) []LagCell {
	if rate < 0 {
		return g.cells
	}
	lags := len(g.cells) / len(g.rates)
	return g.cells[rate*lags : (rate+1)*lags]
}

// words returns the border of some cells, with its interval.
func (g *grid) words(rate int) string {
	cells := sorted(g.at(rate))
	words := func(x float64) string {
		switch {
		case math.IsInf(x, 1):
			return fmt.Sprintf("above %.3g", cells[len(cells)-1].Product)
		case math.IsInf(x, -1):
			return fmt.Sprintf("below %.3g", cells[0].Product)
		}
		return fmt.Sprintf("%.2g", x)
	}
	b := BorderOf(cells)
	if b.Low == b.High && math.IsInf(b.Product, 0) {
		return words(b.Product)
	}
	return fmt.Sprintf("%s [%s, %s]", words(b.Product), words(b.Low), words(b.High))
}

// Border is the product of lag and learning rate at which half of the seeds end at chance, and its 95 % interval:
// bootstrap over the seeds. −∞ and +∞: half do before the first product, or not even at the last. NaN: no seed has
// ended.
type Border struct{ Product, Low, High float64 }

// BorderOf finds where half of the seeds of a map end at chance. It counts the seeds that have ended in at least one
// cell.
func BorderOf(cells []LagCell) Border {
	f := fitOf(cells)
	if len(f.seeds) == 0 {
		return Border{math.NaN(), math.NaN(), math.NaN()}
	}
	var b Border
	b.Product, b.Low, b.High = Interval(f.seeds, f.half)
	return b
}

// HalfOf is the Product of BorderOf.
func HalfOf(cells []LagCell) float64 {
	f := fitOf(cells)
	if len(f.seeds) == 0 {
		return math.NaN()
	}
	return f.half(f.seeds)
}

// sorted returns cells in the order of their products.
func sorted(cells []LagCell) []LagCell {
	cells = slices.Clone(cells)
	slices.SortStableFunc(cells, func(a, b LagCell) int { return compareProducts(a.Product, b.Product) })
	return cells
}

// fit is a search for a border. Its slices are used again by each draw of the bootstrap.
type fit struct {
	cells  []LagCell
	seeds  []float64 // numbers of the seeds that have ended in at least one cell
	points []share   // one for each product
	pools  []pool
}

// share is the share of seeds at chance in the cells of one product.
type share struct{ product, share, cells float64 }

// pool is neighbouring products whose shares are made one.
type pool struct {
	share, cells float64
	points       int
}

func fitOf(cells []LagCell) *fit {
	f := &fit{cells: sorted(cells)}
	for i := range cells[0].Fates {
		if slices.ContainsFunc(cells, func(c LagCell) bool { return c.Fates[i] != Training }) {
			f.seeds = append(f.seeds, float64(i))
		}
	}
	return f
}

// half returns where the share of these seeds that ended at chance passes a half, over cells in the order of their
// products. Cells of one product count together, and the share is made to rise with the product (by pooling adjacent
// violators, which is least squares). Between two products it is a straight line over their logarithm.
func (f *fit) half(seeds []float64) float64 {
	points, pools := f.points[:0], f.pools[:0]
	for i := range f.cells {
		c := &f.cells[i]
		fell, ended := 0.0, 0.0
		for _, s := range seeds {
			switch c.Fates[int(s)] {
			case FellToChance:
				fell++
				ended++
			case Stood:
				ended++
			}
		}
		if ended == 0 {
			continue // these seeds still train
		}
		at := fell / ended
		if last := len(points) - 1; last >= 0 && compareProducts(points[last].product, c.Product) == 0 {
			p := &points[last]
			p.share, p.cells = (p.share*p.cells+at)/(p.cells+1), p.cells+1
			continue
		}
		points = append(points, share{c.Product, at, 1})
	}
	for _, p := range points {
		pools = append(pools, pool{p.share, p.cells, 1})
		for n := len(pools); n > 1 && pools[n-2].share >= pools[n-1].share; n = len(pools) {
			a, b := pools[n-2], pools[n-1]
			cells := a.cells + b.cells
			pools = append(pools[:n-2], pool{(a.share*a.cells + b.share*b.cells) / cells, cells, a.points + b.points})
		}
	}
	i := 0
	for _, pool := range pools {
		for range pool.points {
			points[i].share = pool.share
			i++
		}
	}
	f.points, f.pools = points, pools
	above := slices.IndexFunc(points, func(p share) bool { return p.share >= 0.5 })
	switch above {
	case -1:
		return math.Inf(1)
	case 0:
		return math.Inf(-1)
	}
	a, b := points[above-1], points[above]
	from, to := math.Log(a.product), math.Log(b.product)
	return math.Exp(from + (to-from)*(0.5-a.share)/(b.share-a.share))
}

// compareProducts orders products. Products that differ by rounding alone are equal.
func compareProducts(a, b float64) int {
	switch {
	case a < b*(1-1e-9):
		return -1
	case a > b*(1+1e-9):
		return 1
	}
	return 0
}

// borders returns the table of the borders of a study's variants, over all rates and at each; "" if it asks for none.
func (t *StudyTable) borders() string {
	if !t.Study.Border || len(t.Rows) != len(t.Study.Variants) {
		return ""
	}
	cells := []string{"lag times rate at which half end at chance", "all rates"}
	for _, rate := range t.Study.Each[0].Values {
		cells = append(cells, "lr "+rate)
	}
	text := TableHead(cells)
	for _, g := range t.grids() {
		cells := []string{g.name, g.words(-1)}
		for rate := range g.rates {
			cells = append(cells, g.words(rate))
		}
		text += TableRow(cells)
	}
	return text + "\n"
}
