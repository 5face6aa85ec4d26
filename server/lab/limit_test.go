package lab

import (
	"testing"

	"impalab/server/errcode"
)

func TestAPageThatBeginsARunCountsAmongTheStartsOfItsAddress(t *testing.T) {
	t.Parallel()
	left := map[string]int{"a": 1, "b": 1}
	l := newLab(t, Options{MayStart: func(address string) error {
		if left[address]--; left[address] < 0 {
			return errcode.Errorf(errcode.TooFast, "too fast")
		}
		return nil
	}})
	first, err := l.Open(link("p=catch"), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Leave()
	if _, err := l.Open(link("p=catch"), "a"); errcode.Of(err) != errcode.TooFast {
		t.Errorf("a second run of the address is answered %v", err)
	}
	again := link("p=catch")
	again.Run = l.hosted()[0].ID
	if seen, err := l.Open(again, "a"); err != nil {
		t.Errorf("a page that returns to its run is answered %v", err)
	} else {
		seen.Leave()
	}
	other, err := l.Open(link("p=catch"), "b")
	if err != nil {
		t.Fatalf("another address is answered %v", err)
	}
	other.Leave()
}
