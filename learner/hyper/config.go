// Package hyper is the one table of everything that can be set about a run. The slider, the link's key, the
// flag, the check and the documentation of a setting all follow from its row (table.go); ready-made sets of
// them are presets (preset.go).
package hyper

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
)

// Config is a whole run: what is learned, how, and from which seed. Its zero value is not a run; start from a
// preset. Every field is one row of Table.
type Config struct {
	World string
	Algo  string
	Seed  uint64
	Steps uint64  // budget of environment steps; 0: until stopped
	Mode  string  // reference: deterministic, lag exact; live: asynchronous actors, lag measured
	Speed float64 // environment steps per second the run is held to; +Inf: as fast as it goes

	Correction string
	Lag        int     // updates between the parameters that act and those that learn
	RhoBar     float64 // ρ̄
	CBar       float64 // c̄
	LeakRho    float64 // α, STAC's α_ρ
	Mix        float64 // share of replayed trajectories, 1 − OnlineShare

	RhoBarPG  float64 // ρ̄ of the policy gradient; NaN: same as RhoBar
	LeakC     float64 // α_c; NaN: same as LeakRho
	Lambda    float64
	Gamma     float64
	TrustKL   float64 // b
	Relevance string
	Advantage string

	LearningRate float64
	Anneal       string
	Entropy      float64
	ValueCost    float64
	PolicyCost   float64
	Clip         float64 // global gradient norm; +Inf: none

	UnrollLen int
	BatchSize int
	Reduce    string

	Optimiser string
	OptForm   string // whose form of it: papers, tensorflow or pytorch
	OptEps    float64
	OptDecay  float64
	OptStart  float64
	Momentum  float64
	Beta1     float64
	Beta2     float64

	Reward      string
	RewardScale float64

	Policy     string // softmax, gaussian or tanh
	Torso      string // flat, shallow or deep
	Hidden     string
	HeadHidden string
	Activation string
	Feedback   string // on: the network sees its last action and reward
	LSTM       int    // units of the recurrent core; 0: none
	Torsos     string // shared or separate
	PopArt     string // on or off
	HeadScale  float64
	Init       string
	Behave     string

	ReplaySize int
	Recall     string // stored, rebuild or burn-in: the recurrent state of what is replayed
	BurnIn     int    // steps
	Actors     int

	Tune            string  // STAC: which hyperparameters tune themselves, see ParseTune
	MetaRate        float64 // learning rate of the metaparameters' logits
	MetaInit        float64 // where those start
	OuterKL         float64 // g_kl
	Heads           int     // policies and values on one torso: STACX
	EpsTemperature  float64 // ε_η of V-MPO, nats
	EpsKL           float64 // ε_α of V-MPO, nats
	EpsMean         float64 // ε_μ of V-MPO with a Gaussian policy, nats
	EpsSigma        float64 // ε_Σ
	TopShare        float64 // share of a batch that V-MPO imitates
	TargetEvery     int     // T_target: updates between two copies of θ to V-MPO's target network
	Psi             string  // exp or uniform
	KLBound         string  // on or off
	EtaMean         string  // weights or count
	DualRate        float64 // learning rate of η and α
	Sampling        string
	Priority        float64 // α of prioritised replay
	PriorityBeta    float64 // β
	PriorityUniform float64 // ε
	Sharers         int     // other agents that share the replay
	Sharing         string  // what they are
	Learners        int     // that take a share of each batch
	Inference       string  // own or batched
	Collect         string  // step or trajectory
}

// Set gives the setting named key a value in its text form. The error names the key and what is allowed.
func (c *Config) Set(key, value string) error {
	row, err := Lookup(key)
	if err != nil {
		return err
	}
	return row.set(c, value)
}

// Get is the text form of a setting, exact: Set takes it back to the same bits.
func (c *Config) Get(key string) string {
	row, err := Lookup(key)
	if err != nil {
		return ""
	}
	return row.get(c)
}

// OnlineShare is LASER's α: the share of a batch that comes fresh from the actors.
func (c *Config) OnlineShare() float64 { return 1 - c.Mix }

// Replayed is how many of the BatchSize trajectories of a batch come from the replay: Mix of them to the nearest whole
// one. Between 0 and 1 a batch has at least one of each kind, because pure replay fails where nearly pure replay does
// not (LASER proposition 3).
func (c *Config) Replayed() int {
	n := int(math.Round(c.Mix * float64(c.BatchSize)))
	if c.Mix > 0 && c.Mix < 1 {
		n = max(1, min(n, c.BatchSize-1))
	}
	return n
}

// Share is how many trajectories of a batch one learner takes.
func (c *Config) Share() int { return c.BatchSize / max(1, c.Learners) }

// PGRhoBar is ρ̄ of the policy gradient with "same" resolved.
func (c *Config) PGRhoBar() float64 { return orSame(c.RhoBarPG, c.RhoBar) }

// CLeak is α_c with "same" resolved.
func (c *Config) CLeak() float64 { return orSame(c.LeakC, c.LeakRho) }

