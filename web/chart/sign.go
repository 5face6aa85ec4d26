package chart

import (
	"cmp"
	"slices"
	"strings"
)

// Letters on curves name their runs, so that no one has to tell them apart by colour.

const signHigh = 15.0 // height of a letter, in pixels

// sign is a letter at a place.
type sign struct {
	x, y          float64
	class, letter string
}

// ends puts letters or names at the ends of lines, below each other if they would collide.
func (f *frame) ends(lines []Line) {
	const small = 13
	apart, larger, tall := 5.0, 1.0, signHigh
	if f.lettered > 0 {
		apart, larger, tall = 11, f.lettered/small, max(signHigh, 1.2*f.lettered)
	}
	var signs []sign
	for _, one := range lines {
		columns := f.columns(one.Curve)
		for i := len(columns) - 1; i >= 0 && one.Sign != ""; i-- {
			if v := columns[i].Value; !v.Empty() {
				x, y := f.x.at(float64(columns[i].Step)), f.y.at(float64(v.Last))
				if f.lettered > 0 {
					f.svg.circle(strings.Replace(signClass(&one), "sign", "end", 1), x, y, 5)
				}
				signs = append(signs, sign{min(x+apart, f.x.to-larger*wide(one.Sign)), y + 5, signClass(&one), one.Sign})
				break
			}
		}
	}
	slices.SortStableFunc(signs, func(a, b sign) int { return cmp.Compare(a.y, b.y) })
	places, high := make([]float64, len(signs)), make([]float64, len(signs))
	for i, s := range signs {
		places[i], high[i] = s.y, tall
	}
	spread(places, high, f.y.to+tall/2, f.y.from-2+tall/2)
	for i, s := range signs {
		if f.lettered == 0 && strings.Contains(s.class, "own") {
			f.svg.rect("framed", s.x-4, places[i]-14, wide(s.letter)+8, 19)
		}
		f.text(s.class, start, s.x, places[i], s.letter)
		f.taken = append(f.taken, box{s.x - apart - 5, places[i] - tall, s.x + larger*wide(s.letter), places[i] + 4})
	}
}

// along puts letters beside each other near the right end, for charts too low to stack them.
func (f *frame) along(lines []Line) {
	const first, each = 24.0, 28.0 // pixels from the end, and between two letters
	end, placed := f.x.to, 0
	for i := range lines {
		if last := lines[i].Curve.Last(); lines[i].Sign != "" && last != nil {
			end = min(end, f.x.at(float64(min(last.Step, f.time.Steps))))
		}
	}
	for i := len(lines) - 1; i >= 0; i-- { // the selected run comes last
		one := &lines[i]
		if one.Sign == "" {
			continue
		}
		x := end - first - each*float64(placed)
		v := one.Curve.At(uint64(max(0, f.x.lo+(x-f.x.from)/(f.x.to-f.x.from)*(f.x.hi-f.x.lo))))
		placed++
		if x > f.x.from && finite(v) {
			f.text(signClass(one), middle, x, min(max(f.y.at(float64(v))+4, 11), f.h-1), one.Sign)
		}
	}
}

// note writes the words beside a fall where no curve, no words and no line of a change cross them: to its right or to
// its left, preferably halfway up, else left of a change before it, left of the lake, at the chart's end, or at the
// nearest free place. Where no place is free, it leaves the words out.
func (f *frame) note(x float64, r *Return) {
	const gap, high = 24.0, 18.0 // from the fall, and between two lines
	const crossed = 1000         // in columns of the lake
	width, height := 0.0, high*float64(len(r.Note))
	for _, line := range r.Note {
		width = max(width, 1.1*wide(line))
	}
	highest, lowest := f.y.to+8, f.y.from-height-4
	sides := []float64{x + gap, x - gap - width}
	if r.Lake != nil { // the lake lies on the right
		shore := min(x, f.x.at(float64(r.Lake.From)))
		sides = []float64{x - gap - width, x + gap}
		for _, m := range slices.Backward(f.time.Marks) { // left of a change whose line is in the way
			if at := f.x.at(float64(m.Step)); at < x {
				sides = append(sides, at-gap/2-width)
			}
		}
		sides = append(sides, shore-gap-width, f.x.to-width)
	}
	for away := gap; away < f.x.to; away += width / 3 {
		sides = append(sides, x-away-width, x+away)
	}
	lines := append(r.Others[:len(r.Others):len(r.Others)], Line{Curve: r.Mean}, Line{Curve: r.Recent})
	var best XY
	fewest := crossed
	for _, left := range sides {
		left = min(max(left, 0), f.x.to-width)
		for _, share := range [...]float64{0.5, 0.75, 0.25, 1, 0} {
			top := highest + share*(lowest-highest)
			b := box{left, top, left + width, top + height}
			if f.onWords(b)+f.onMarks(b)+f.crossings(lines, b) > 0 {
				continue
			}
			if n := f.inLake(r.Lake, b); n < fewest {
				best, fewest = XY{left, top}, n
			}
		}
		if fewest == 0 {
			break
		}
	}
	if fewest == crossed {
		return
	}
	f.taken = append(f.taken, box{best.X, best.Y, best.X + width, best.Y + height})
	for i, line := range r.Note {
		f.text("halo note", start, best.X, best.Y+high*float64(i)+14, line)
	}
}

func signClass(l *Line) string {
	class, blue := "sign own halo", strings.HasSuffix(l.Class, " pi")
	if strings.HasPrefix(l.Class, "line other") {
		class = "sign halo"
	}
	if len(l.Sign) == 1 { // of a run in the Lab; its line may have the colour of a quantity
		blue = l.Sign == "A"
	}
	if blue {
		class += " pi"
	}
	return class
}
