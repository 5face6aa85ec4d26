package hyper

import (
	"fmt"
	"strings"
)

// Phenomenon is an effect of a paper at a scale that a laptop reaches: one preset and the settings to hold against each
// other. Whether it appears is for a run over seeds to say, not for this table.
type Phenomenon struct {
	Name, Title string
	Claim       string // what the paper says, or what nobody has said yet
	Paper       string
	Preset      string
	Budget      string // environment steps
	Variants    []Variant
}

// Variant is the preset with some settings changed, and what to call it.
type Variant struct{ Label, Settings string }

// Phenomena is every comparison that `impalab reproduce` knows.
var Phenomena = []Phenomenon{
	{"learns-cartpole", "Every algorithm balances the pole", "475 of 500 within 250 000 steps.", "all", "cartpole", "250000", []Variant{
		{"IMPALA", ""}, {"LASER, 7/8 replay", "preset=laser"}, {"V-MPO", "preset=vmpo"}, {"STAC", "preset=stac"}, {"STACX", "preset=stacx"}, {"A2C", "preset=a2c"}}},
	{"learns-catch", "Every algorithm catches the ball", "0.95 of 1 within 60 000 steps.", "all", "catch", "60000", []Variant{
		{"IMPALA", ""}, {"LASER, 7/8 replay", "preset=laser-catch"}, {"V-MPO", "preset=vmpo-catch"}, {"STAC", "preset=stac-catch"}, {"STACX", "preset=stacx-catch"}}},
	{"learns-pendulum", "Gaussian policies swing the pendulum up", "Better than −250 within 1 000 000 steps.", "V-MPO §5.2", "vmpo-pendulum", "1000000", []Variant{
		{"V-MPO", ""}, {"IMPALA", "preset=impala-pendulum"}}},
	{"replay-catch", "Replay saves steps, on Catch", "More replay reaches the threshold in fewer environment steps.", "LASER §5.2", "laser-catch", "80000", []Variant{
		{"no replay", "mix=0"}, {"half", "mix=0.5"}, {"7/8", "mix=0.875"}}},
	{"replay-cartpole", "Replay saves steps, on CartPole", "More replay reaches the threshold in fewer environment steps.", "LASER §5.2", "laser", "250000", []Variant{
		{"no replay", "mix=0"}, {"half", "mix=0.5"}, {"7/8", "mix=0.875"}}},
	{"pure-replay", "Old data alone", "Learning from replay alone is worse; a small store, whose data are young, mends it.", "LASER fig. 2", "cartpole", "250000", []Variant{
		{"no replay", "mix=0"}, {"7/8", "mix=0.875"}, {"all, 100 000 steps", "mix=1"}, {"all, 5 000 steps", "mix=1 replay-size=5000"}, {"all, 1 000 steps", "mix=1 replay-size=1000"}}},
	{"foreign-data", "Foreign data", "V-trace holds where one-step correction and none do not; one-step's values are those of the data.", "IMPALA §4.1, LASER §4.2", "foreign-data", "250000", []Variant{
		{"V-trace", ""}, {"V-trace, own data", "sharers=0"},
		{"one-step", "correction=one-step"}, {"one-step, own data", "correction=one-step sharers=0"},
		{"none", "correction=none"}, {"none, own data", "correction=none sharers=0"}}},
	{"random-sharers", "Shared with random agents", "The trust region mends the early learning that a larger ρ̄ does not.", "LASER fig. 3", "random-sharers", "60000", []Variant{
		{"own data", "sharers=0"}, {"shared", ""}, {"trust region, b .05", "correction=trust-region trust=0.05"}, {"ρ̄ 4", "rho=4"}, {"ρ̄ ∞", "rho=inf"}}},
	{"lag-cliff", "The lag cliff", "Eight updates of lag: without a correction it falls, with V-trace it does not.", "IMPALA fig. E.1", "lag-cliff", "250000", []Variant{
		{"V-trace", ""}, {"one-step", "correction=one-step"}, {"none", "correction=none"}, {"ε-correction", "correction=epsilon"}}},
	{"long-unrolls", "Long unrolls", "Unrolls of 64, 64 updates old: ρ̄ of 2 to 4 is better than 1, than one-step and than none.", "IMPALA §5.2.2", "long-unrolls", "400000", []Variant{
		{"ρ̄ 1", "rho=1"}, {"ρ̄ 2", "rho=2"}, {"ρ̄ 4", "rho=4"}, {"one-step", "correction=one-step"}, {"none", "correction=none"}}},
	{"vmpo-ablations", "V-MPO without its parts", "Uniform weights, no top half, no bound on the policy.", "V-MPO figs. 5, 8, 9", "vmpo", "250000", []Variant{
		{"V-MPO", ""}, {"uniform weights", "psi=uniform"}, {"no top half", "top=1"}, {"no policy bound", "kl=off"}}},
	{"self-tuning", "Poor hyperparameters", "From a discount too short and costs ten times too large, STAC against the same agent without self-tuning.", "STAC §4", "stac", "250000", []Variant{
		{"good, IMPALA", "algo=impala"}, {"good, STAC", ""},
		{"γ .9, IMPALA", "algo=impala gamma=0.9"}, {"γ .9, STAC", "gamma=0.9"},
		{"entropy ×10, IMPALA", "algo=impala entropy=0.03"}, {"entropy ×10, STAC", "entropy=0.03"},
		{"value cost ×10, IMPALA", "algo=impala value-cost=1.25"}, {"value cost ×10, STAC", "value-cost=1.25"},
		{"all three, IMPALA", "algo=impala gamma=0.9 entropy=0.03 value-cost=1.25"}, {"all three, STAC", "gamma=0.9 entropy=0.03 value-cost=1.25"}}},
	{"priorities-catch", "Prioritised against uniform replay, on Catch", "Neither is better.", "LASER §5.2, fig. 4", "laser-catch", "60000", []Variant{
		{"uniform", ""}, {"prioritised", "sampling=prioritised"}}},
	{"priorities-cartpole", "Prioritised against uniform replay, on CartPole", "Neither is better.", "LASER §5.2, fig. 4", "laser", "200000", []Variant{
		{"uniform", ""}, {"prioritised", "sampling=prioritised"}}},
	{"relevance-catch", "Distance to π̃ or to μ, on Catch", "Algorithm 1 prints KL(π‖μ) where §4.3 has KL(π‖π̃).", "LASER §4.3, Algorithm 1", "laser-catch", "60000", []Variant{
		{"π̃, b .1", "trust=0.1"}, {"μ, b .1", "trust=0.1 relevance=behaviour"}, {"π̃, b .03", "trust=0.03"}, {"μ, b .03", "trust=0.03 relevance=behaviour"}}},
	{"relevance-cartpole", "Distance to π̃ or to μ, on CartPole", "Algorithm 1 prints KL(π‖μ) where §4.3 has KL(π‖π̃).", "LASER §4.3, Algorithm 1", "laser", "200000", []Variant{
		{"π̃, b .03", "trust=0.03"}, {"μ, b .03", "trust=0.03 relevance=behaviour"}, {"π̃, b .01", "trust=0.01"}, {"μ, b .01", "trust=0.01 relevance=behaviour"}}},
	{"grid-games", "The grid games", "Young and Tian's actor-critic reaches 17.5, 19, 47.5, 15.5 and 185 in 5 million steps.", "MinAtar, 2019", "breakout", "2000000", []Variant{
		{"breakout", ""}, {"asterix", "preset=asterix"}, {"freeway", "preset=freeway"}, {"seaquest", "preset=seaquest"}, {"space invaders", "preset=space-invaders"}}},
	{"memory", "Memory", "A T-maze of length 10 needs a recurrent core.", "Bakker 2002", "t-maze", "300000", []Variant{
		{"LSTM", ""}, {"LSTM, without feedback", "feedback=off"}, {"feed-forward", "lstm=0"}}},
	{"recall", "State of replayed unrolls", "Stale recurrent state hurts replay; the episode is played again to rebuild it.", "LASER appendix A.2", "t-maze", "150000", []Variant{
		{"no replay", ""}, {"stored", "mix=0.75"}, {"rebuilt", "mix=0.75 recall=rebuild"}, {"burn-in 5", "mix=0.75 recall=burn-in burn-in=5"}}},
}

