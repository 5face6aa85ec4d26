package page

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"impalab/learner/hyper"
)

// rankKeys are the settings with a knob in the panel Rank mine, in the order of the panel. A track may lack some.
var rankKeys = []string{"rho", "c", "mix", "lr", "alpha", "entropy", "unroll"}

// knobStops is the number of values of a knob, without the start.
const knobStops = 33

// knob is a setting with a slider. The slider holds the index of one of its values.
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
		values := []float64{start}
		for i := range knobStops {
			values = append(values, k.At(float64(i)/(knobStops-1)))
		}
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

// list returns the values for the script.
func (k *knob) list() string {
	text, _ := json.Marshal(k.Values) // strings always encode
	return string(text)
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
