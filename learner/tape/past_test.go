package tape

import (
	"slices"
	"strings"
	"testing"

	"impalab/learner"
)

// comeBack learns a tape again, from a snapshot if there is one, and says how it differs.
func comeBack(t *testing.T, recorded *Tape, from []byte) string {
	t.Helper()
	l, err := recorded.begin(&Options{Engine: here, From: from})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	until, _ := recorded.Last()
	past := recorded.Past(l.Updates(), until)
	_, err = l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
		returning, err := past.Apply(l)
		if err == nil && !returning {
			err = errReached
		}
		return err
	}})
	if err != nil && err != errReached {
		t.Fatal(err)
	}
	return past.Differs()
}

func TestAReturnToOtherParametersIsReported(t *testing.T) {
	file, _ := played(t, "catch", "steps=2000", turns)
	recorded := read(t, file)
	if said := comeBack(t, recorded, nil); said != "" {
		t.Errorf("the same way: %q", said)
	}
	for i := range recorded.Events {
		if e := &recorded.Events[i]; e.Kind == Marked && e.Update == 30 {
			e.ParamsSHA256 = strings.Repeat("0", 64)
		}
	}
	if said := comeBack(t, recorded, nil); !strings.Contains(said, "update 30") {
		t.Errorf("other parameters at update 30: %q", said)
	}
}

// A snapshot may lie between the changes of its update. They are made again, which is not a difference.
func TestASnapshotAmongChangesDiffersInNothing(t *testing.T) {
	file, _ := played(t, "catch", "steps=2000", "700:lag=4 720:rho=2 720:rho=3 720:rho=0.5")
	recorded := read(t, file)
	for made := range 4 {
		l, err := recorded.begin(&Options{Engine: here})
		if err != nil {
			t.Fatal(err)
		}
		f := Follow(recorded)
		var snapshot []byte
		_, err = l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
			if l.Updates() == 20 {
				n := 0
				for _, e := range f.rest {
					if e.Kind == Changed && n < made {
						n++
						if err := f.change(e, l); err != nil {
							return err
						}
					}
				}
				if snapshot, err = l.Snapshot(); err != nil {
					return err
				}
				return errReached
			}
			return f.Between(l)
		}})
		l.Close()
		if err != errReached {
			t.Fatal(err)
		}
		if said := comeBack(t, recorded, snapshot); said != "" {
			t.Errorf("after %d of 4 changes: %q", made, said)
		}
	}
}

// A fork's first point says how many steps came before it: every update has its own, and new copies of the world play
// whole unrolls.
func TestTheStepsAtAnUpdateAreTheRuns(t *testing.T) {
	for _, settings := range []string{"steps=2000", "steps=2000 overlap=6", "steps=2000 overlap=6 lag=2"} {
		file, _ := played(t, "catch", settings, "300:mix=0.5 310:mix=0.2 310:mix=0.5 700:lag=4 900:mix=0 1000:mix=0.75")
		recorded := read(t, file)
		l, err := recorded.begin(&Options{Engine: here})
		if err != nil {
			t.Fatal(err)
		}
		start := *l.Config()
		f := Follow(recorded)
		_, err = l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
			until := *recorded // as a fork's tape, which ends here
			until.Events = slices.DeleteFunc(slices.Clone(recorded.Events), func(e Event) bool { return e.Update > l.Updates() })
			if want := until.StepsAt(start, l.Updates()); l.Steps() != want {
				t.Errorf("%s, update %d: %d steps, and StepsAt has %d", settings, l.Updates(), l.Steps(), want)
			}
			return f.Between(l)
		}})
		l.Close()
		if err != nil || l.Updates() < 20 {
			t.Errorf("%s: %d updates (%v)", settings, l.Updates(), err)
		}
	}
}
