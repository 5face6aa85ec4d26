package bodies_test

import (
	"testing"

	"impalab/envs"
	"impalab/envs/bodies"
)

// A push changes the speed at once and stays within the bounds of a state, so the episode continues.
func TestAPushChangesTheSpeedWithinTheBounds(t *testing.T) {
	w, err := envs.New("walker")
	if err != nil {
		t.Fatal(err)
	}
	chance := envs.NewRand(1, 1)
	w.Reset(&chance)
	var before, after bodies.Pose
	body := bodies.Of(w)
	body.Pose(&before)
	body.Push(2, 0)
	body.Pose(&after)
	if got := after.Speed - before.Speed; got < 1.9 || got > 2.1 {
		t.Errorf("a push of 2 m/s changes the speed by %v m/s", got)
	}
	for range 100 {
		body.Push(1000, 1000)
	}
	state := w.State(nil)
	if err := w.SetState(state); err != nil {
		t.Errorf("after a hundred pushes the state is no state: %v", err)
	}
}