func orSame(v, other float64) float64 {
	if math.IsNaN(v) {
		return other
	}
	return v
}

// Validate refuses combinations that make no sense, naming both settings and the way out. Single values were
// checked when they were set.
func (c *Config) Validate() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.Mix > 0 && c.ReplaySize < c.UnrollLen {
		refuse("mix=%s with replay-size=%d: the store cannot hold one unroll of %d steps; raise replay-size or set mix=0",
			c.Get("mix"), c.ReplaySize, c.UnrollLen)
	}
	if c.BatchSize == 1 && c.Mix > 0 && c.Mix < 1 {
		refuse("mix=%s with batch=1: one trajectory is either fresh or old; set batch to 2 or more, or mix to 0 or 1",
			c.Get("mix"))
	}
	if c.Policy != "softmax" {
		c.validateGaussian(refuse)
	}
	c.validateSuite(refuse)
	if c.Sampling == "prioritised" && c.Algo != "laser" {
		refuse("sampling=prioritised with algo=%s: only laser says how much a trajectory surprised it; set algo=laser or "+
			"sampling=uniform", c.Algo)
	}
	if c.Sharers > 0 && c.Sampling == "prioritised" {
		refuse("sharers=%d with sampling=prioritised: what surprises one agent need not surprise another, so a shared "+
			"store has no priorities (LASER §5.2); set sampling=uniform or sharers=0", c.Sharers)
	}
	if c.Sharers > 0 && c.Sharing == "random" && c.Policy != "softmax" {
		refuse("sharing=random with policy=%s: a uniform choice of numbers is no Gaussian, and its ratios would mean "+
			"nothing; choose another sharing or policy=softmax", c.Policy)
	}
	if c.Sharers > 0 && c.Mode == "live" {
		refuse("sharers=%d with mode=live: agents share a replay in lockstep, which only mode=reference has; set "+
			"mode=reference or sharers=0", c.Sharers)
	}
	if c.Learners > 0 && c.BatchSize%c.Learners != 0 {
		refuse("learners=%d with batch=%d: each learner takes an equal share; set batch to a multiple of learners",
			c.Learners, c.BatchSize)
	}
	if c.Learners > 1 && c.PopArt == "on" {
		refuse("learners=%d with popart=on: its statistics take the targets of the whole batch one after the other; set "+
			"learners=1 or popart=off", c.Learners)
	}
	if c.Inference == "batched" && c.Mode != "live" {
		refuse("inference=batched with mode=%s: which actors are answered together is left to chance, which only mode=live "+
			"allows; set mode=live or inference=own", c.Mode)
	}
	if c.Collect == "trajectory" && c.Mode == "live" {
		refuse("collect=trajectory with mode=live: live actors never wait for each other; set mode=reference or collect=step")
	}
	if c.Algo == "a2c" {
		const why = "A2C learns from the present policy's own data and corrects nothing"
		if c.Lag > 0 {
			refuse("algo=a2c with lag=%d: %s; set lag=0 or algo=impala", c.Lag, why)
		}
		if c.Mix > 0 {
			refuse("algo=a2c with mix=%s: %s; set mix=0 or algo=impala", c.Get("mix"), why)
		}
		if c.Mode == "live" {
			refuse("algo=a2c with mode=live: %s; set mode=reference or algo=impala", why)
		}
		if c.Behave == "uniform" {
			refuse("algo=a2c with behave=uniform: %s; set behave=policy or algo=impala", why)
		}
	}
	if c.PopArt == "on" && (c.Algo == "stac" || c.Algo == "stacx") {
		refuse("popart=on with algo=%s: its metagradient knows nothing of moving targets; set popart=off or choose another "+
			"algorithm", c.Algo)
	}
	if c.Algo == "stacx" && c.Torsos == "separate" {
		refuse("torsos=separate with algo=stacx: its heads share one torso; set torsos=shared or algo=stac")
	}
	if c.Behave == "uniform" && c.Mode == "live" {
		refuse("behave=uniform with mode=live: fixed behaviour is exact only in mode=reference")
	}
	if c.Mode == "live" && c.Lag > 0 {
		refuse("lag=%d with mode=live: a live run's lag is measured, not set; use mode=reference or lag=0", c.Lag)
	}
	if table := c.Hidden == "none" && c.Torso == "flat" && c.LSTM == 0 && c.Feedback == "off" && c.Torsos == "shared" &&
		c.HeadHidden == "none"; c.Init == "soft-optimal" && !table {
		refuse("init=soft-optimal with torso=%s hidden=%s lstm=%d feedback=%s torsos=%s head-hidden=%s: only a table can "+
			"hold the optimal policy; "+
			"set torso=flat hidden=none lstm=0 feedback=off torsos=shared head-hidden=none",
			c.Torso, c.Hidden, c.LSTM, c.Feedback, c.Torsos, c.HeadHidden)
	}
	if c.Recall != "stored" && c.LSTM == 0 {
		refuse("recall=%s with lstm=0: a network without a core has no state to bring back; set lstm or recall=stored",
			c.Recall)
	}
	if c.Anneal == "linear" && c.Steps == 0 {
		refuse("anneal=linear with steps=0: there is no end to anneal towards; set steps or anneal=constant")
	}
	if (c.Algo == "stac" || c.Algo == "stacx") && c.Correction != "vtrace" && c.Correction != "leaky" {
		refuse("algo=%s with correction=%s: what it tunes is leaky V-trace; set correction=vtrace or leaky for its outer "+
			"loss, or algo=impala", c.Algo, c.Correction)
	}
	if c.Algo == "vmpo" && c.Correction == "epsilon" {
		refuse("algo=vmpo with correction=epsilon: its policy loss is a weighted likelihood and no gradient of log(π + ε); " +
			"set correction=none, or algo=impala")
	}
	if c.Algo == "vmpo" && c.Reduce == "sum" {
		refuse("algo=vmpo with reduce=sum: V-MPO's losses are means (V-MPO eq. 1, 12 and 14); set reduce=mean")
	}
	if _, err := ParseWidths("hidden", c.Hidden); err != nil {
		errs = append(errs, err)
	}
	if _, err := ParseWidths("head-hidden", c.HeadHidden); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// masks reports whether steps too far from π are left out: the trust-region correction does, and LASER under any.
