package show

import (
	"math"
	"slices"
)

// quartiles keeps a sample of numbers for their quartiles: all of them at first, then every second, every fourth…, so
// that many take no more time than some.
type quartiles struct {
	kept  []float64
	every int // of those that come, one is kept
	seen  int
}

const quartilesKept = 256

func (q *quartiles) add(v float64) {
	q.every = max(1, q.every)
	if q.seen++; (q.seen-1)%q.every != 0 {
		return
	}
	q.kept = append(q.kept, v)
	if len(q.kept) < quartilesKept {
		return
	}
	for i := range quartilesKept / 2 {
		q.kept[i] = q.kept[2*i]
	}
	q.kept = q.kept[:quartilesKept/2]
	q.every *= 2
}

// take gives the lower and the upper quartile and begins anew. There must be a number.
func (q *quartiles) take() (low, high float64) {
	slices.Sort(q.kept)
	low, high = q.at(0.25), q.at(0.75)
	*q = quartiles{kept: q.kept[:0]}
	return low, high
}

// at is the number below which a share of those kept lies, between neighbours in proportion.
func (q *quartiles) at(share float64) float64 {
	at := share * float64(len(q.kept)-1)
	below := math.Floor(at)
	i, part := int(below), at-below
	if part == 0 {
		return q.kept[i]
	}
	return (1-part)*q.kept[i] + part*q.kept[i+1]
}
