package learner

import (
	"context"
	"slices"
	"testing"

	"impalab/internal/kit"
)

// The poses are the same at every call, lie within the episode's bounds, and change no result.
func TestPosesAreAnEpisodeOfTheActingPolicy(t *testing.T) {
	t.Parallel()
	hash := func(look bool) string {
		cfg := kit.Config(t, "cartpole", "")
		cfg.Steps = 3000
		l, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		var looked int
		if _, err := l.Run(context.Background(), Hooks{Between: func(l *Learner) error {
			if look && l.Updates()%5 == 0 {
				looked++
				poses := l.Poses(24)
				if len(poses) != 48 || !slices.Equal(poses, l.Poses(24)) {
					t.Fatalf("%d poses, or other ones the second time", len(poses))
				}
				for i, v := range poses {
					if v < -300 || v > 300 {
						t.Fatalf("pose %d is %d", i, v)
					}
				}
			}
			return nil
		}}); err != nil || look && looked == 0 {
			t.Fatal(err, looked)
		}
		return l.ParamsSHA256()
	}
	if a, b := hash(false), hash(true); a != b {
		t.Errorf("looking at a run changed it from %s to %s", a, b)
	}
}

func TestAWorldWithoutAStickHasNoPoses(t *testing.T) {
	t.Parallel()
	cfg := kit.Config(t, "catch", "")
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if poses := l.Poses(24); poses != nil {
		t.Error(poses)
	}
}
