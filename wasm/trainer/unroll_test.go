package trainer

import (
	"reflect"
	"strings"
	"testing"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/web/watch"
)

// TestTheUnrollsOfAMomentAreItsLearners compares the microscope's unrolls with the learner's own, to the last bit, for
// a run that was changed on the way.
func TestTheUnrollsOfAMomentAreItsLearners(t *testing.T) {
	tr := New(Options{Build: "test", Lower: graph.Lower})
	defer tr.Close()
	p, _ := visit(t, tr, link("p=catch steps=540 speed=inf t=360:lag=8"))
	p.done()
	r := tr.find(p.id)
	stood := map[uint64][]watch.Unroll{}
	l, err := learner.Engine{Lower: graph.Lower}.New(r.Link.Config)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	past := r.record.Past(0)
	if _, err := past.Again(l, 1, r.record.Position().Updates, r.Interruption, nil, func() error {
		for column := range l.Config().BatchSize {
			in, err := l.Inspect(column)
			if err != nil {
				return err
			}
			one, err := watch.UnrollOf(p.id, in)
			if err != nil {
				return err
			}
			stood[l.Updates()] = append(stood[l.Updates()], one)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for update, want := range stood {
		if got, err := tr.Unrolls(p.id, update); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("update %d: %+v, %v; the learner says %+v", update, got, err, want)
		}
	}
	newest, err := tr.Unrolls(p.id, 0)
	if last, _ := tr.Unrolls(p.id, r.record.Position().Updates); err != nil || !reflect.DeepEqual(newest, last) {
		t.Errorf("the newest is not the last: %+v, %v", newest, err)
	}
}

func TestMissingUnrollsAreRefusedInASentence(t *testing.T) {
	tr := newTrainer(t)
	p, _ := visit(t, tr, link("p=catch steps=360 speed=inf"))
	p.done()
	bare, _ := visit(t, tr, link("p=catch algo=a2c lag=0 steps=360 speed=inf"))
	bare.done()
	for _, c := range []struct {
		id     string
		update uint64
		want   string
	}{
		{"here0-gone", 1, "left memory"}, {p.id, 11, "has reached update 10"}, {bare.id, 1, "corrects nothing"},
	} {
		if _, err := tr.Unrolls(c.id, c.update); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, update %d: %v", c.id, c.update, err)
		}
	}
}
