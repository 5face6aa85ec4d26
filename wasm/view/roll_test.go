package view

import (
	"image/color"
	"testing"

	"impalab/envs"
	"impalab/web/wire"
)

// written plays frames of a small answer, but for the missed ones. The policy is sure of one symbol.
func written(t *testing.T, r *roll, frames int, missed ...uint64) envs.Writing {
	t.Helper()
	w, err := envs.New("reverse:length=4,symbols=2")
	if err != nil {
		t.Fatal(err)
	}
	writing, ok := envs.WritingOf(w)
	if !ok {
		t.Fatal("the agent of reverse does not write")
	}
	chance := envs.NewRand(1, 0)
	w.Reset(&chance)
	f := wire.Frame{Target: []float32{.1, .9}}
	for range frames {
		if f.Length == 4 {
			w.Reset(&chance)
			f.Length = 0
		}
		w.Step(&chance, 1)
		f.Number++
		f.Length++
		if len(missed) > 0 && f.Number == missed[0] {
			missed = missed[1:]
			continue
		}
		r.add(writing, &f)
	}
	return writing
}

func TestEachPlaceHasTheProbabilitiesOfItsFrame(t *testing.T) {
	var r roll
	w := written(t, &r, 3)
	if len(r.likely) != 3 || r.likely[0][1] != .9 {
		t.Fatalf("the roll is %v", r.likely)
	}
	var m mesh
	r.show(&m, w, 0, 0, 10, color.RGBA{A: 0xFF})
	faint, dark := m.vertices[0].a, m.vertices[4].a
	if want := 3 * 2 * 4; len(m.vertices) != want || !(faint < dark) {
		t.Errorf("%d vertices, want %d; the likelier field has opacity %v, the other %v", len(m.vertices), want, dark, faint)
	}
}

func TestAMissedFrameLeavesItsPlaceWithoutTint(t *testing.T) {
	var r roll
	written(t, &r, 3, 2)
	if len(r.likely) != 3 || r.likely[1] != nil || r.likely[2] == nil {
		t.Errorf("the roll is %v", r.likely)
	}
}

func TestTheNextAnswerBeginsWithAnEmptyRoll(t *testing.T) {
	for _, missed := range [][]uint64{nil, {5}, {4, 5}} {
		var r roll
		if written(t, &r, 6, missed...); len(r.likely) != 2 {
			t.Errorf("without the frames %v: %v", missed, r.likely)
		}
	}
}

func TestTheTwoLikeliestSymbolsOfTheNewestPlace(t *testing.T) {
	for want, likely := range map[[2]int][]float32{{2, 0}: {.3, .1, .6}, {0, 1}: {.7, .2, .1}, {1, 2}: {.1, .5, .4}} {
		r := roll{likely: [][]float32{{1, 0, 0}, likely}}
		if got, ok := r.likeliest(); !ok || got != want {
			t.Errorf("of %v it finds %v", likely, got)
		}
	}
	r := roll{likely: [][]float32{{1, 0}, nil}}
	if _, ok := r.likeliest(); ok {
		t.Error("a place without its frame has likely symbols")
	}
}
