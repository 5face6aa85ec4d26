//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/kernel"
	"impalab/learner/program"
)

// Steps in the order of their groups give the same arena, wherever they stop.
func TestGroupsOfStepsDoWhatTheStepsDo(t *testing.T) {
	for _, changes := range []string{"", "torso=deep", "lstm=5 feedback=on", "torsos=separate", "head-hidden=8"} {
		cfg := config(t, "breakout", "hidden=12 activation=tanh "+changes)
		spec, err := cfg.Network()
		if err != nil {
			t.Fatal(err)
		}
		p, err := graph.Lower(spec.Flat(), 2, 2, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]program.Step{p.Forward, p.Backward, p.Tangent} {
			sameInGroups(t, list, p.Size())
			// A step in between reads or writes everything that groups move past.
			for i := range list {
				if changes != "" {
					break
				}
				for _, other := range list {
					sameInGroups(t, slices.Insert(slices.Clone(list[i:min(i+4, len(list))]), 1, other), p.Size())
				}
			}
		}
	}
}

// One kernel does the steps of a group at once, so steps with an order are not grouped.
func TestStepsThatMeetAreNotAGroup(t *testing.T) {
	const n = 6
	copyTo := func(y, x int, add bool) program.Step {
		return program.Step{Op: program.Copy, Add: add, Size: [8]int{n}, At: [6]int{y, x}}
	}
	activate := func(y, x int) program.Step {
		return program.Step{Op: program.Activate, Size: [8]int{n}, At: [6]int{y, x}}
	}
	for i, c := range []struct {
		steps []program.Step
		left  int // groups
	}{
		{[]program.Step{copyTo(0, 10, false), copyTo(0, 20, true), activate(30, 0)}, 1},
		{[]program.Step{copyTo(0, 10, false), copyTo(0, 20, true), activate(0, 0)}, 1},
		{[]program.Step{copyTo(0, 10, false), copyTo(0, 0, true), activate(30, 0)}, 3}, // twice itself
		{[]program.Step{copyTo(0, 10, false), copyTo(0, 3, true), activate(30, 0)}, 3},
		{[]program.Step{copyTo(0, 10, false), copyTo(0, 20, true), activate(12, 0)}, 2}, // over its own input
		{[]program.Step{copyTo(0, 10, false), copyTo(0, 20, true), activate(20, 0)}, 2},
		{[]program.Step{copyTo(0, 10, false), copyTo(20, 40, false), copyTo(0, 20, true)}, 3}, // which comes later
		{[]program.Step{copyTo(0, 10, false), copyTo(40, 0, false), copyTo(0, 20, true)}, 3},  // seen before
	} {
		if got := fuse(c.steps); len(got) != c.left {
			t.Errorf("case %d: %d groups, want %d", i, len(got), c.left)
		}
	}
}

func sameInGroups(t *testing.T, list []program.Step, size int) {
	t.Helper()
	var inGroups []program.Step
	for _, g := range fuse(list) {
		inGroups = append(inGroups, *g.Step)
		for _, s := range g.also {
			inGroups = append(inGroups, *s)
		}
	}
	if len(inGroups) != len(list) {
		t.Fatalf("%d steps of %d", len(inGroups), len(list))
	}
	if slices.Equal(inGroups, list) {
		return
	}
	want := make([]float32, size)
	random := rand.New(rand.NewPCG(7, 8))
	for i := range want {
		want[i] = float32(random.NormFloat64())
	}
	got := slices.Clone(want)
	program.Bind(list, want).Run()
	program.Bind(inGroups, got).Run()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) && want[i] == want[i] {
			t.Fatalf("%v in groups come to another number at %d", inGroups, i)
		}
	}
}

// An examination has every group that there is, so that a device is held to them too.
func TestAnExaminationHasEveryGroup(t *testing.T) {
	seen := map[[2]program.Op]bool{}
	for _, g := range fuse(examined(t)) {
		for _, s := range g.also {
			seen[[2]program.Op{g.Op, s.Op}] = true
		}
	}
	for _, pair := range [][2]program.Op{
		{program.Dense, program.Columns}, {program.Copy, program.Copy}, {program.Copy, program.Activate},
		{program.Place, program.Place}, {program.ProductBT, program.ActGrad}, {program.ConvInput, program.ActGrad},
		{program.ProductAT, program.ColSum}, {program.ConvWeights, program.ColSum},
	} {
		if !seen[pair] {
			t.Errorf("no %s with a %s in passing", pair[0], pair[1])
		}
		delete(seen, pair)
	}
	if len(seen) > 0 {
		t.Errorf("groups that this test does not know: %v", seen)
	}
}

// examined are the steps of an examination.
func examined(t *testing.T) (steps []program.Step) {
	if kernel.Arithmetic() != kernel.Fused {
		t.Skip("this machine gives other bits than devices")
	}
	if err := device.Examine(looker{&steps}); err != nil {
		t.Fatal(err)
	}
	return steps
}

// looker computes on this machine's cores, and records the steps.
type looker struct{ steps *[]program.Step }

func (looker) Name() string { return "cores" }
func (looker) Close()       {}
func (l looker) Run(steps []program.Step, arena []float32) error {
	*l.steps = steps
	program.Bind(steps, arena).Run()
	return nil
}
func (looker) Plan(program.Maker, bool, int, int, int) (device.Plan, error) { panic("not asked for") }
