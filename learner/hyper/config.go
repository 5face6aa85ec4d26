// Package hyper is the one table of the settings of a run. The slider, the link's key, the flag, the check and the
// documentation of a setting follow from its entry in settings.txt. Presets (preset.go) are ready-made sets of
// settings.
package hyper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/loss"
)

// MaxSeed is the largest seed: every whole number up to it is exact in JSON and JavaScript.
const MaxSeed = 1<<53 - 1

// Config is a whole run: world, algorithm, settings and seed. Its zero value is not a run; start from a preset. Every
// field is one row of Table.
type Config struct {
	World string  `key:"world"`
	Algo  Algo    `key:"algo"`
	Seed  uint64  `key:"seed"`
	Steps uint64  `key:"steps"` // budget of environment steps; 0: until stopped
	Mode  Mode    `key:"mode"`  // reference: deterministic, lag exact; live: asynchronous actors, lag measured
	Speed float64 `key:"speed"` // environment steps per second the run is held to; +Inf: as fast as it goes

	Arithmetic Arithmetic `key:"arithmetic"` // auto, fused or plain

	Correction correct.Method `key:"correction"`
	Lag        int            `key:"lag"`   // updates between the acting and the learning parameters
	RhoBar     float64        `key:"rho"`   // ρ̄
	CBar       float64        `key:"c"`     // c̄
	LeakRho    float64        `key:"alpha"` // α, STAC's α_ρ
	Mix        float64        `key:"mix"`   // share of replayed trajectories, 1 − α of LASER

	RhoBarPG  float64           `key:"rho-pg"`  // ρ̄ of the policy gradient; NaN: same as RhoBar
	LeakC     float64           `key:"alpha-c"` // α_c; NaN: same as LeakRho
	Lambda    float64           `key:"lambda"`
	Gamma     float64           `key:"gamma"`
	TrustKL   float64           `key:"trust"` // b
	Relevance correct.Relevance `key:"relevance"`
	Advantage correct.Advantage `key:"advantage"`

	Level     correct.Level    `key:"ratio"`      // what the ratio of a step is the ratio of: step, response or mean
	ClipLow   float64          `key:"clip-low"`   // ε_low of clip
	ClipHigh  float64          `key:"clip-high"`  // ε_high
	Floor     float64          `key:"floor"`      // of band
	Ceiling   float64          `key:"ceiling"`    // of band
	Taper     correct.Half     `key:"taper"`      // the half of the steps that taper weighs: bad or good
	TaperLow  float64          `key:"taper-low"`  // the least weight of that half
	TaperHigh float64          `key:"taper-high"` // the greatest
	Shift     float64          `key:"shift"`      // δ of shift
	Moment    float64          `key:"moment"`     // τ of moment
	MomentOf  correct.MomentOf `key:"moment-of"`  // the steps that moment may leave out: outward or any
	Centre    correct.CentreOf `key:"centre"`     // the steps from which centred subtracts the mean score: all, bad or good
	Lift      float64          `key:"lift"`       // β
	Program   string           `key:"program"`    // of the person's own correction, in Starlark

	LearningRate float64 `key:"lr"`
	Anneal       Anneal  `key:"anneal"`
	Entropy      float64 `key:"entropy"`
	ValueCost    float64 `key:"value-cost"`
	PolicyCost   float64 `key:"policy-cost"`
	Clip         float64 `key:"clip"` // global gradient norm; +Inf: none

	UnrollLen int    `key:"unroll"`
	Overlap   int    `key:"overlap"` // steps that an unroll repeats from the copy's unroll before it
	BatchSize int    `key:"batch"`
	Reduce    Reduce `key:"reduce"`

	Optimiser Optimiser `key:"optimiser"`
	OptForm   OptForm   `key:"opt-form"` // whose form of it: papers, tensorflow or pytorch
	OptEps    float64   `key:"opt-eps"`
	OptDecay  float64   `key:"opt-decay"`
	OptStart  float64   `key:"opt-start"`
	Momentum  float64   `key:"momentum"`
	Beta1     float64   `key:"beta1"`
	Beta2     float64   `key:"beta2"`

	Reward      loss.Reward `key:"reward"`
	RewardScale float64     `key:"reward-scale"`

	Policy     Policy     `key:"policy"` // softmax, gaussian or tanh
	Torso      Torso      `key:"torso"`  // flat, shallow or deep
	Hidden     string     `key:"hidden"`
	HeadHidden string     `key:"head-hidden"`
	Activation Activation `key:"activation"`
	Feedback   Switch     `key:"feedback"` // on: the network sees its last action and reward
	LSTM       int        `key:"lstm"`     // units of each layer of an LSTM core; 0: none
	TrXL       int        `key:"trxl"`     // units of each layer of a Transformer-XL core; 0: none
	CoreLayers int        `key:"core-layers"`
	CoreHeads  int        `key:"core-heads"`
	CoreMemory int        `key:"core-memory"` // steps that a layer of a Transformer-XL remembers
	Memory     Memory     `key:"memory"`      // how long a core remembers: episode or unroll
	Torsos     Torsos     `key:"torsos"`      // shared or separate
	PopArt     PopArt     `key:"popart"`      // off, on or fixed
	HeadScale  float64    `key:"head-scale"`
	Init       Init       `key:"init"`

	PixelControl float64 `key:"pixel-control"` // cost of pixel control; 0: the network has no such head
	PixelCell    int     `key:"pixel-cell"`    // side of its cells in pixels

	Behave Behave `key:"behave"`

	ReplaySize int      `key:"replay-size"`
	ReplayBy   ReplayBy `key:"replay-by"` // unroll or episode
	Recall     Recall   `key:"recall"`    // stored, rebuild or burn-in: the recurrent state of replayed unrolls
	BurnIn     int      `key:"burn-in"`   // steps
	Actors     int      `key:"actors"`

	Tune            string    `key:"tune"`         // STAC: which hyperparameters tune themselves, see ParseTune
	MetaRate        float64   `key:"meta-lr"`      // learning rate of the metaparameters' logits
	MetaInit        float64   `key:"meta-init"`    // where those start
	OuterKL         float64   `key:"outer-kl"`     // g_kl
	Heads           int       `key:"heads"`        // policies and values on one torso: STACX
	EpsTemperature  float64   `key:"eps-eta"`      // ε_η of V-MPO, nats
	EpsKL           float64   `key:"eps-alpha"`    // ε_α of V-MPO, nats
	EpsMean         float64   `key:"eps-mean"`     // ε_μ of V-MPO with a Gaussian policy, nats
	EpsSigma        float64   `key:"eps-sigma"`    // ε_Σ
	TopShare        float64   `key:"top"`          // share of a batch that V-MPO imitates
	TargetEvery     int       `key:"target-every"` // T_target: updates between two copies of θ to V-MPO's target network
	Psi             Psi       `key:"psi"`          // exp or uniform
	KLBound         Switch    `key:"kl"`           // on or off
	EtaMean         EtaMean   `key:"eta-mean"`     // weights or count
	DualRate        float64   `key:"dual-lr"`      // learning rate of η and α
	Sampling        Sampling  `key:"sampling"`
	Priority        float64   `key:"priority"`         // α of prioritised replay
	PriorityBeta    float64   `key:"priority-beta"`    // β
	PriorityUniform float64   `key:"priority-uniform"` // ε
	Sharers         int       `key:"sharers"`          // other agents that share the replay
	Sharing         Sharing   `key:"sharing"`          // their kind
	Learners        int       `key:"learners"`         // that take a share of each batch
	Inference       Inference `key:"inference"`        // own or batched
	Collect         Collect   `key:"collect"`          // step or trajectory
}

