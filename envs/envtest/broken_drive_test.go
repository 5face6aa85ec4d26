package envtest

import (
	"testing"

	"impalab/envs"
)

// brokenDriven is a sound world with controls and one thing wrong.
type brokenDriven struct {
	envs.Driven
	spec  *envs.Spec
	drive func(w envs.Driven, r *envs.Rand, controls []float32) envs.Outcome
}

func (b *brokenDriven) Spec() *envs.Spec { return b.spec }

func (b *brokenDriven) Drive(r *envs.Rand, controls []float32) envs.Outcome {
	if b.drive != nil {
		return b.drive(b.Driven, r, controls)
	}
	return b.Driven.Drive(r, controls)
}

func TestBrokenControlsAreFound(t *testing.T) {
	sound, err := envs.Lookup("reacher")
	if err != nil {
		t.Fatal(err)
	}
	entry := func(change func(s *envs.Spec), drive func(w envs.Driven, r *envs.Rand,
		controls []float32) envs.Outcome) *envs.Entry {
		s := *sound.Spec
		if change != nil {
			change(&s)
		}
		return &envs.Entry{Spec: &s, New: func() envs.World {
			return &brokenDriven{Driven: sound.New().(envs.Driven), spec: &s, drive: drive}
		}}
	}
	clock := 0
	for _, c := range []struct {
		fault string
		claim func(*envs.Entry) error
		world *envs.Entry
	}{
		{"two controls of one name", controlsComplete, entry(func(s *envs.Spec) {
			s.Controls = []envs.Control{{Name: "wrist", Low: -1, High: 1}, {Name: "wrist", Low: -1, High: 1}}
		}, nil)},
		{"a range of nothing", controlsComplete, entry(func(s *envs.Spec) {
			s.Controls = []envs.Control{{Name: "shoulder", Low: -1, High: 1}, {Name: "wrist", Low: 1, High: 1}}
		}, nil)},
		{"an action without a setting", controlsComplete, entry(func(s *envs.Spec) { s.Settings = s.Settings[1:] }, nil)},
		{"a setting out of range", controlsComplete, entry(func(s *envs.Spec) {
			s.Settings = [][]float32{{-1, 0}, {0, -1}, {0, 0}, {0, 1}, {2, 0}}
		}, nil)},
		{"controls that nothing moves", controlsComplete, &envs.Entry{Spec: sound.Spec, New: func() envs.World {
			return struct{ envs.World }{sound.New()}
		}}},
		{"a range that is not kept", drivingClipped, entry(func(s *envs.Spec) {
			s.Controls = []envs.Control{{Name: "shoulder", Low: -.5, High: .5}, {Name: "wrist", Low: -1, High: 1}}
		}, nil)},
		{"pay for what lies beyond the range", drivingClipped,
			entry(nil, func(w envs.Driven, r *envs.Rand, controls []float32) envs.Outcome {
				out := w.Drive(r, controls)
				out.Reward += min(max(controls[0], -2), 2)
				return out
			})},
		{"NaN taken for rest", notANumberRefused,
			entry(nil, func(w envs.Driven, r *envs.Rand, controls []float32) envs.Outcome {
				if controls[1] != controls[1] {
					return w.Drive(r, []float32{controls[0], 0})
				}
				return w.Drive(r, controls)
			})},
		{"NaN found too late", notANumberRefused,
			entry(nil, func(w envs.Driven, r *envs.Rand, controls []float32) envs.Outcome {
				w.Step(r, 0)
				return w.Drive(r, controls)
			})},
		{"a name for another setting", namedActionsDrive, entry(func(s *envs.Spec) {
			s.Settings = [][]float32{{-1, 0}, {0, -1}, {0, 0}, {0, .9}, {1, 0}}
		}, nil)},
		{"copies that know of each other", vectorDrives,
			entry(nil, func(w envs.Driven, r *envs.Rand, controls []float32) envs.Outcome {
				clock++
				out := w.Drive(r, controls)
				out.Reward += float32(clock)
				return out
			})},
		{"a drive that allocates", drivingAllocatesNothing,
			entry(nil, func(w envs.Driven, r *envs.Rand, controls []float32) envs.Outcome {
				sink = make([]byte, 8)
				return w.Drive(r, controls)
			})},
	} {
		if err := c.claim(c.world); err == nil {
			t.Errorf("%s: nobody noticed", c.fault)
		} else {
			t.Logf("%s: %v", c.fault, err)
		}
	}
	for _, claim := range Claims { // the wrapper alone breaks nothing
		if err := claim.Check(entry(nil, nil)); err != nil {
			t.Errorf("a sound world in the same wrapper: %s: %v", claim.Says, err)
		}
	}
}
