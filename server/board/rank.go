package board

import (
	"cmp"
	"slices"
	"strconv"
)

// Placed is a row with its rank: First to Last of those who cannot be told apart.
type Placed struct {
	Row
	First, Last int
}

// Tied reports whether the row shares its rank.
func (p *Placed) Tied() bool { return p.First < p.Last }

// Rank is "4", or "1–3" in a tie group.
func (p *Placed) Rank() string {
	if p.Tied() {
		return strconv.Itoa(p.First) + "–" + strconv.Itoa(p.Last)
	}
	return strconv.Itoa(p.First)
}

// Place ranks rows by the low end of their intervals. A tie group is a row with all that follow it directly and whose
// intervals reach its low end: they overlap with the best of the group. One wide interval so ties with its neighbours
// and not with the whole board. Rows that are the same otherwise stand in the order of their hashes.
func Place(rows []Row) []Placed {
	placed := make([]Placed, len(rows))
	for i, r := range rows {
		placed[i].Row = r
	}
	slices.SortStableFunc(placed, func(a, b Placed) int {
		return cmp.Or(cmp.Compare(b.Score.Low, a.Score.Low), cmp.Compare(b.Score.Mean, a.Score.Mean),
			cmp.Compare(a.Hash, b.Hash))
	})
	for first := 0; first < len(placed); {
		last := first
		for last+1 < len(placed) && placed[last+1].Score.High >= placed[first].Score.Low {
			last++
		}
		for i := first; i <= last; i++ {
			placed[i].First, placed[i].Last = first+1, last+1
		}
		first = last + 1
	}
	return placed
}
