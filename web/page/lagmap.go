package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/chart"
	"impalab/web/number"
)

// StalenessPath is the path of the page that asks for a guess before a sweep of policy lag and learning rate.
const StalenessPath = "staleness"

// LagMap is a sweep over policy lag and learning rate, read as a map.
type LagMap struct {
	Lags, Rates []float64      // rising
	Cells       []int          // numbers of the sweep's cells: the lags change fastest, the lowest rate is first
	Fates       [][]trial.Fate // of each of Cells, in the order of the seeds
	Border      trial.Border   // where half of the seeds end at chance
	Each        []float64      // its product at each rate alone
}

// LagMap returns the map of a sweep that has a Map for its drawing.
func (s *Sweep) LagMap() *chart.LagMap {
	m := s.emptyMap()
	height := s.heights()
	for i, n := range s.Map.Cells {
		m.Cells[i] = chart.LagSeeds{Number: n, Asked: len(s.Seeds)}
		c := &m.Cells[i]
		for k, fate := range s.Map.Fates[i] {
			switch fate {
			case trial.FellToChance:
				c.Fell++
			case trial.Stood:
				c.Heights = append(c.Heights, height(s.Cells[n].Runs[k].Return))
			}
		}
		slices.SortFunc(c.Heights, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	if s.bordered() {
		m.Borders = append(m.Borders, s.border("ink"))
	}
	if s.Beside != nil && s.Beside.bordered() {
		m.Borders = append(m.Borders, s.Beside.border("corrected"))
	}
	m.Guess, m.Chosen = s.Guess, s.Chosen
	return m
}

// emptyMap returns the map without a seed.
func (s *Sweep) emptyMap() *chart.LagMap {
	m := &chart.LagMap{Lags: s.Map.Lags, Rates: s.Map.Rates, Cells: make([]chart.LagSeeds, len(s.Map.Cells)), Chosen: -1}
	for _, v := range m.Lags {
		m.LagNames = append(m.LagNames, exactly(v))
	}
	for _, v := range m.Rates {
		m.RateNames = append(m.RateNames, exactly(v))
	}
	return m
}

// exactly returns a number with all of its digits, as .0005.
func exactly(v float64) string { return strings.TrimPrefix(strconv.FormatFloat(v, 'f', -1, 64), "0") }

// heights returns the function that places a return between a uniform policy's, 0, and the best known return, 1.
func (s *Sweep) heights() func(r float64) float64 {
	world, _, err := envs.Describe(s.Base.World)
	if err != nil {
		return func(float64) float64 { return 0 }
	}
	random, best := float64(world.Random), float64(world.Solved)
	for i := range s.Cells {
		for k := range s.Cells[i].Runs {
			if m := &s.Cells[i].Runs[k]; m.Counts {
				best = math.Max(best, m.Return)
			}
		}
	}
	return func(r float64) float64 { return math.Min(1, math.Max(0, (r-random)/(best-random))) }
}

// leastRuns is the number of runs from which a map that fills has a border.
const leastRuns = 20

// bordered reports whether the sweep's map has a border: one of a map that fills must be inside it.
func (s *Sweep) bordered() bool {
	return s.Map != nil && (s.Over == s.Runs || s.Over >= leastRuns && !math.IsInf(s.Map.Border.Product, 0))
}

// border returns the border of the sweep's map in a tone.
func (s *Sweep) border(tone string) chart.LagBorder {
	b := s.Map.Border
	return chart.LagBorder{Name: s.correction(), Tone: tone, Product: b.Product, Low: b.Low, High: b.High,
		Rates: s.Map.Each}
}

// correction names the correction of all runs, with the numbers that differ from the preset's.
func (s *Sweep) correction() string {
	row, _ := hyper.Lookup("correction")
	name := row.Name(s.Base.Get("correction"))
	for _, one := range s.turned() {
		if row, err := hyper.Lookup(one.Key); err == nil && row.Symbol != "" && one.Key != "correction" {
			name += " " + turnedWords(one.Key, one.Value)
		}
	}
	return name
}

// Fallen says how many seeds of a cell of a sweep with a Map ended at chance, and how many ended.
func (s *Sweep) Fallen(cell int) (fell, ended int) {
	for _, fate := range s.Map.Fates[slices.Index(s.Map.Cells, cell)] {
		switch fate {
		case trial.FellToChance:
			fell++
			ended++
		case trial.Stood:
			ended++
		}
	}
	return fell, ended
}

// guessed compares a visitor's product of lag and rate with the border.
func (s *Sweep) guessed() string {
	b := s.Map.Border
	said := "You drew " + chart.Product(s.Guess) + ": "
	times := func(ratio float64) string {
		if ratio < 10 {
			return number.Fixed(ratio, 1)
		}
		return number.Fixed(ratio, 0)
	}
	switch {
	case !s.bordered():
		return strings.TrimSuffix(said, ": ") + "."
	case s.Guess >= b.Low && s.Guess <= b.High:
		return said + "within the interval."
	case math.IsInf(b.Product, 1):
		return said + "half of the seeds stand even in the last corner."
	case math.IsInf(b.Product, -1):
		return said + "half of the seeds fall even in the first corner."
	case s.Guess < b.Product:
		return said + times(b.Product/s.Guess) + " times too careful."
	}
	return said + times(s.Guess/b.Product) + " times too trusting."
}

// law says how the border goes through the map.
func (s *Sweep) law() []string {
	b := s.Map.Border
	if s.Over < s.Runs || math.IsNaN(b.Product) || math.IsInf(b.Product, 0) {
		return nil
	}
	says := []string{"Half the learning rate buys twice the lag, as far as the rings stand on the line."}
	for i, each := range s.Map.Each {
		if math.IsInf(each, -1) {
			says = append(says, fmt.Sprintf("From a rate of %s half of the seeds fall even at a lag of %s.",
				exactly(s.Map.Rates[i]), exactly(s.Map.Lags[0])))
			break
		}
	}
	return says
}

// mapCaption says everything that is needed to read the map and to make it again.
func (s *Sweep) mapCaption() string {
	b := s.border("ink")
	product, interval := b.Words()
	return fmt.Sprintf("A pole is a seed after %s steps: as tall as its mean return of the last 100 episodes, or on the "+
		"floor, where that is at most a twentieth of the way from random to solved. %s; %s. Line: the product of lag and "+
		"learning rate at which half of the seeds lie, %s. Band: its 95\u00a0%% interval, bootstrap over the %s. Rings: the "+
		"same at one rate.", number.Count(s.Base.Steps), StartWords(s.Preset, s.turned(), s.Turns), SeedWords(s.Seeds),
		strings.TrimSpace(product+" "+interval), seedCount(len(s.Seeds)))
}

// The map that the page of the guess asks for. Its lags and rates double: a script moves the line.
var (
	guessLags  = []string{"1", "2", "4", "8", "16", "32", "64", "128"}
	guessRates = []string{"0.000125", "0.00025", "0.0005", "0.001", "0.002", "0.004", "0.008"}
)

const (
	guessPreset  = "lag-cliff"
	guessSteps   = 250_000
	guessSeeds   = 8
	guessProduct = 0.0625 // where the line first is
	guessRate    = 0.001  // the rate of the words
)

// guessMap is the map of the page of the guess.
func guessMap() *chart.LagMap {
	s := &Sweep{Map: &LagMap{Cells: make([]int, len(guessLags)*len(guessRates))}}
	for _, text := range guessLags {
		v, _ := strconv.ParseFloat(text, 64)
		s.Map.Lags = append(s.Map.Lags, v)
	}
	for _, text := range guessRates {
		v, _ := strconv.ParseFloat(text, 64)
		s.Map.Rates = append(s.Map.Rates, v)
	}
	return s.emptyMap()
}

// guessBody is the request for the sweep, without its seeds and its correction.
func guessBody() any {
	return map[string]any{"preset": guessPreset, "steps": guessSteps, "settings": map[string]string{},
		"keys": []Axis{{"lag", guessLags}, {"lr", guessRates}}}
}

// jsonText returns a value as JSON for an attribute.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("page: " + err.Error())
	}
	return string(text)
}

// again is the request for the same sweep, whose correction a script replaces.
func (s *Sweep) again() any {
	settings := map[string]string{}
	for _, one := range s.turned() {
		settings[one.Key] = one.Value
	}
	delete(settings, "correction")
	var seeds []string
	for _, seed := range s.Seeds {
		seeds = append(seeds, strconv.FormatUint(seed, 10))
	}
	body := map[string]any{"settings": settings, "steps": s.Base.Steps, "seeds": strings.Join(seeds, ","), "keys": s.Keys}
	if s.Preset != "" {
		body["preset"] = s.Preset
	}
	if len(s.Turns) > 0 {
		body["turns"] = hyper.FormatPlan(s.Turns)
	}
	return body
}
