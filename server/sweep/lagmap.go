package sweep

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"impalab/envs"
	"impalab/learner/trial"
)

// LagMap is a sweep over policy lag and learning rate, read as a map: which seeds ended at chance, and at which product
// of lag and rate half of them do.
type LagMap struct {
	Lags, Rates []float64      // rising
	Cells       []int          // numbers of the sweep's cells: the lags change fastest, the lowest rate is first
	Fates       [][]trial.Fate // of each of Cells, in the order of the seeds
	Border      trial.Border   // over all rates
	Each        []float64      // its product at each rate alone
}

// LagMap returns the map of a sweep over lags and rates, all above 0 and at least two of each; nil for other sweeps. It
// is computed again after runs have ended, at most twice a second.
func (s *Sweep) LagMap() *LagMap {
	lag := slices.IndexFunc(s.Spec.Keys, func(a Axis) bool { return a.Key == "lag" })
	rate := slices.IndexFunc(s.Spec.Keys, func(a Axis) bool { return a.Key == "lr" })
	if lag < 0 || rate < 0 {
		return nil
	}
	s.mapping.Lock()
	defer s.mapping.Unlock()
	info := s.Info()
	fresh := info.Over == s.mappedOf || info.Over < info.Runs && time.Since(s.mappedAt) < time.Second/2
	if s.mapped == nil || !fresh {
		s.mapped, s.mappedOf = lagMapOf(&info, s.Spec.Base.Config.World, lag, rate), info.Over
		s.mappedAt = time.Now()
	}
	return s.mapped
}

// lagMapOf makes the map of a sweep whose lags and rates are the axes with these numbers.
func lagMapOf(info *Info, name string, lag, rate int) *LagMap {
	world, _, err := envs.Describe(name)
	if err != nil {
		return nil // the lab checked the sweep
	}
	var m LagMap
	numbers := func(axis int) (values []float64, order []int) {
		texts := info.Keys[axis].Values
		all := make([]float64, len(texts))
		for i, text := range texts {
			all[i], _ = strconv.ParseFloat(text, 64) // the lab checked the sweep
			order = append(order, i)
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(all[i], all[j]) })
		for _, i := range order {
			values = append(values, all[i])
		}
		return values, order
	}
	lags, across := numbers(lag)
	rates, up := numbers(rate)
	if len(lags) < 2 || len(rates) < 2 || !(lags[0] > 0) || !(rates[0] > 0) {
		return nil
	}
	m.Lags, m.Rates = lags, rates
	columns := len(info.Keys[0].Values)
	var cells []trial.LagCell
	for r := range rates {
		for l := range lags {
			n := across[l] + columns*up[r]
			if lag == 1 {
				n = up[r] + columns*across[l]
			}
			c := trial.LagCell{Product: lags[l] * rates[r]}
			for _, run := range info.Cells[n].Runs {
				fate := trial.Training
				switch {
				case run.State == Diverged, run.Counts && trial.AtChance(world, float64(run.Return)):
					fate = trial.FellToChance
				case run.Counts:
					fate = trial.Stood
				}
				c.Fates = append(c.Fates, fate)
			}
			cells = append(cells, c)
			m.Cells, m.Fates = append(m.Cells, n), append(m.Fates, c.Fates)
		}
	}
	m.Border = trial.BorderOf(cells)
	for row := range slices.Chunk(cells, len(lags)) {
		m.Each = append(m.Each, trial.HalfOf(row))
	}
	return &m
}
