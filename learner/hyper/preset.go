package hyper

import (
	"errors"
	"strings"
)

// Preset is a named starting point. One exists for every world, under the world's own name.
type Preset struct {
	Name, Title, Sentence string
	settings              string // "key=value key=value", over base
}

// stac is STAC's agent on CartPole: summed losses, and a gradient norm and ε for their scale.
const stac = "world=cartpole algo=stac unroll=8 lr=0.004 entropy=0.003 gamma=0.995 reward-scale=0.1 reduce=sum " +
	"clip=64 opt-eps=0.04 "

// vmpo is V-MPO's loss as printed (§4.3): half a squared error, no entropy, Adam, a uniform first policy. What its
// presets do not have as printed, Departures lists.
const vmpo = "algo=vmpo head-scale=0 entropy=0 value-cost=0.5 optimiser=adam opt-eps=1e-08 "

// reverse has an answer for each unroll.
const reverse = "world=reverse unroll=8 batch=16 optimiser=adam opt-eps=1e-08 lr=0.003 gamma=0.9999 steps=400000 "

// minatar is for the five games of MinAtar, whose boards take up to four kilobytes a step: the replay holds half as
// many as elsewhere. Unrolls of 20 or more, or λ = 1, stay on a plateau in Breakout. A bonus of .02 is as large as an
// advantage in freeway, and the value loss of returns in the hundreds drowns the policy in space invaders: those two
// have settings of their own.
const minatar = "torso=shallow hidden=128 activation=relu unroll=10 batch=16 optimiser=adam opt-eps=1e-08 lr=0.002 " +
	"lambda=0.9 entropy=0.02 value-cost=0.5 replay-size=50000 "

// rooms have observations of thousands of numbers, seen by IMPALA's shallow convolutions: few unrolls at a time and a
// replay of few steps, so that a run takes little memory.
const rooms = "torso=shallow hidden=128 activation=relu unroll=40 replay-size=2000 optimiser=adam opt-eps=1e-08 " +
	"lr=0.001 entropy=0.003 "

// learnedRooms are rooms whose agents have learned for millions of steps (learner/learned). Frames are small, a step
// has eight ticks, and a core remembers things that are out of sight.
const learnedRooms = "torso=shallow hidden=128 activation=relu lstm=128 feedback=on unroll=40 batch=16 " +
	"replay-size=2000 optimiser=adam opt-eps=1e-08 lr=0.0003 entropy=0.0015 lambda=0.95 value-cost=0.25 " +
	"pixel-control=0.002 pixel-cell=2 "

// bodies are planar bodies with contacts. Separate torsos: on one torso with the value, IMPALA's policy learns a fifth
// as much.
const bodies = "policy=gaussian torsos=separate value-cost=0.5 optimiser=adam opt-eps=1e-08 anneal=linear "

// V-MPO on bodies has looser bounds of the policy than on the pendulum, and weights that differ less. Half of each
// batch is replayed: the same environment steps then teach twice. STAC refuses PopArt, and IMPALA learns more without
// it here.
const (
	bodiesVMPO = bodies + "algo=vmpo entropy=0 clip=inf popart=on eps-eta=0.02 eps-mean=0.05 eps-sigma=0.003 " +
		"hidden=128-128 batch=16 mix=0.5 lr=0.002 lambda=0.95 "
	bodiesIMPALA = bodies + "entropy=0.0001 reward-scale=0.1 lambda=0.95 lr=0.0005 "
	bodiesSTAC   = bodies + "algo=stac reward-scale=0.1 "
)

// suites are several worlds at once: one network, a value and its statistics for each task (IMPALA §5.3, V-MPO §4.1).
const suites = "optimiser=adam opt-eps=1e-08 lr=0.002 hidden=128-128 popart=on "

