package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"impalab/learner/hyper"
)

// rankKeys are the settings with a knob in the panel Rank mine, in the order of the panel. A track may lack some.
var rankKeys = []string{"rho", "c", "mix", "lr", "alpha", "entropy", "unroll"}

// knob is a setting with a slider and a field for numbers. The slider holds the index of one of its values.
type knob struct {
	*hyper.Row
	Values []string // as links have them, rising
	Start  int      // index of the track's start
}

// knobs returns the knobs of the track.
func (b *Board) knobs() (all []knob) {
	for _, key := range rankKeys {
		k := b.Track.key(key)
		if k == nil || !k.Numeric() {
			continue
		}
		start, err := k.Parse(b.Track.Start.Get(key))
		if err != nil {
			continue
		}
		values := append(roundNumbers(k.Row), start)
		if math.IsInf(k.High, 1) && k.Symbol != "" { // without a bound, as ρ̄ = ∞
			values = append(values, k.High)
		}
		slices.Sort(values)
		values = slices.DeleteFunc(slices.Compact(values), func(v float64) bool { return v < k.Low || v > k.High })
		one := knob{Row: k.Row, Start: slices.Index(values, start)}
		for _, v := range values {
			one.Values = append(one.Values, k.Format(v))
		}
		if one.Start >= 0 && len(values) > 1 {
			all = append(all, one)
		}
	}
	return all
}

// roundNumbers returns the round numbers on the slider of a setting. A logarithmic slider has seven in each power of
// ten. Another slider has at most 41, at equal distances.
func roundNumbers(r *hyper.Row) (values []float64) {
	add := func(digits float64, power int) {
		v, _ := strconv.ParseFloat(fmt.Sprintf("%ge%d", digits, power), 64) // exactly the number that a person would type
		if v >= r.SliderMin && v <= r.SliderMax && (!r.Whole() || v == math.Trunc(v)) {
			values = append(values, v)
		}
	}
	power := func(v float64) int { return int(math.Floor(math.Log10(v) + 1e-9)) }
	if r.Scale == hyper.Log {
		for p := power(r.SliderMin); p <= power(r.SliderMax); p++ {
			for _, digits := range []float64{1, 1.5, 2, 3, 4, 6, 8} {
				add(digits, p)
			}
		}
		return values
	}
	least := (r.SliderMax - r.SliderMin) / 40
	p, step := power(least)-1, 100.0
	for _, digits := range []float64{50, 25, 20, 10} { // tenths, so that a multiple of 2.5 is whole
		if digits >= least/math.Pow10(p)*(1-1e-9) {
			step = digits
		}
	}
	for i := math.Ceil(r.SliderMin / step / math.Pow10(p)); i*step*math.Pow10(p) <= r.SliderMax*(1+1e-9); i++ {
		add(i*step, p)
	}
	return values
}

// list returns the values for the script.
func (k *knob) list() string {
	return jsonText(k.Values)
}

func (k *knob) last() string { return strconv.Itoa(len(k.Values) - 1) }

// onKnobs counts the settings that have a knob or a list of their own in the panel.
func (b *Board) onKnobs() int {
	n := len(b.knobs())
	if b.algorithms() != nil {
		n++
	}
	return n + len(b.written())
}

// written returns the settings that a person writes in several lines.
func (b *Board) written() (all []*Key) {
	for i := range b.Track.Keys {
		if k := &b.Track.Keys[i]; k.Lines > 0 {
			all = append(all, k)
		}
	}
	return all
}

// algorithms returns the algorithms that the track accepts; nil if it fixes the algorithm.
func (b *Board) algorithms() *Key {
	k := b.Track.key("algo")
	if k == nil || k.Values != nil {
		return k
	}
	all := *k
	all.Values = k.Choices
	return &all
}