// LookupPhenomenon finds one by name; its error names the nearest.
func LookupPhenomenon(name string) (*Phenomenon, error) {
	names := make([]string, len(Phenomena))
	for i := range Phenomena {
		if Phenomena[i].Name == name {
			return &Phenomena[i], nil
		}
		names[i] = Phenomena[i].Name
	}
	return nil, fmt.Errorf("no phenomenon is called %q%s", name, DidYouMean(name, names, "; known are "+strings.Join(names, ", ")))
}

// Config is the preset of the phenomenon, or the variant's own, with the settings of that variant.
func (p *Phenomenon) Config(v *Variant) (Config, error) {
	preset, changes := p.parts(v)
	c, _, unknown, err := FromSettings(append([]Setting{{"preset", preset}, {"steps", p.Budget}}, changes...))
	if err == nil && len(unknown) > 0 {
		err = fmt.Errorf("unknown setting %q", unknown[0])
	}
	if err != nil {
		return c, fmt.Errorf("phenomenon %s, %s: %w", p.Name, v.Label, err)
	}
	return c, nil
}

// Command is what to type to train one variant alone.
func (p *Phenomenon) Command(v *Variant) string {
	preset, changes := p.parts(v)
	command := "impalab train --preset " + preset + " --steps " + p.Budget
	for _, s := range changes {
		command += " --set " + s.Key + "=" + s.Value
	}
	return command
}

// parts is the preset of a variant and what it changes.
func (p *Phenomenon) parts(v *Variant) (preset string, changes []Setting) {
	preset = p.Preset
	for _, pair := range strings.Fields(v.Settings) {
		key, value, _ := strings.Cut(pair, "=")
		if key == "preset" {
			preset = value
			continue
		}
		changes = append(changes, Setting{key, value})
	}
	return preset, changes
}