// Presets lists every preset: worlds first, then the papers' effects.
var Presets = []Preset{
	{"cartpole", "CartPole", "Balance a pole; 475 of 500 is solved.",
		"world=cartpole entropy=0.005 reward-scale=0.1"},
	{"catch", "Catch", "Catch the falling ball; learned in a few thousand steps.",
		"world=catch unroll=9 batch=4 optimiser=adam opt-eps=1e-08 lr=0.0035 gamma=0.9 entropy=0.003"},
	{"mountain-car", "Mountain car", "Rock a weak car out of its valley: chance alone does not find the flag, so " +
		"nothing is learned without a reason to explore.",
		"world=mountain-car reward-scale=0.1"},
	{"mountain-car-continuous", "Mountain car, throttle", "The same hill with a throttle that costs: with little " +
		"entropy it learns to stand still.",
		"world=mountain-car-continuous entropy=0.05 reward-scale=0.1"},
	{"acrobot", "Acrobot", "Swing the end of two links above a line, with a motor in the middle joint only.",
		"world=acrobot reward-scale=0.1"},
	{"swing-up", "Swing-up", "Swing a pole up by pushing its cart, and balance it.",
		"world=swing-up gamma=0.995 reward-scale=0.1"},
	{"reacher", "Reacher", "Bring a two-link arm's finger to a target, anywhere.",
		"world=reacher reward-scale=0.1"},
	{"pendulum", "Pendulum", "Swing a rod up and hold it, with a motor too weak to lift it.",
		"world=pendulum gamma=0.95 reward-scale=0.05"},
	{"hopper", "Hopper", "Hop forward on one leg.",
		bodiesVMPO + "world=hopper steps=3000000"},
	{"walker", "Walker", "Walk on two legs.",
		bodiesVMPO + "world=walker gamma=0.995 steps=3000000"},
	{"cheetah", "Cheetah", "Run as fast as two of four legs can.",
		bodiesVMPO + "world=cheetah steps=3000000"},
	{"humanoid", "Humanoid, planar", "Walk with a head, two arms and two legs, seen from the side.",
		bodiesVMPO + "world=humanoid gamma=0.995 steps=5000000"},
	{"cliff", "Cliff", "Walk along a slippery cliff to the goal.",
		"world=cliff hidden=none lr=0.03"},
	{"four-rooms", "Four rooms", "Find the goal through three doors.",
		"world=four-rooms hidden=none lr=0.03 gamma=0.97"},
	{"garnet", "Random MDP", "A small random world in which everything is known exactly.",
		"world=garnet hidden=none lr=0.03 gamma=0.9"},
	{"t-maze", "T-maze", "Remember the sign at the start until the corridor ends.",
		"world=t-maze unroll=40 lstm=32 feedback=on optimiser=adam opt-eps=1e-08 lr=0.003 gamma=0.98"},
	{"deep-sea", "Deep sea", "One way in a thousand leads to the treasure, and every step towards it costs.",
		"world=deep-sea hidden=none lr=0.03 unroll=10 entropy=0.03"},
	{"chain", "Chain", "A random walk on a line, where values can be judged by eye.",
		"world=chain hidden=none lr=0.03 gamma=0.97"},
	{"bandit", "Bandit", "One choice between two actions.",
		"world=bandit hidden=none lr=0.03"},
	{"reverse", "Reverse", "Write a prompt of eight symbols backwards, one after the other, and be paid at the end.",
		reverse},
	{"breakout", "Breakout", "Keep the ball in play and break the bricks.",
		minatar + "world=breakout"},
	{"asterix", "Asterix", "Collect gold among enemies.",
		minatar + "world=asterix"},
	{"freeway", "Freeway", "Cross eight lanes of cars; long without any reward.",
		minatar + "world=freeway entropy=0.003 anneal=linear steps=5000000"},
	{"seaquest", "Seaquest", "Shoot, take divers aboard and come up in time.",
		minatar + "world=seaquest"},
	{"space-invaders", "Space invaders", "Shoot the swarm before it lands.",
		minatar + "world=space-invaders popart=on entropy=0.01 anneal=linear steps=5000000"},
	{"rooms-watermaze", "Rooms: water maze", "Search for a platform that cannot be seen, and come back to it.",
		rooms + "world=rooms-watermaze"},
	{"rooms-keys-doors", "Rooms: keys and doors", "Each key opens the door of its colour; the goal is behind the last.",
		rooms + "world=rooms-keys-doors"},
	{"rooms-lasertag", "Rooms: laser tag", "Tag three rivals before they tag you.",
		rooms + "world=rooms-lasertag"},
	{"rooms-explore", "Rooms: explore", "Find the goal of a new maze, again and again.",
		rooms + "world=rooms-explore"},
	{"rooms-collect", "Rooms: collect", "Collect what the instruction names and avoid the rest.",
		rooms + "world=rooms-collect"},
	{"trxl", "Transformer-XL core", "Remember the sign of a T-maze by attention to earlier steps: let the core " +
		"remember its unroll alone, and it guesses.",
		"world=t-maze unroll=8 trxl=32 core-heads=1 core-memory=16 feedback=on optimiser=adam opt-eps=1e-08 lr=0.003 " +
			"gamma=0.98"},
	{"pixel-control", "Pixel control", "Breakout with an auxiliary task: to predict how much each action changes each " +
		"cell. The Lab shows which cells the agent can change.",
		minatar + "world=breakout pixel-control=0.002 pixel-cell=2"},
	{"learned-keys-doors", "A learned room", "An agent that has learned for 5.3 million steps: it takes a key, " +
		"finds its door, and looks for the next.",
		learnedRooms + "world=rooms-keys-doors:height=12,width=16,repeat=8 init=learned"},
	{"learned-collect", "Collect, learned",
		"An agent that has learned for 5.0 million steps: it collects the balls of the colour that the " +
			"instruction names, and avoids the others.",
		learnedRooms + "world=rooms-collect:height=12,width=16,repeat=8 init=learned"},
	{"learned-explore", "Explore, learned",
		"An agent that has learned for 5.0 million steps: it searches a new maze for the goal, and finds it " +
			"again and again.",
		learnedRooms + "world=rooms-explore:height=12,width=16,repeat=8 init=learned"},
	{"learned-lasertag", "Laser tag, learned",
		"An agent that has learned for 5.0 million steps: it tags its three rivals more often than they tag " +
			"it.",
		learnedRooms + "world=rooms-lasertag:height=12,width=16,repeat=8 init=learned"},
	{"learned-watermaze", "Water maze, learned",
		"An agent that has learned for 5.0 million steps: it searches for a platform that cannot be seen, " +
			"and comes back to it.",
		learnedRooms + "world=rooms-watermaze:height=12,width=16,repeat=8 init=learned"},
	{"tiny", "Six small worlds", "One network learns six small worlds at once; a score of 1 is as good as each world's " +
		"reference.",
		suites + "world=tiny batch=24 lstm=32 feedback=on gamma=0.97 entropy=0.02"},
	{"control-7", "Seven tasks of motion", "One network learns to balance, swing and reach, in seven worlds at once.",
		suites + "world=control-7 batch=28 reward-scale=0.1"},
	{"grid-5", "Five grid games", "One network learns the five games of MinAtar at once.",
		minatar + "world=grid-5 batch=20 popart=on replay-size=20000"},
	{"rooms-5", "Five tasks in rooms", "One network learns all five tasks that are seen from within.",
		rooms + "world=rooms-5 batch=5 popart=on"},
	{"lag-cliff", "Lag cliff", "With actors eight updates behind, no correction falls off a cliff and V-trace does not.",
		"world=cartpole lag=8 entropy=0.01 reward-scale=0.1"},
	{"reverse-late", "Reverse, late", "Answers sixteen updates old: without a correction the agent ends at chance. A " +
		"weight on the steps that went worse than expected prevents it.",
		reverse + "lag=16 correction=taper"},
	{"break-and-mend", "Break and mend", "Small steps and a short memory of the gradient: set the lag to 64 once it " +
		"balances. Without a correction it falls, and V-trace with ρ̄ 2, given at once, gets it up again.",
		"world=cartpole unroll=20 batch=2 lr=0.0005 opt-decay=0.95 opt-eps=1e-08 entropy=0.003 rho=2 reward-scale=0.1"},
	{"late-cheetah", "Late cheetah", "Four legs that run: set the lag to 64 at 900 000 steps. Without a correction " +
		"most fall for good; V-trace prevents or delays the fall.",
		bodiesIMPALA + "world=cheetah lambda=1 lr=0.001 entropy=0.0003 steps=1500000"},
	{"learned-cheetah", "A learned cheetah", "Four legs that have learned to run for 3.0 million steps: set the lag to " +
		"64 at 100 000 steps. Without a correction it falls for good; with V-trace it runs on.",
		bodiesIMPALA + "world=cheetah lambda=1 lr=0.0013 entropy=0.002 steps=700000 init=learned"},
	{"learned-walker", "A learned walker", "Two legs that have learned to walk for 3.0 million steps. Click on the body " +
		"to push it.",
		bodiesVMPO + "world=walker gamma=0.995 lr=0.0003 popart=off steps=1000000 init=learned"},
	{"long-unrolls", "Long unrolls", "Unrolls of 64 steps, 64 updates old: with ρ̄ = 1 most seeds do not balance the " +
		"pole for long. Turn ρ̄ to 2 or 4, and they do.",
		"world=cartpole unroll=64 lag=64 lr=0.002 clip=40 entropy=0.01 reward-scale=0.1 steps=400000"},
	{"destination", "Destination", "π and μ stay fixed; watch V end at V of the implied policy, not at V^π.",
		"world=four-rooms hidden=none gamma=0.97 init=soft-optimal behave=uniform policy-cost=0 entropy=0 value-cost=0.5 " +
			"lr=0.03 batch=16"},
	{"stac", "STAC", "CartPole with an agent that tunes its own discount, traces and costs.",
		stac},
	{"stac-lag", "STAC with old data", "Sixteen updates of lag, and steps too large for them: it tunes its policy cost " +
		"down and continues to learn; with algo=impala it falls.",
		stac + "lag=16 meta-lr=0.01"},
	{"stacx", "STACX", "STAC with two more policies and values on the same network, each tuned for itself; the first " +
		"one acts.",
		stac + "algo=stacx"},
	{"stac-catch", "STAC on Catch", "Catch with an agent that tunes its own discount, traces and costs.",
		"world=catch algo=stac unroll=9 batch=4 optimiser=adam opt-eps=3.6e-07 lr=0.0035 gamma=0.9 entropy=0.003 " +
			"reduce=sum clip=36"},
	{"stacx-catch", "STACX on Catch", "Catch with three policies and values on one network, each tuned for itself.",
		"world=catch algo=stacx unroll=9 batch=4 optimiser=adam opt-eps=3.6e-07 lr=0.0035 gamma=0.9 entropy=0.003 " +
			"reduce=sum clip=36"},
	{"vmpo", "V-MPO", "CartPole by imitating the better half of what was played, within bounds that two multipliers hold.",
		vmpo + "world=cartpole unroll=16 lr=0.005 gamma=0.995 reward-scale=0.1"},
	{"vmpo-catch", "V-MPO on Catch", "The falling ball, caught without a policy gradient.",
		vmpo + "world=catch unroll=9 batch=4 lr=0.003 gamma=0.9 target-every=5"},
	{"vmpo-pendulum", "V-MPO on Pendulum", "A torque of real numbers from a Gaussian, whose mean and spread have a " +
		"bound each.",
		vmpo + "world=pendulum policy=gaussian gamma=0.95 reward-scale=0.1 popart=on clip=inf lr=0.001 eps-sigma=0.0002 " +
			"head-scale=0.01"},
	{"impala-pendulum", "IMPALA on Pendulum", "The same torque by policy gradient: watch its spread narrow once the rod " +
		"stands.",
		"world=pendulum policy=gaussian gamma=0.95 reward-scale=0.1 popart=on optimiser=adam lr=0.0005 entropy=0.003 " +
			"lambda=0.9"},
	{"impala-walker", "IMPALA on Walker", "Two legs that walk, by policy gradient with V-trace.",
		bodiesIMPALA + "world=walker gamma=0.995 steps=3000000"},
	{"stac-walker", "STAC on Walker", "Two legs that walk, with an agent that tunes its own discount, traces and costs.",
		bodiesSTAC + "world=walker gamma=0.995 lr=0.0005 entropy=0 steps=3000000"},
	{"impala-cheetah", "IMPALA on Cheetah", "Four legs that run, by policy gradient with V-trace.",
		bodiesIMPALA + "world=cheetah steps=3000000"},
	{"stac-cheetah", "STAC on Cheetah", "Four legs that run, with an agent that tunes its own discount, traces and " +
		"costs.",
		bodiesSTAC + "world=cheetah lr=0.001 entropy=0.0001 steps=3000000"},
	{"impala-hopper", "IMPALA on Hopper", "One leg that hops, by policy gradient with V-trace.",
		bodiesIMPALA + "world=hopper steps=3000000"},
	{"stac-hopper", "STAC on Hopper", "One leg that hops, with an agent that tunes its own discount, traces and costs.",
		bodiesSTAC + "world=hopper lr=0.0005 entropy=0 steps=3000000"},
	{"impala-humanoid", "IMPALA on Humanoid", "Two arms and two legs that walk, by policy gradient with V-trace.",
		bodiesIMPALA + "world=humanoid gamma=0.995 steps=5000000"},
	{"stac-humanoid", "STAC on Humanoid", "Two arms and two legs that walk, with an agent that tunes its own discount, " +
		"traces and costs.",
		bodiesSTAC + "world=humanoid gamma=0.995 lr=0.0005 entropy=0 steps=5000000"},
	{"laser", "LASER", "Seven of eight trajectories are old ones: turn the replay mix to 0 and CartPole takes twice as " +
		"many steps, with an eighth of the updates.",
		"world=cartpole algo=laser correction=trust-region mix=0.875 trust=0.03 lr=0.001 reward-scale=0.1"},
	{"laser-catch", "LASER on Catch", "Seven of eight trajectories are old ones: turn the replay mix to 0 and Catch " +
		"takes several times as many steps, with an eighth of the updates.",
		"world=catch algo=laser correction=trust-region mix=0.875 lr=0.001 entropy=0.03"},
	{"a2c", "A2C", "CartPole with batched actor-critic, which waits for its actors and corrects nothing; set copies to " +
		"play trajectories and several actors play side by side.",
		"world=cartpole algo=a2c entropy=0.005 reward-scale=0.1"},
	{"foreign-data", "Foreign data", "Most of a batch comes from a store that an agent with the opposite goal fills " +
		"too: V-trace learns as from its own data; one-step correction learns later, and without correction it learns " +
		"little.",
		"world=cartpole mix=0.875 lr=0.001 reward-scale=0.1 sharers=1 sharing=contrary"},
	{"random-sharers", "With random agents", "Three agents that walk at random fill most of the store, and " +
		"sharing it costs time. Whether the trust-region correction with b = 0.05 wins some of it back is not certain.",
		"world=cliff hidden=none lr=0.03 mix=0.875 sharers=3 sharing=random"},
}

