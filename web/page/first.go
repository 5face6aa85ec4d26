package page

import (
	"fmt"

	"impalab/web/chart"
)

// The fixed texts of the first page, and its contents before its client has loaded. wasm/firstpage changes the rest.

// why are the paragraphs behind "Why?".
var why = [...]string{
	"The learner never sees the present. It sees what a former self did, and how that turned out.",
	"V-trace asks of every old step: would I still do this? What it would no longer do counts little.",
	"No correction counts every old step in full. It is praised again for what it has long stopped doing, and overshoots.",
}

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
