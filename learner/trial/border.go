package trial

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// grid is the rows of one variant over its learning rates and lags: which seeds ended at chance in each cell.
type grid struct {
	name  string
	rates []string
	cells []cell
}

type cell struct {
	rate    string
	product float64 // the lag times the learning rate
	chance  []bool  // of each seed, whether it ended at chance
}

// grids returns the rows of a study whose axes are lr and lag.
func (t *StudyTable) grids() (all []*grid) {
	rates, lags := t.Study.Each[0], t.Study.Each[1]
	for rows := range slices.Chunk(t.Rows, len(rates.Values)*len(lags.Values)) {
		name, _, _ := strings.Cut(rows[0].Label, ", "+rates.Key)
		g := &grid{name: name, rates: rates.Values}
		for i, r := range rows {
			rate, lag := rates.Values[i/len(lags.Values)], lags.Values[i%len(lags.Values)]
			times, _ := strconv.ParseFloat(rate, 64) // the settings have been read already
			late, _ := strconv.ParseFloat(lag, 64)
			g.cells = append(g.cells, cell{rate, times * late, r.endedAtChance()})
		}
		all = append(all, g)
	}
	return all
}

// border returns the product of lag and rate at which half of the seeds end at chance, with its interval over seeds, as
// words. Only cells of a rate count; "": all.
func (g *grid) border(rate string) string {
	cells := slices.DeleteFunc(slices.Clone(g.cells), func(c cell) bool { return rate != "" && c.rate != rate })
	slices.SortStableFunc(cells, func(a, b cell) int { return compareProducts(a.product, b.product) })
	seeds := make([]float64, len(cells[0].chance))
	for i := range seeds {
		seeds[i] = float64(i)
	}
	words := func(x float64) string {
		switch {
		case math.IsInf(x, 1):
			return fmt.Sprintf("above %.3g", cells[len(cells)-1].product)
		case math.IsInf(x, -1):
			return fmt.Sprintf("below %.3g", cells[0].product)
		}
		return fmt.Sprintf("%.2g", x)
	}
	middle, low, high := Interval(seeds, func(drawn []float64) float64 { return atHalf(cells, drawn) })
	if low == high && math.IsInf(middle, 0) {
		return words(middle)
	}
	return fmt.Sprintf("%s [%s, %s]", words(middle), words(low), words(high))
}

// atHalf returns where the share of these seeds that ended at chance passes a half, over cells in the order of their
// products. Cells of one product count together, and the share is made to rise with the product (by pooling adjacent
// violators, which is least squares). Between two products it is a straight line over their logarithm. −∞ and +∞: it
// passes a half before the first product, or after the last.
func atHalf(cells []cell, seeds []float64) float64 {
	type point struct{ product, share, cells float64 }
	var points []point // one for each product
	for _, c := range cells {
		n := 0.0
		for _, s := range seeds {
			if c.chance[int(s)] {
				n++
			}
		}
		share := n / float64(len(seeds))
		if last := len(points) - 1; last >= 0 && compareProducts(points[last].product, c.product) == 0 {
			p := &points[last]
			p.share, p.cells = (p.share*p.cells+share)/(p.cells+1), p.cells+1
			continue
		}
		points = append(points, point{c.product, share, 1})
	}
	type pool struct {
		share, cells float64
		points       int
	}
	var pools []pool
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
	above := slices.IndexFunc(points, func(p point) bool { return p.share >= 0.5 })
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
		cells := []string{g.name, g.border("")}
		for _, rate := range g.rates {
			cells = append(cells, g.border(rate))
		}
		text += TableRow(cells)
	}
	return text + "\n"
}
