package envs

// Cliff is Sutton and Barto's walk along an edge (example 6.6), with a slippery floor. The short way is dangerous, so
// an agent's path shows how many of its own mistakes it expects. Rewards are a hundredth of the book's, and the goal
// pays 1 more. A fall ends the episode. The best path returns about .76.

var cliffGrid = newGrid(
	"............",
	"............",
	"............",
	"SxxxxxxxxxxG",
)

var cliffMDP = cliffGrid.mdp(.1, pay{goal: .99, fall: -1, step: -.01})

var cliffSpec = Spec{
	Name:    "cliff",
	Title:   "Cliff walk",
	Summary: "Walk along the cliff to the goal: 1 for the goal, −1 for a fall, −.01 for each step; one step in ten slips.",
	Source:  "Sutton and Barto, Reinforcement Learning, example 6.6; here with slips, and scaled",
	Obs:     []int{cliffMDP.States},
	Actions: compass,
	Limit:   100,
	Random:  -1.09,
	Solved:  .73,
	View:    [2]float32{12, 4},
	Rate:    8,
}

type cliff struct{ finite }

func newCliff() World { return &cliff{newFinite(&cliffSpec, cliffMDP)} }

func (w *cliff) Draw(c Canvas) { cliffGrid.draw(c, &w.finite) }
