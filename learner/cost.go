package learner

import (
	"strings"

	"impalab/envs"
	"impalab/learner/algo"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
)

// Cost is the memory and work of a configuration, estimated before anything is built, so that the server can refuse a
// run that the machine cannot hold. Settings that are each allowed can together exceed any machine.
type Cost struct {
	Bytes   float64 // once the replay is full and the lag is reached
	Work    float64 // floating-point operations of one update, or equally long work
	Largest string  // the settings behind most of Bytes, as key=value
	Working string  // the settings behind Work
}

// The cost of a row of a batch besides its network; measured, and rounded up.
const (
	unitBytes  = 8      // of a hidden unit: its value and its derivative
	tangent    = 4      // more bytes of a hidden unit if a metagradient needs its directional derivative
	unitWork   = 400    // of a hidden unit: its activation
	rowBytes   = 300    // action, reward, weights, targets
	ownWork    = 1e6    // of a row: the most that a person's own correction may take
	rowWork    = 30_000 // a step of the world, a draw, the correction
	againWork  = 4      // of a floating-point operation in a pass of one row, which waits for its weights
	changeWork = 10     // of a number of the observation: its change
	cellWork   = 300    // of a cell of pixel control: its values and returns
	cellUnits  = 14     // hidden units that the cells of one LSTM unit are worth
	float      = 4
)

// CostOf estimates the cost of cfg, and refuses an own correction that does not compile. A test checks that it is right
// within a factor of two.
func CostOf(cfg *hyper.Config) (Cost, error) {
	spec, err := cfg.Network()
	if err != nil {
		return Cost{}, err
	}
	if _, err := algo.OwnCorrection(cfg); err != nil {
		return Cost{}, err
	}
	e := estimate{cfg: cfg, spec: &spec, rows: float64(cfg.UnrollLen * cfg.BatchSize), agents: float64(1 + cfg.Sharers),
		network: networkKeys(cfg, &spec)}
	for _, layer := range spec.Layers() {
		e.units += layer.Out
		switch layer.Kind {
		case net.LSTM:
			e.units += cellUnits * layer.Out
		case net.Attend: // cells, their derivatives, and the working space of attention
			e.units += 2*kernel.AttentionWidth(layer.Out, layer.Heads, layer.Memory) +
				kernel.AttentionBack(layer.Out, layer.Heads)
		}
		e.flops += layer.FLOPs()
	}
	if cfg.Sharers > 0 {
		e.sharers = " sharers"
	}
	var c Cost
	c.Bytes, c.Largest = e.memory()
	c.Work, c.Working = e.work()
	return c, nil
}

// networkKeys returns the settings behind the size of a network.
func networkKeys(cfg *hyper.Config, spec *net.Spec) string {
	keys := "hidden"
	if spec.Torso != net.Flat {
		keys = "torso hidden"
	}
	switch {
	case spec.LSTM > 0:
		keys += " lstm"
		if cfg.CoreLayers > 1 {
			keys += " core-layers"
		}
	case spec.TrXL > 0:
		keys += " trxl core-layers core-memory"
	}
	if len(spec.HeadHidden) > 0 {
		keys += " head-hidden"
	}
	if spec.CellSide > 0 {
		keys += " pixel-control pixel-cell"
	}
	return keys
}

// estimate is a configuration with the figures behind its cost.
type estimate struct {
	cfg   *hyper.Config
	spec  *net.Spec
	rows  float64 // of a batch
	units int     // hidden units of a row
	flops float64 // of a row

	agents           float64 // each with a network, a batch and past parameters; they share the store
	network, sharers string  // the settings behind the network and the agents
}

// part is memory with the settings behind it.
type part struct {
	bytes float64
	keys  string
}

// memory returns the bytes of the run, and the settings behind the largest part of them.
func (e *estimate) memory() (bytes float64, keys string) {
	parts := e.parts()
	most := parts[0]
	for _, p := range parts {
		bytes += p.bytes
		if p.bytes > most.bytes {
			most = p
		}
	}
	return bytes, pairs(e.cfg, most.keys)
}

// parts returns the memory of the batch, of the network, of past parameters, of the store and of the actors.
func (e *estimate) parts() []part {
	cfg, spec := e.cfg, e.spec
	// A step of an unroll; action, reward and end are 9 bytes.
	step := float64(float*(spec.Inputs()+spec.Actions+spec.Reals()) + 9)
	unroll := step*float64(cfg.UnrollLen) + float64(float*(spec.Inputs()+spec.States())) + 200
	if cfg.ReplayBy == hyper.ByEpisode {
		unroll += 200 // an episode that begins in it
	}
	params, learners := float64(spec.Params()), float64(max(1, cfg.Learners)) // each learner has a network
	several := ""
	if learners > 1 {
		several = " learners"
	}
	shards := float64(program.Shards(spec.States() > 0, cfg.UnrollLen, cfg.Share()))
	worlds := cfg.Fresh() // copies of the world
	if cfg.Mode == hyper.Live {
		worlds = cfg.Actors * blockCopies(cfg)
	}
	repeated := float64(worlds*cfg.Overlap) * (step + float*float64(spec.States())) // steps and the states before them
	parts := []part{
		{e.agents * e.batch(step), "unroll batch " + e.network + e.sharers},
		// A gradient for each shard; θ, the optimiser, the watched copy.
		{e.agents * learners * params * float * (shards + 12), e.network + " unroll batch" + several + e.sharers},
		{e.agents * params * float * float64(cfg.Lag+1), "lag " + e.network + e.sharers},
		{float64(max(1, cfg.ReplaySize/cfg.UnrollLen)) * unroll, "replay-size"},
		{e.agents * repeated, "overlap batch " + e.network + e.sharers},
	}
	if cfg.Mode == hyper.Live {
		copies := blockCopies(cfg)
		blocks := float64(blocksWaiting(cfg, copies) + cfg.Actors)
		parts = append(parts, part{blocks*float64(copies)*unroll + params*float*float64(cfg.Actors+1), "actors unroll"})
	}
	return parts
}

