package trainer

import (
	"bytes"
	"strings"
	"testing"

	"impalab/learner/graph"
	"impalab/web/wire"
)

// TestMomentsMadeAgainAreThoseThatWereShown compares recomputed x-rays with the x-rays that the changed run showed,
// byte for byte except for the speed at the time.
func TestMomentsMadeAgainAreThoseThatWereShown(t *testing.T) {
	tr := New(Options{Build: "test", Lower: graph.Lower})
	defer tr.Close()
	p, _ := visit(t, tr, link("p=catch steps=3600 speed=inf t=720:lag=8"))
	shown := map[uint64][]byte{}
	bare := func(x *wire.XRay) []byte {
		same := *x
		same.StepsPerSecond = 0
		frame, err := wire.Append(nil, &same)
		if err != nil {
			t.Fatal(err)
		}
		return frame
	}
	for over := false; !over; {
		switch m := await[wire.Message](p, nil).(type) {
		case *wire.XRay:
			shown[m.Update] = bare(m)
		case *wire.Status:
			over = wire.Over(m.State)
		}
	}
	last := tr.find(p.id).record.Position().Updates
	found := 0
	for from := uint64(1); from <= last; from += 64 {
		frame, err := tr.Moments(p.id, from, from+64-1, true)
		if err != nil {
			t.Fatal(err)
		}
		made, err := wire.DecodeAll(frame, wire.FromServer)
		if err != nil {
			t.Fatal(err)
		}
		update := from
		for _, m := range made {
			x, ok := m.(*wire.XRay)
			if !ok {
				continue
			}
			if x.Update != update {
				t.Fatalf("update %d was made where %d belongs", x.Update, update)
			}
			if was := shown[update]; was != nil {
				found++
				if !bytes.Equal(was, bare(x)) {
					t.Errorf("update %d is another when it is made again", update)
				}
			}
			update++
		}
		if want := min(from+64-1, last) + 1; update != want {
			t.Errorf("from update %d on it was made up to %d, want %d", from, update-1, want-1)
		}
	}
	if found == 0 {
		t.Error("no update that was shown was made again")
	}
}

func TestMissingMomentsAreRefusedInASentence(t *testing.T) {
	tr := newTrainer(t)
	p, _ := visit(t, tr, link("p=catch steps=360 speed=inf"))
	p.done()
	for _, c := range []struct {
		id       string
		from, to uint64
		want     string
	}{
		{"here0-gone", 1, 2, "left memory"}, {p.id, 0, 3, "from must be 1 or more"}, {p.id, 1, 65, "at most 64"},
		{p.id, 11, 12, "has reached update 10"},
	} {
		if _, err := tr.Moments(c.id, c.from, c.to, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, updates %d to %d: %v", c.id, c.from, c.to, err)
		}
	}
}
