package learner

import (
	"strings"

	"impalab/envs"
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
	rowWork    = 30_000 // a step of the world, a draw, the correction
	againWork  = 4      // of a floating-point operation in a pass of one row, which waits for its weights
	changeWork = 10     // of a number of the observation: its change
	cellWork   = 300    // of a cell of pixel control: its values and returns
	cellUnits  = 14     // hidden units that the cells of one LSTM unit are worth
	float      = 4
)

// CostOf estimates the cost of cfg. A test checks that it is right within a factor of two.
func CostOf(cfg *hyper.Config) (Cost, error) {
	spec, err := cfg.Network()
	if err != nil {
		return Cost{}, err
	}
	units, flops := 0, 0.0
	for _, layer := range spec.Layers() {
		units += layer.Out
		switch layer.Kind {
		case net.LSTM:
			units += cellUnits * layer.Out
		case net.Attend: // cells, their derivatives, and the working space of attention
			units += 2*kernel.AttentionWidth(layer.Out, layer.Heads, layer.Memory) + kernel.AttentionBack(layer.Out, layer.Heads)
		}
		flops += layer.FLOPs()
	}
	network := "hidden" // the settings behind its size
	if spec.Torso != net.Flat {
		network = "torso hidden"
	}
	switch {
	case spec.LSTM > 0:
		network += " lstm"
		if cfg.CoreLayers > 1 {
			network += " core-layers"
		}
	case spec.TrXL > 0:
		network += " trxl core-layers core-memory"
	}
	if len(spec.HeadHidden) > 0 {
		network += " head-hidden"
	}
	if spec.CellSide > 0 {
		network += " pixel-control pixel-cell"
	}
	unit := unitBytes
	if cfg.Algorithm().TunesItself {
		unit += tangent
	}
	heads := max(1, spec.Heads)
	t, b := cfg.UnrollLen, cfg.BatchSize
	rows, params := float64(t*b), float64(spec.Params())

	// Of an unroll; action, reward and end are 9 bytes.
	step := float64(float*(spec.Inputs()+spec.Actions+spec.Reals()) + 9)
	unroll := step*float64(t) + float64(float*(spec.Inputs()+spec.States())) + 200
	if cfg.ReplayBy == hyper.ByEpisode {
		unroll += 200 // an episode that begins in it
	}
	shards := float64(program.Shards(spec.States() > 0, t, cfg.Share()))

	// Of pixel control: its columns among all outputs and their derivatives, twice; the policy's apart; returns; then the
	// work of the changes.
	control, changes := 0.0, 0.0
	if spec.CellSide > 0 {
		control = rows * float64(float*(3*spec.Control()+2*spec.Actions+spec.Cells()))
		changes = rows * float64(changeWork*spec.Obs+cellWork*spec.Cells())
	}

	type part struct {
		bytes float64
		keys  string
	}
	agents, sharers := float64(1+cfg.Sharers), "" // each with a network, a batch and past parameters; they share the store
	learners := float64(max(1, cfg.Learners))     // each with a network and a share of the batch, which it copies
	if cfg.Sharers > 0 {
		sharers = " sharers"
	}
	copies, several := 0.0, ""
	if learners > 1 {
		copies, several = rows*step, " learners"
	}
	if cfg.Mode == hyper.Reference && cfg.Lag > 0 {
		copies += rows * step // for the round that is played ahead
	}
	worlds := cfg.Fresh() // copies of the world
	if cfg.Mode == hyper.Live {
		worlds = cfg.Actors * blockCopies(cfg)
	}
	repeated := float64(worlds*cfg.Overlap) * (step + float*float64(spec.States())) // steps and the states before them
	parts := []part{
		{agents * (rows*float64(unit*units+rowBytes*heads) + 2*rows*step + copies + control),
			"unroll batch " + network + sharers},
		// A gradient for each shard; θ, the optimiser, the watched copy.
		{agents * learners * params * float * (shards + 12), network + " unroll batch" + several + sharers},
		{agents * params * float * float64(cfg.Lag+1), "lag " + network + sharers},
		{float64(max(1, cfg.ReplaySize/t)) * unroll, "replay-size"},
		{agents * repeated, "overlap batch " + network + sharers},
	}
	if cfg.Mode == hyper.Live {
		copies := blockCopies(cfg)
		blocks := float64(blocksWaiting(cfg, copies) + cfg.Actors)
		parts = append(parts, part{blocks*float64(copies)*unroll + params*float*float64(cfg.Actors+1), "actors unroll"})
	}
	c := Cost{
		Work:    agents * (rows*(6*flops+unitWork*float64(units)+rowWork) + changes),
		Working: pairs(cfg, "unroll batch "+network+sharers),
	}
	if trust := agents * rows * trustWork(cfg, spec.Reals()); trust > 0 {
		if trust > c.Work {
			c.Working = pairs(cfg, "unroll batch relevance world"+sharers)
		}
		c.Work += trust
	}
	if steps, keys := playedAgain(cfg); steps > 0 {
		if cfg.Algorithm().TargetNetwork {
			steps *= 2 // once for each of its networks
		}
		again := agents * float64(cfg.Replayed()) * steps * againWork * flops
		if again > c.Work {
			c.Working = pairs(cfg, "mix batch "+keys+" "+network+sharers)
		}
		c.Work += again
	}
	most := parts[0]
	for _, p := range parts {
		c.Bytes += p.bytes
		if p.bytes > most.bytes {
			most = p
		}
	}
	c.Largest = pairs(cfg, most.keys)
	return c, nil
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
