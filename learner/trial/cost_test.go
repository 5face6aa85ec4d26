package trial

import "testing"

func TestAStudyCostsTheStepsOfAllItsRuns(t *testing.T) {
	s := Study{Name: "none", Preset: "cartpole", Budget: "250000", Seeds: "1-8", Population: "lr", Members: 24,
		Variants: []Variant{{Label: "a"}, {Label: "b", Settings: "steps=500000"}}}
	if cost, err := s.Cost(); err != nil || cost != "144 million steps" {
		t.Errorf("%q, %v", cost, err)
	}
	for name := range costs() {
		if _, err := LookupStudy(name); err != nil && name[:min(len(name), 6)] != "board/" {
			t.Errorf("costs.yaml: %v", err)
		}
	}
}