// FromPreset is the whole configuration a preset names.
func FromPreset(name string) (Config, error) {
	for _, p := range Presets {
		if p.Name == name {
			return p.Config(), nil
		}
	}
	known := names(Presets, func(p Preset) string { return p.Name })
	return Config{}, Unknown("preset", name, known, "impalab presets lists all")
}

// base has the values that settings.txt gives every preset; it has no world.
var base = func() (c Config) {
	for i := range Table {
		if r := &Table[i]; r.base != "" {
			if err := r.set(&c, r.base); err != nil {
				panic("hyper: " + err.Error())
			}
		}
	}
	return c
}()

// Config is the preset in full.
func (p *Preset) Config() Config {
	c := base
	for _, pair := range strings.Fields(p.settings) {
		key, value, _ := strings.Cut(pair, "=")
		if err := c.Set(key, value); err != nil {
			panic("hyper: preset " + p.Name + ": " + err.Error()) // a test reads every preset
		}
	}
	return c
}

// FromRecord builds a configuration from the complete record of an earlier build. A setting that is missing in the
// record gets its value in every preset. A setting that this build does not know is an error with its name.
func FromRecord(settings []Setting) (Config, error) {
	c := base
	for _, s := range settings {
		if err := c.Set(s.Key, s.Value); err != nil {
			return c, err
		}
	}
	if c.World == "" {
		return c, errors.New("it does not say which world")
	}
	return c, c.Validate()
}

// FromSettings builds a configuration from a link or a command line: the preset ("preset" or "p") or else the
// world's own, then the other settings in the order given. Unknown keys come back by name and change nothing;
// a known key with a bad value is an error.
func FromSettings(settings []Setting) (c Config, preset string, unknown []string, err error) {
	world := ""
	for _, s := range settings {
		switch s.Key {
		case "preset", "p":
			preset = s.Value
		case "world":
			world = s.Value
		}
	}
	switch {
	case preset != "":
	case world != "":
		preset, _, _ = strings.Cut(world, ":") // its options stay in world
		if err := c.Set("world", world); err != nil {
			return c, preset, nil, err
		}
	default:
		preset = DefaultPreset
	}
	if c, err = FromPreset(preset); err != nil {
		return c, preset, nil, err
	}
	for _, s := range settings {
		if s.Key == "preset" || s.Key == "p" {
			continue
		}
		if _, lookup := Lookup(s.Key); lookup != nil {
			unknown = append(unknown, s.Key)
			continue
		}
		if err := c.Set(s.Key, s.Value); err != nil {
			return c, preset, unknown, err
		}
	}
	return c, preset, unknown, c.Validate()
}

// DefaultPreset is the preset of an empty link.
const DefaultPreset = "cartpole"
