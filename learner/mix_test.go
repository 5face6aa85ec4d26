package learner

import (
	"testing"

	"impalab/internal/kit"
)

func TestAMixBelow1KeepsAFreshTrajectory(t *testing.T) {
	fresh := func(mix string) (online int, r Result) {
		cfg := kit.Config(t, "laser", "trust=inf steps=4000 mix="+mix)
		r = train(t, cfg, Hooks{Between: func(l *Learner) error {
			online = 0
			for _, on := range l.batch.Online {
				if on {
					online++
				}
			}
			return nil
		}})
		return online, r
	}
	nearly, a := fresh("0.95")
	pure, b := fresh("1")
	if nearly != 1 || pure != 0 {
		t.Errorf("of a batch of 8, mix=0.95 keeps %d fresh and mix=1 %d; want 1 and 0", nearly, pure)
	}
	if a.ParamsSHA256 == b.ParamsSHA256 {
		t.Error("mix=0.95 and mix=1 learn the same parameters")
	}
	if _, seven := fresh("0.875"); seven.ParamsSHA256 != a.ParamsSHA256 {
		t.Error("mix=0.95 and mix=0.875 both replay 7 of 8, and learn other parameters")
	}
}
