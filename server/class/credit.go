package class

// What a member's answers are worth, and out of how much.

import (
	"slices"

	"impalab/server/exercise"
)

// best is the best credit of a member's for an exercise, and whether anything was handed in.
func (m *member) best(name string) (credit float64, handedIn bool) {
	for _, a := range m.answers {
		if a.Kind == HandIn && a.Task == name && a.Credit != nil {
			credit, handedIn = max(credit, *a.Credit), true
		}
	}
	return credit, handedIn
}

// credit is the sum of the best over the exercises that are graded.
func (m *member) credit(graded []string) (sum float64) {
	for _, name := range graded {
		credit, _ := m.best(name)
		sum += credit
	}
	return sum
}

// graded are the names of the exercises of the room's plan, and those that were handed in before it had this plan.
func (r *Room) graded() (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if plan := exercise.PlanNamed(r.set.Plan); plan != nil {
		for _, s := range plan.Steps {
			add(s.Exercise)
		}
		for _, name := range plan.Homework {
			add(name)
		}
	}
	for _, a := range r.answers {
		if a.Kind == HandIn {
			add(a.Task)
		}
	}
	return names
}
