package link

import (
	"strings"
	"testing"
)

func TestALinkOfTheFirstPageOpensItsPair(t *testing.T) {
	if !IsFirst("first") || !IsFirst("#second&seed=1") || !IsFirst("#third") || IsFirst("v=1&p=second") || IsFirst("") {
		t.Error("a link is given to the wrong page")
	}
	kept, err := Storable("#second&seed=3&b=600000:lag=64")
	if err != nil || kept != "second&seed=3&b=600000:lag=64" {
		t.Errorf("the server keeps %q, %v", kept, err)
	}
	if _, err := Storable("second&lag=3"); err == nil || !strings.Contains(err.Error(), "has a, b, seed") {
		t.Errorf("a key that is none of its own: %v", err)
	}
	if open := InLab("#third&seed=3"); !strings.Contains(open, "p=reverse") ||
		!strings.Contains(open, "correction=taper") || !strings.Contains(open, "b=correction=none") ||
		!strings.Contains(open, "seed=3") {
		t.Errorf("the third opens %s", open)
	}
	if open := InLab("#second&b=600000:lag=64"); !strings.Contains(open, "p=learned-cheetah") ||
		!strings.Contains(open, "seed="+PairOf("#second").Seed) {
		t.Errorf("it opens %s", open)
	}
}