// batch returns the bytes of a batch whose steps have a size, with the copies of it and the network's pass over it.
func (e *estimate) batch(step float64) float64 {
	unit := unitBytes
	if e.cfg.Algorithm().TunesItself {
		unit += tangent
	}
	copies := 0.0
	if e.cfg.Learners > 1 {
		copies = e.rows * step // each learner copies its share
	}
	if e.cfg.Mode == hyper.Reference && e.cfg.Lag > 0 {
		copies += e.rows * step // for the round that is played ahead
	}
	// Pixel control's columns among all outputs and their derivatives, twice; the policy's apart; returns.
	control := 0.0
	if e.spec.CellSide > 0 {
		control = e.rows * float64(float*(3*e.spec.Control()+2*e.spec.Actions+e.spec.Cells()))
	}
	return e.rows*float64(unit*e.units+rowBytes*max(1, e.spec.Heads)) + 2*e.rows*step + copies + control
}

// work returns the floating-point operations of an update, and the settings behind its largest part.
func (e *estimate) work() (work float64, keys string) {
	changes := 0.0 // of the observation, for pixel control
	if e.spec.CellSide > 0 {
		changes = e.rows * float64(changeWork*e.spec.Obs+cellWork*e.spec.Cells())
	}
	work = e.agents * (e.rows*(6*e.flops+unitWork*float64(e.units)+rowWork) + changes)
	keys = "unroll batch " + e.network + e.sharers
	if e.cfg.Correction == correct.MethodOwn {
		work += e.agents * e.rows * ownWork
		keys = "unroll batch correction" + e.sharers
	}
	if trust := e.agents * e.rows * trustWork(e.cfg, e.spec.Reals()); trust > 0 {
		if trust > work {
			keys = "unroll batch relevance world" + e.sharers
		}
		work += trust
	}
	if steps, behind := playedAgain(e.cfg); steps > 0 {
		if e.cfg.Algorithm().TargetNetwork {
			steps *= 2 // once for each of its networks
		}
		again := e.agents * float64(e.cfg.Replayed()) * steps * againWork * e.flops
		if again > work {
			keys = "mix batch " + behind + " " + e.network + e.sharers
		}
		work += again
	}
	return work, pairs(e.cfg, keys)
}

// The work of KL(π‖π̃) of a row of Gaussians; measured. Of several controls it is an integral along klNodes points.
const (
	klClosed  = 10_000 // of one control
	klNodes   = 32
	klNode    = 2_300 // of a point
	klControl = 250   // of a point for each control
)

// trustWork returns the work of a row's distance to the implied policy (correct/gaussianimplied.go).
func trustWork(cfg *hyper.Config, controls int) float64 {
	row, err := hyper.Lookup("relevance")
	if err != nil || controls == 0 || cfg.Relevance != correct.RelevanceImplied || !row.InForce(cfg) {
		return 0
	}
	if controls == 1 {
		return klClosed
	}
	return klNodes * (klNode + klControl*float64(controls))
}

// playedAgain returns how many steps restore the state of a replayed trajectory (replaystate.go), and the settings
// behind it: half an episode, as long as the world and the store allow.
func playedAgain(cfg *hyper.Config) (steps float64, keys string) {
	switch {
	case !cfg.HasCore():
		return 0, ""
	case cfg.ReplayBy == hyper.ByEpisode: // the trajectory before, of all streams at once
		return float64(cfg.UnrollLen), "replay-by unroll"
	case cfg.Recall == hyper.RecallStored:
		return 0, ""
	case cfg.Recall == hyper.RecallBurnIn:
		return float64(cfg.BurnIn), "recall burn-in"
	}
	longest := cfg.ReplaySize
	if world, _, err := envs.Describe(cfg.World); err == nil && world.Limit > 0 {
		longest = min(longest, world.Limit)
	}
	return float64(longest) / 2, "recall replay-size"
}

// pairs lists settings in their text form.
func pairs(cfg *hyper.Config, keys string) string {
	var out []string
	for _, key := range strings.Fields(keys) {
		out = append(out, key+"="+cfg.Get(key))
	}
	return strings.Join(out, ", ")
}
