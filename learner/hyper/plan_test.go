package hyper

import (
	"slices"
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

// A plan with programs comes back whole, whatever their comments hold. Links from before quotes keep their meaning.
func TestAPlanKeepsAProgramWhole(t *testing.T) {
	const begin = "def weight(ratio, adv, pi, mu, age):"
	for _, program := range []string{
		begin + " return min(1, ratio)",
		begin + "\n    # at steps 1,2: one; 300:lag=2,400:rho=2\n    return max(0.5,1)",
		begin + " return 1 # \"=\",7:lag=9 \\ ü",
		"# =\",5:\n" + begin + " return 1",
	} {
		var plan []PlannedChange
		for _, c := range []struct {
			step       uint64
			key, value string
		}{{100, "correction", "own"}, {200, "program", program}, {300, "program", program}, {400, "lag", "3"}} {
			change, err := ParseChange(c.key, c.value)
			if err != nil {
				t.Fatal(err)
			}
			plan = append(plan, PlannedChange{c.step, change})
		}
		back, err := ParsePlan(FormatPlan(plan))
		if err != nil || !slices.Equal(back, plan) {
			t.Errorf("%q came back as %q, %v", FormatPlan(plan), FormatPlan(back), err)
		}
	}
	old, err := ParsePlan("100:program=" + begin + "\n    return min(1,ratio),200:lag=2")
	if err != nil || len(old) != 2 || old[0].Change.Value() != begin+"\n    return min(1,ratio)" {
		t.Errorf("a link without quotes opens %v, %v", old, err)
	}
}