func (c *Config) masks(correction correct.Correction) bool {
	return correction.TrustRegion || c.Algo == "laser"
}

// validateGaussian refuses what asks more of a Gaussian policy than there is in closed form.
func (c *Config) validateGaussian(refuse func(string, ...any)) {
	if world, _, err := envs.Describe(c.World); err == nil && len(world.Controls) == 0 {
		refuse("policy=%s with world=%s: its actions are names, not numbers; set policy=softmax or choose a world with "+
			"controls (%s)",
			c.Policy, c.World, strings.Join(drivenWorlds(), ", "))
	}
	correction, err := correct.LookupCorrection(c.Correction)
	if err == nil && c.masks(correction) && c.Relevance == "implied" {
		refuse("relevance=implied with policy=%s: the implied policy of two Gaussians has no closed form; set "+
			"relevance=behaviour or policy=softmax", c.Policy)
	}
	if err == nil && correction.LogEpsilon > 0 {
		refuse("correction=%s with policy=%s: ε is added to a probability, and a Gaussian has densities, which can be of "+
			"any size; set another correction or policy=softmax",
			c.Correction, c.Policy)
	}
	if c.Behave == "uniform" {
		refuse("behave=uniform with policy=%s: a uniform choice of numbers is no Gaussian, and its ratios would mean "+
			"nothing; set behave=policy or policy=softmax", c.Policy)
	}
}

// validateSuite refuses batches that give the tasks of a suite unequal shares (IMPALA §5.3: a fixed number of actors
// per task).
func (c *Config) validateSuite(refuse func(string, ...any)) {
	_, tasks, err := envs.Describe(c.World)
	if err != nil || len(tasks) == 1 {
		return
	}
	if c.Init == "soft-optimal" {
		refuse("init=soft-optimal with world=%s: a suite is no finite world with one optimal policy; set init=random",
			c.World)
	}
	if fresh := c.BatchSize - c.Replayed(); fresh < 1 || fresh%len(tasks) != 0 {
		refuse("batch=%d and mix=%s with world=%s: %d fresh trajectories cannot be dealt evenly to its %d tasks; make "+
			"batch·(1 − mix) a multiple of %d",
			c.BatchSize, c.Get("mix"), c.World, fresh, len(tasks), len(tasks))
	}
}

// Setting is one key and its value in text form.
type Setting struct{ Key, Value string }

// Settings lists every row's value in the order of the table.
func (c *Config) Settings() []Setting {
	out := make([]Setting, 0, len(Table))
	for i := range Table {
		out = append(out, Setting{Table[i].Key, Table[i].get(c)})
	}
	return out
}

// Diff lists what differs from base, sorted by key: the readable tail of a link.
func (c *Config) Diff(base *Config) []Setting {
	var out []Setting
	for _, s := range c.Settings() {
		if base.Get(s.Key) != s.Value {
			out = append(out, s)
		}
	}
	sortSettings(out)
	return out
}

// ParseWidths reads "64-64" as the widths of hidden layers; "none" is no such layer. Errors name key.
func ParseWidths(key, s string) ([]int, error) {
	if s == "none" {
		return nil, nil
	}
	var widths []int
	for _, part := range strings.Split(s, "-") {
		var w int
		if _, err := fmt.Sscanf(part, "%d", &w); err != nil || fmt.Sprint(w) != part || w < 1 || w > 1024 {
			return nil, fmt.Errorf("%s=%q: want widths from 1 to 1024 joined by hyphens, like 64-64, or none", key, s)
		}
		widths = append(widths, w)
	}
	if len(widths) > 4 {
		return nil, fmt.Errorf("%s=%q: at most 4 layers", key, s)
	}
	return widths, nil
}
