package watch

import (
	"math"
	"slices"
)

// Quartiles keeps a sample of numbers: all at first, then every second, every fourth and so on, so that its cost is
// bounded.
type Quartiles struct {
	Kept  []float64
	Every int // one number in Every is kept
	Seen  int
}

const quartilesKept = 256

func (q *Quartiles) add(v float64) {
	q.Every = max(1, q.Every)
	if q.Seen++; (q.Seen-1)%q.Every != 0 {
		return
	}
	q.Kept = append(q.Kept, v)
	if len(q.Kept) < quartilesKept {
		return
	}
	for i := range quartilesKept / 2 {
		q.Kept[i] = q.Kept[2*i]
	}
	q.Kept = q.Kept[:quartilesKept/2]
	q.Every *= 2
}

// flush returns the lower and the upper quartile and drops the numbers. There must be at least one.
func (q *Quartiles) flush() (low, high float64) {
	slices.Sort(q.Kept)
	low, high = q.at(0.25), q.at(0.75)
	*q = Quartiles{Kept: q.Kept[:0]}
	return low, high
}

// at returns the quantile of a share, interpolated between neighbours.
func (q *Quartiles) at(share float64) float64 {
	at := share * float64(len(q.Kept)-1)
	below := math.Floor(at)
	i, part := int(below), at-below
	if part == 0 {
		return q.Kept[i]
	}
	return (1-part)*q.Kept[i] + part*q.Kept[i+1]
}