// Set gives the setting named key a value in its text form. The error names the key and the allowed values.
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

// HasCore reports whether the network remembers.
func (c *Config) HasCore() bool { return c.LSTM > 0 || c.TrXL > 0 }

// Forgets returns the steps after which a core's memory is cleared, in play and in learning; 0: never inside an
// episode.
func (c *Config) Forgets() int {
	if c.Memory == MemoryUnroll && c.HasCore() {
		return c.UnrollLen
	}
	return 0
}

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

// Fresh returns the number of unrolls that the actors play for each update. With pure replay the batch uses none of
// them, but the store still needs one new unroll.
func (c *Config) Fresh() int { return max(1, c.online()) }

// online returns the number of fresh trajectories in a batch.
func (c *Config) online() int { return c.BatchSize - c.Replayed() }

// Advance returns the new environment steps of an update. The first unrolls of new copies have Overlap more each.
func (c *Config) Advance() int { return c.Fresh() * (c.UnrollLen - c.Overlap) }

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

// Tasks returns the number of worlds that World names: 1, or a suite's.
func (c *Config) Tasks() int {
	_, tasks, err := envs.Describe(c.World)
	if err != nil {
		return 1 // Set refuses such a world
	}
	return len(tasks)
}

// Setting is one key and its value in text form.
type Setting struct{ Key, Value string }

// ByKey returns settings as a map.
func ByKey(settings []Setting) map[string]string {
	values := map[string]string{}
	for _, s := range settings {
		values[s.Key] = s.Value
	}
	return values
}

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
	slices.SortFunc(out, func(a, b Setting) int { return strings.Compare(a.Key, b.Key) })
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
			return nil, fmt.Errorf("%s=%.64q: must be widths from 1 to 1024 joined by hyphens, like 64-64, or none", key, s)
		}
		widths = append(widths, w)
	}
	if len(widths) > 4 {
		return nil, fmt.Errorf("%s=%.64q: at most 4 layers", key, s)
	}
	return widths, nil
}
