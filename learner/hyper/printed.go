package hyper

import (
	"cmp"
	"math"
	"slices"
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
type Departure struct {
	Key   string `json:"key"`
	Here  string `json:"here"`
	Paper string `json:"paper" doc:"Value in the paper: one value, a range, or several values."`
	Where string `json:"where" doc:"Section or table of the paper."`

	Nearest string `json:"-"` // of the paper's values, as links have it
}

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
				all = append(all, Departure{r.Key, r.get(c), inWords.Replace(p.Value), p.Place, p.nearest(r.get(c))})
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

// nearest returns the paper's value with the least distance to a value. Of words it returns the first.
func (p *Printed) nearest(value string) string {
	far := func(end string) float64 { return math.Abs(number(end) - number(value)) }
	return slices.MinFunc(p.ends(), func(a, b string) int { return cmp.Compare(far(a), far(b)) })
}

// number reads a value; a text that is not a number becomes NaN, which equals nothing.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func byRMSProp(c *Config) bool  { return c.Optimiser == RMSProp }
func discrete(c *Config) bool   { return c.Policy == Softmax }
func continuous(c *Config) bool { return c.Policy != Softmax }

// printed returns the values that a paper prints in one place, as "key=value key=value". when says which configurations
// they are for; nil: all.
func printed(place, values string, when func(*Config) bool) (all []Printed) {
	for _, pair := range strings.Fields(values) {
		key, value, _ := strings.Cut(pair, "=")
		all = append(all, Printed{key, value, place, when})
	}
	return all
}

// The papers' settings. IMPALA's are the Atari settings, because only that table is complete.
var (
	impalaPrinted = slices.Concat(
		printed("§4", "correction=vtrace", nil),
		printed("§5.2.2", "rho=1 c=1", nil),
		printed("table G.1", "reward=clip gamma=0.99 lr=0.0006 anneal=linear entropy=0.01 "+
			"clip=40 unroll=20 batch=32 optimiser=rmsprop momentum=0", nil),
		printed("table G.1: 0.5 of half the square", "value-cost=0.25", nil),
		printed("table D.1", "reduce=sum", nil),
		printed("table G.1", "opt-eps=0.01", byRMSProp),
	)
	laserPrinted = slices.Concat(
		printed("§4", "correction=trust-region", nil),
		printed("§5.3", "mix=0.875 replay-size=10000000", nil),
		printed("§5.2", "sampling=uniform", nil),
		printed("§5.1", "gamma=0.995 lr=0.0003..0.0012 entropy=0.005..0.02 "+
			"clip=inf unroll=19|79 optimiser=rmsprop", nil),
		printed("§5.1", "opt-eps=0.1", byRMSProp),
	)
	vmpoPrinted = slices.Concat(
		printed("§4.1", "correction=none popart=on", nil),
		printed("tables 5 to 7", "gamma=0.99|0.997", nil),
		printed("§4.3", "lr=0.0001 optimiser=adam dual-lr=0.0001", nil),
		printed("§6", "entropy=0", nil),
		printed("eq. 1", "value-cost=0.5 reduce=mean", nil),
		printed("§4.3, which names none", "clip=inf", nil),
		printed("appendix F and table 7", "unroll=39..95", nil),
		printed("appendix F", "batch=64..128 head-hidden=256", nil),
		printed("tables 5 and 6", "eps-eta=0.1|0.5 target-every=10..1000", discrete),
		printed("table 7", "eps-eta=0.01|0.1 target-every=100", continuous),
		printed("tables 5 and 6", "eps-alpha=0.001..0.1", nil),
		printed("table 7", "eps-mean=0.005..1 eps-sigma=5e-06..5e-05", nil),
		printed("§4.2.1", "top=0.5", nil),
		printed("eq. 12", "psi=exp", nil),
		printed("eq. 14", "kl=on", nil),
		printed("appendix F", "head-scale=0", discrete),
	)
	stacPrinted = slices.Concat(
		printed("algorithm 2", "rho=1 c=1", nil),
		printed("table 3", "lambda=1 anneal=linear entropy=0.01 value-cost=0.25 policy-cost=1 "+
			"optimiser=rmsprop opt-decay=0.99 meta-lr=0.001 meta-init=4.6 outer-kl=1", nil),
		printed("table 3", "gamma=0.995 lr=0.0006 unroll=20 overlap=0 batch=32", discrete),
		printed("table 3, control", "gamma=0.99 lr=0.001 unroll=40 overlap=30 batch=24", continuous),
		printed("eq. 1", "reduce=sum", nil),
		printed("table 3", "opt-eps=0.1", byRMSProp),
		printed("table 2", "head-hidden=256", nil),
	)
	stacxPrinted = append(stacPrinted, printed("§3.2", "heads=3", nil)...)
)
