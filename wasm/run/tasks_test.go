package run

import (
	"math"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/web/number"
	"impalab/web/wire"
)

func TestASuiteShowsTheScoreOfEachWorldAndTheOneOnStage(t *testing.T) {
	m := open("#v=1&p=tiny")
	greet(m)
	tasks := m.tasks()
	if len(tasks) < 2 || !m.Suite() {
		t.Fatalf("tiny has %d tasks", len(tasks))
	}
	count := func(class string) (n int) {
		return strings.Count(draw(m, "tasks", 400, 170), `class="`+class+`"`)
	}
	if count("bar pi") != 0 || count("dot") != 0 || strings.Count(draw(m, "tasks", 400, 170), number.None) != len(tasks) {
		t.Errorf("before the first figures: %s", draw(m, "tasks", 400, 170))
	}
	x := &wire.XRay{}
	for k, task := range tasks { // halfway to the reference, but for the last, which has had no episode
		x.Returns = append(x.Returns, float32((task.Random+task.Reference)/2))
		if k == len(tasks)-1 {
			x.Returns[k] = float32(math.NaN())
		}
	}
	m.Apply(x)
	if got := count("bar pi"); got != len(tasks)-1 {
		t.Errorf("%d bars of %d", got, len(tasks)-1)
	}
	if got := strings.Count(shownText(t, m, "tasks"), "0.50"); got != len(tasks)-1 {
		t.Errorf("in words: %s", shownText(t, m, "tasks"))
	}
	m.Choice = Server
	for k, task := range tasks {
		world, err := envs.New(task.World)
		if err != nil {
			t.Fatal(err)
		}
		m.Apply(&wire.Frame{World: world.Spec().Name})
		if !m.scores()[k].watched || count("dot") != 1 || shownText(t, m, "stage") != ", now "+task.World {
			t.Errorf("%s on stage: task %d, %q", task.World, k, shownText(t, m, "stage"))
		}
	}
}

func TestAWorldByItselfHasNoTasks(t *testing.T) {
	m := open("")
	greet(m)
	if m.Suite() || draw(m, "tasks", 400, 170) != "" || shownText(t, m, "stage") != "" || shownText(t, m, "tasks") != "" {
		t.Error("cartpole is shown as a suite")
	}
}
