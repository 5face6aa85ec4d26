package page

import (
	"fmt"
	"strings"

	"impalab/envs"
	"impalab/envs/bodies"
	"impalab/web/chart"
)

// The fixed texts of the first page, and its contents before its client has loaded. wasm/firstpage changes the rest.

// why are the paragraphs behind "Why?".
var why = [...]string{
	"The learner never sees the present. It sees what a former self did, and how that turned out.",
	"V-trace asks of every old step: would I still do this? What it would no longer do counts little.",
	"No correction counts every old step in full. It is praised again for what it has long stopped doing, and overshoots.",
}

// whyWriters are the paragraphs of the third experiment, in place of the second and third.
var whyWriters = [...]string{
	"Only old blame does harm. Each bad step pushes the agent away from what it wrote. From old data the push comes " +
		"again and again, also where the agent has long stopped writing that, and drives it into one symbol.",
	"The taper asks of every bad old step: would I still do this? What it would no longer write counts little, so the " +
		"push ends. Good steps count in full: they only pull it back.",
}

const tapered = "c_t = min(1, π(a_t|x_t) / μ(a_t|x_t)) where A_t < 0, else 1"

const ratios = "ρ_t = min(ρ̄, π(a_t|x_t) / μ(a_t|x_t)), c_t = min(c̄, π(a_t|x_t) / μ(a_t|x_t))"

// firstStep is a step of the story before anything has happened.
type firstStep struct{ n, state, before, main, after string }

var firstSteps = [...]firstStep{
	{"1", "now", "Two learners practise with ", "the same luck", ". On fresh data nothing tells them apart."},
	{"2", "next", "Now drag the lens away from the present, and let experience wait before it is studied.", "", ""},
	{"3", "", "", "", ""}, {"4", "", "", "", ""},
}

// emptyBelt is the belt before the client has come: at lag 0 nothing waits.
var emptyBelt = chart.Belt{Lanes: []chart.BeltLane{{Class: "pi"}, {Class: "strong", Whole: true}}}

type earlyBelt struct {
	wide       float64
	class, box string
}

var earlyBelts = []earlyBelt{earlyBeltOf(966, "broad"), earlyBeltOf(366, "narrow")}

func earlyBeltOf(wide float64, class string) earlyBelt {
	return earlyBelt{wide, class, fmt.Sprintf("0 0 %v %v", wide, chart.BeltHeight(wide, 2))}
}

// firstAnswer is the third experiment's prompt before the client has come, on a stage of 478 by 198.
var firstAnswer = func() string {
	world, err := envs.New("reverse")
	if err != nil {
		panic(err)
	}
	chance := envs.NewRand(1, 1)
	world.Reset(&chance)
	s := scene{ink: -1}
	s.drawWorld(world, -40, 40, 478, 158)
	s.close()
	return s.out.String()
}()

// firstBody is the second experiment's body before the client has come, standing on a stage of 478 by 198.
var firstBody = func() string {
	const scale, ground = 78, 160
	world, err := envs.New("cheetah")
	if err != nil {
		panic(err)
	}
	chance, pose := envs.NewRand(1, 1), bodies.Pose{}
	world.Reset(&chance)
	bodies.Of(world).Pose(&pose)
	var b strings.Builder
	fmt.Fprintf(&b, `<path class="rail" d="M0 %d.5H478"/>`, ground)
	for _, l := range pose.Limbs {
		class := "limb"
		if l.Far {
			class = "limb far"
		}
		fmt.Fprintf(&b, `<path class="%s" stroke-width="%.1f" d="M%.1f %.1fL%.1f %.1f"/>`, class, 2*scale*l.Radius,
			239+scale*l.X0, ground-scale*l.Z0, 239+scale*l.X1, ground-scale*l.Z1)
	}
	return b.String()
}()
