package command

import (
	"math"
	"testing"

	"impalab/learner/trial"
)

// An agent's line has a gap at a world that it did not learn.
func TestScoresAreALineForEachAgent(t *testing.T) {
	type at = map[string]trial.Estimate
	one := at{"catch:rows=5": {Mean: 0.9, Low: 0.8, High: 1}}
	other := at{"asterix": {Mean: 0.5, Low: 0.4, High: 0.6}}
	worlds, lines := studyScores(&trial.Scores{Worlds: []string{"catch:rows=5", "asterix"},
		Agents: []trial.AgentScores{{Name: "one agent", At: one}, {Name: "experts", At: other}}})
	if len(worlds) != 2 || worlds[0] != "catch" || len(lines) != 2 ||
		lines[0].Name != "one agent" || lines[0].Tone == lines[1].Tone {
		t.Fatalf("%v over %v", lines, worlds)
	}
	if at := lines[0].At; at[0].Low != 0.8 || !math.IsNaN(at[1].Mean) {
		t.Errorf("the one agent's line is %v", at)
	}
	if at := lines[1].At; !math.IsNaN(at[0].Mean) || at[1].High != 0.6 {
		t.Errorf("the experts' line is %v", at)
	}
}
