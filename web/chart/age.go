package chart

import (
	"math"
	"strconv"
)

// DrawAges draws the histogram of data ages in updates. Older data are darker. Each bar stands over the ages that it
// counts. counts is nil before the first update.
func DrawAges(counts []uint32, most float32, w, h float64) string {
	var s svg
	foot := h - barsFoot
	s.line("tick", barsAside, foot, w-barsAside, foot)
	if counts == nil {
		s.text("label", middle, w/2, foot/2+4, "no update yet")
		return s.String()
	}
	oldest := oldestOf(most)
	x := ageScale(oldest, w)
	tall := tallest(counts)
	for _, b := range ageBars(counts, oldest) {
		y := foot - (foot-8)*float64(b.count)/tall
		from, to := x.at(float64(b.from)), x.at(float64(b.to))
		gap := min(1, (to-from)/4)
		s.faded("bar age", 0.35+0.65*float64(b.to-1)/float64(max(oldest, 1)), from+gap, y, to-from-2*gap, foot-y)
	}
	for _, age := range ageTicks(oldest, x) {
		px, label := x.at(float64(age)+0.5), strconv.Itoa(age)
		s.line("tick", px, foot, px, foot+3)
		half := wide(label) / 2
		s.text("label", middle, min(max(px, barsAside+half), x.to-half), h-4, label)
	}
	return s.String()
}

func oldestOf(most float32) int {
	if finite(most) && most > 0 {
		return int(math.Round(min(float64(most), 1e9)))
	}
	return 0
}

// AgeRows returns the bars as rows: ages and their number of trajectories.
func AgeRows(counts []uint32, most float32) (rows [][]string) {
	for _, b := range ageBars(counts, oldestOf(most)) {
		ages := strconv.Itoa(b.from)
		if b.to > b.from+1 {
			ages += " to " + strconv.Itoa(b.to-1)
		}
		rows = append(rows, []string{ages, strconv.FormatUint(uint64(b.count), 10)})
	}
	return rows
}

// ageScale gives each age an equal part of the axis, from a to a+1. It has room for at least eight ages, so that one
// bar does not fill the chart.
func ageScale(oldest int, w float64) scale {
	return scale{0, float64(max(oldest+1, 8)), barsAside, w - barsAside}
}

// ageBar counts the trajectories of the ages from to to−1.
type ageBar struct {
	from, to int
	count    uint32
}

// ageBars turns the learner's buckets back into ages. Age a is in bucket ⌊a·n/(oldest+1)⌋. If there are more buckets
// than ages, some buckets hold no age.
func ageBars(counts []uint32, oldest int) (out []ageBar) {
	n, ages := len(counts), oldest+1
	first := func(bucket int) int { return (bucket*ages + n - 1) / n }
	for i, count := range counts {
		if from, to := first(i), first(i+1); to > from {
			out = append(out, ageBar{from, to, count})
		}
	}
	return out
}

// ageTicks returns the ages that the axis names: round ones and always the oldest.
func ageTicks(oldest int, x scale) (ages []int) {
	each := x.at(1) - x.at(0)
	apart := (wide(strconv.Itoa(oldest)) + 14) / each // between the middles of two numbers, in ages
	round, _ := Ticks(0, float64(oldest), max(1, int((x.to-x.from)/60)))
	for _, t := range round {
		age := int(t)
		if float64(age) != t || float64(oldest-age) < apart || len(ages) > 0 && float64(age-ages[len(ages)-1]) < apart {
			continue
		}
		ages = append(ages, age)
	}
	return append(ages, oldest)
}
