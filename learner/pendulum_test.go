package learner

import "testing"

// One seed here, five in the slow suite; they need 250 000 to 430 000 steps.
func TestAGaussianPolicySwingsThePendulumUp(t *testing.T) {
	long(t)
	step, end := reached(t, "vmpo-pendulum", "steps=600000", -250)
	t.Logf("-250 after %d steps, %.1f at the end", step, end.ReturnMean100)
	if step == 0 {
		t.Errorf("at %.1f after %d steps", end.ReturnMean100, end.Steps)
	}
}
