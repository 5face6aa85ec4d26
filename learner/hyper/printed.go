package hyper

import (
	"math"
	"strconv"
	"strings"
)

// Printed is a value that an algorithm's paper prints for a setting, in this table's units.
type Printed struct {
	Key   string
	Value string // as links have it; "a..b" is a range, "a|b" leaves a choice
	Place string // in the paper
	when  func(*Config) bool
}

// Departure is a setting whose value differs from the paper's.
type Departure struct{ Key, Here, Printed, Place string }

// Words returns the paper's value as people read it.
func (d *Departure) Words() string { return inWords.Replace(d.Printed) }

var inWords = strings.NewReplacer("..", " to ", "|", " or ", "inf", "∞")

// Departures compares a configuration with the settings that its algorithm's paper prints, in the order of the table.
// It leaves out settings that have no effect.
func (c *Config) Departures() (all []Departure) {
	printed := c.Algorithm().Printed
	for i := range Table {
		r := &Table[i]
		for j := range printed {
			p := &printed[j]
			if p.Key == r.Key && r.InForce(c) && (p.when == nil || p.when(c)) && !p.allows(r.get(c)) {
				all = append(all, Departure{r.Key, r.get(c), p.Value, p.Place})
			}
		}
	}
	return all
}

// ends are the values that Value names.
func (p *Printed) ends() []string {
	return strings.FieldsFunc(strings.ReplaceAll(p.Value, "..", "|"), func(r rune) bool { return r == '|' })
}

func (p *Printed) allows(value string) bool {
	ends := p.ends()
	if strings.Contains(p.Value, "..") {
		return number(ends[0]) <= number(value) && number(value) <= number(ends[1])
	}
	for _, one := range ends {
		if value == one || number(value) == number(one) {
			return true
		}
	}
	return false
}

// number reads a value; a text that is not a number becomes NaN, which equals nothing.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func discrete(c *Config) bool   { return c.Policy == Softmax }
func continuous(c *Config) bool { return c.Policy != Softmax }

// The papers' settings. IMPALA's are the Atari settings, because only that table is complete.
var (
	impalaPrinted = []Printed{
		{Key: "correction", Value: "vtrace", Place: "§4"},
		{Key: "rho", Value: "1", Place: "§5.2.2"},
		{Key: "c", Value: "1", Place: "§5.2.2"},
		{Key: "reward", Value: "clip", Place: "table G.1"},
		{Key: "gamma", Value: "0.99", Place: "table G.1"},
		{Key: "lr", Value: "0.0006", Place: "table G.1"},
		{Key: "anneal", Value: "linear", Place: "table G.1"},
		{Key: "entropy", Value: "0.01", Place: "table G.1"},
		{Key: "value-cost", Value: "0.25", Place: "table G.1: 0.5 of half the square"},
		{Key: "clip", Value: "40", Place: "table G.1"},
		{Key: "unroll", Value: "20", Place: "table G.1"},
		{Key: "batch", Value: "32", Place: "table G.1"},
		{Key: "reduce", Value: "sum", Place: "table D.1"},
		{Key: "optimiser", Value: "rmsprop", Place: "table G.1"},
		{Key: "opt-eps", Value: "0.01", Place: "table G.1", when: byRMSProp},
		{Key: "momentum", Value: "0", Place: "table G.1"},
	}
	laserPrinted = []Printed{
		{Key: "correction", Value: "trust-region", Place: "§4"},
		{Key: "mix", Value: "0.875", Place: "§5.3"},
		{Key: "replay-size", Value: "10000000", Place: "§5.3"},
		{Key: "sampling", Value: "uniform", Place: "§5.2"},
		{Key: "gamma", Value: "0.995", Place: "§5.1"},
		{Key: "lr", Value: "0.0003..0.0012", Place: "§5.1"},
		{Key: "entropy", Value: "0.005..0.02", Place: "§5.1"},
		{Key: "clip", Value: "inf", Place: "§5.1"},
		{Key: "unroll", Value: "19|79", Place: "§5.1"},
		{Key: "optimiser", Value: "rmsprop", Place: "§5.1"},
		{Key: "opt-eps", Value: "0.1", Place: "§5.1", when: byRMSProp},
	}
	vmpoPrinted = []Printed{
		{Key: "correction", Value: "none", Place: "§4.1"},
		{Key: "gamma", Value: "0.99|0.997", Place: "tables 5 to 7"},
		{Key: "lr", Value: "0.0001", Place: "§4.3"},
		{Key: "entropy", Value: "0", Place: "§6"},
		{Key: "value-cost", Value: "0.5", Place: "eq. 1"},
		{Key: "clip", Value: "inf", Place: "§4.3, which names none"},
		{Key: "unroll", Value: "39..95", Place: "appendix F and table 7"},
		{Key: "batch", Value: "64..128", Place: "appendix F"},
		{Key: "reduce", Value: "mean", Place: "eq. 1"},
		{Key: "optimiser", Value: "adam", Place: "§4.3"},
		{Key: "eps-eta", Value: "0.1|0.5", Place: "tables 5 and 6", when: discrete},
		{Key: "eps-eta", Value: "0.01|0.1", Place: "table 7", when: continuous},
		{Key: "eps-alpha", Value: "0.001..0.1", Place: "tables 5 and 6"},
		{Key: "eps-mean", Value: "0.005..1", Place: "table 7"},
		{Key: "eps-sigma", Value: "5e-06..5e-05", Place: "table 7"},
		{Key: "top", Value: "0.5", Place: "§4.2.1"},
		{Key: "target-every", Value: "10..1000", Place: "tables 5 and 6", when: discrete},
		{Key: "target-every", Value: "100", Place: "table 7", when: continuous},
		{Key: "psi", Value: "exp", Place: "eq. 12"},
		{Key: "kl", Value: "on", Place: "eq. 14"},
		{Key: "dual-lr", Value: "0.0001", Place: "§4.3"},
		{Key: "popart", Value: "on", Place: "§4.1"},
		{Key: "head-hidden", Value: "256", Place: "appendix F"},
		{Key: "head-scale", Value: "0", Place: "appendix F", when: discrete},
	}
	stacPrinted = []Printed{
		{Key: "rho", Value: "1", Place: "algorithm 2"},
		{Key: "c", Value: "1", Place: "algorithm 2"},
		{Key: "lambda", Value: "1", Place: "table 3"},
		{Key: "gamma", Value: "0.995", Place: "table 3"},
		{Key: "lr", Value: "0.0006", Place: "table 3"},
		{Key: "anneal", Value: "linear", Place: "table 3"},
		{Key: "entropy", Value: "0.01", Place: "table 3"},
		{Key: "value-cost", Value: "0.25", Place: "table 3"},
		{Key: "policy-cost", Value: "1", Place: "table 3"},
		{Key: "unroll", Value: "20", Place: "table 3"},
		{Key: "batch", Value: "32", Place: "table 3"},
		{Key: "reduce", Value: "sum", Place: "eq. 1"},
		{Key: "optimiser", Value: "rmsprop", Place: "table 3"},
		{Key: "opt-eps", Value: "0.1", Place: "table 3", when: byRMSProp},
		{Key: "opt-decay", Value: "0.99", Place: "table 3"},
		{Key: "meta-lr", Value: "0.001", Place: "table 3"},
		{Key: "meta-init", Value: "4.6", Place: "table 3"},
		{Key: "outer-kl", Value: "1", Place: "table 3"},
		{Key: "head-hidden", Value: "256", Place: "table 2"},
	}
	stacxPrinted = append(stacPrinted, Printed{Key: "heads", Value: "3", Place: "§3.2"})
)
