package remote

import (
	"errors"
	"strings"
	"testing"
)

func TestNoActorSendsUnorderedBlocks(t *testing.T) {
	o := NewActors()
	r, err := o.Join("eager", true, new(Tally))
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range map[uint64]string{1: "not given", 2: "order 1 belongs", 0: "order 1 belongs"} {
		if err := r.Deliver(&Block{Number: number}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a block for order %d: %v", number, err)
		}
	}
	for range mostActors - 1 {
		if _, err := o.Join("one more", true, new(Tally)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := o.Join("one too many", true, new(Tally)); !errors.Is(err, errManyActors) {
		t.Error(err)
	}
	over := errors.New("over")
	o.Close(over)
	if _, err := o.Join("late", true, new(Tally)); !errors.Is(err, over) || !errors.Is(r.Why(), over) {
		t.Error(err, r.Why())
	}
	<-r.Done()
}
