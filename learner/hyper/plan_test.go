package hyper

import (
	"strings"
	"testing"
)

func TestATurnReadsAsItIsWritten(t *testing.T) {
	for _, text := range []string{"0:rho=2", "80000:lag=64", "115000:correction=vtrace", "7:rho-pg=same", "9:clip=inf"} {
		if turn, err := ParsePlannedChange(text); err != nil || turn.String() != text {
			t.Errorf("%s came back as %s, %v", text, turn, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "must be STEP:KEY=VALUE"}, {"lag=64", "must be STEP:KEY=VALUE"}, {"80000:lag", "must be STEP:KEY=VALUE"},
		{"soon:lag=64", `"soon" is not a step number`}, {"-1:lag=64", "not a step number"}, {"1e4:lag=64", "not a step number"},
		{"99999999999999999999:lag=64", "not a step number"},
		{"10:wings=2", `unknown setting "wings"`}, {"10:lag=-2", "whole number from 0"},
	} {
		if _, err := ParsePlannedChange(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want …%s…", c.text, err, c.want)
		}
	}
}

func TestTurnsThatCannotBeMadeAreRefusedBeforeTheRun(t *testing.T) {
	for _, c := range []struct{ preset, turns, want string }{
		{"catch", "500:unroll=8", "unroll cannot change during a run"},
		{"catch", "1000:lag=2", "the run ends at 1000 steps"},
		{"catch", "50:lag=2", "already taken 100 steps"},
		{"vmpo-catch", "500:correction=epsilon", "algo=vmpo with correction=epsilon"},
		{"a2c", "200:rho=2 500:lag=4", "turn 500:lag=4: algo=a2c with lag=4"},
		{"catch", "500:lag=2 200:lag=1", ""},
		{"catch", "500:correction=none 500:correction=vtrace", ""},
	} {
		cfg, err := FromPreset(c.preset)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Steps = 1000
		var turns []PlannedChange
		for _, text := range strings.Fields(c.turns) {
			turn, err := ParsePlannedChange(text)
			if err != nil {
				t.Fatal(err)
			}
			turns = append(turns, turn)
		}
		err = cfg.CheckPlan(turns, 100)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want …%s…", c.turns, err, c.want)
		}
		if c.want == "" && turns[0].Step > turns[1].Step {
			t.Errorf("%s: not sorted: %v", c.turns, turns)
		}
	}
}
