package firstpage

import (
	"strings"
	"testing"
)

// texts are the steps of the story, each with its state.
func (p *page) texts(lag int) (all []string) {
	for _, s := range p.Steps(lag) {
		all = append(all, s.State+": "+s.Text())
	}
	return all
}

func TestTheStoryAddsItsStepsAsTheyHappen(t *testing.T) {
	p := begin(t, "")
	p.learn(60_000, 400, 400)
	if got := p.texts(0); len(got) != 2 || !strings.HasPrefix(got[0], "now: Two learners") ||
		!strings.HasPrefix(got[1], "next: Now drag") {
		t.Errorf("at first: %q", got)
	}
	if p.Act() != "Make the data old" || p.Press() {
		t.Errorf("the button says %q", p.Act())
	}
	p.want(Learning, "A lag=64", "B lag=64")
	if got := p.texts(64); len(got) != 2 || got[0] != "past: The same luck: alike up to 60\u2009k steps." ||
		got[1] != "now: You let their data wait 64 updates. Watch the right one." {
		t.Errorf("after the button: %q", got)
	}
	p.learn(100_000, 300, 20)
	if got := p.texts(64); len(got) != 3 || !strings.HasPrefix(got[2], "now: The right one fell: 400 → 20 ") {
		t.Errorf("after the fall: %q", got)
	}
	p.Press()
	if got := p.texts(64); len(got) != 4 || got[2] != "past: The right one fell: 400 → 20." ||
		!strings.HasPrefix(got[3], "now: It has V-trace now.") {
		t.Errorf("with V-trace: %q", got)
	}
	p.learn(400_000, 400, 480)
	if got := p.texts(64); len(got) != 4 ||
		got[3] != "now: With V-trace it got up, on data as old as before. It is enough to weigh them again." {
		t.Errorf("at the end: %q", got)
	}
}

// Below the button stands what fits the story: the belt's parts, weights on the belt, and in the end a use.
func TestWhatStandsBelowTheButtonFollowsTheStory(t *testing.T) {
	p := begin(t, "")
	p.learn(60_000, 400, 400)
	kind := func(lag int) string {
		kind, title := p.Aside(lag)
		if title == "" {
			t.Errorf("%q has no words", kind)
		}
		return kind
	}
	if kind(0) != "belt" || kind(8) != "key" {
		t.Errorf("at first it is %q, and under the hand %q", kind(0), kind(8))
	}
	p.Drag("64")
	p.learn(70_000, 400, 400)
	p.learn(100_000, 200, 20)
	if kind(64) != "key" || !p.Weak() {
		t.Errorf("after the fall it is %q, and the right one is down: %v", kind(64), p.Weak())
	}
	p.Press()
	p.learn(110_000, 100, 20)
	p.learn(400_000, 400, 480)
	if kind(64) != "for" || p.Weak() || !strings.HasSuffix(p.Hint(64), Rescued) {
		t.Errorf("in the end it is %q, with the hint %q", kind(64), p.Hint(64))
	}
}
