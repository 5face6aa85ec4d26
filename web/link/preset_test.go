package link

import "testing"

func TestAWorldWithOptionsHasItsTitle(t *testing.T) {
	if got := WorldTitle("chain:length=9,slip=0.1"); got != "Chain, length 9, slip 0.1" {
		t.Error(got)
	}
}
