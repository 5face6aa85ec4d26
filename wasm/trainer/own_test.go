package trainer

import (
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/web/wire"
)

// own is a link whose correction is a program.
func own(text, program string) *wire.Hello {
	h := link(text + " correction=own")
	h.Settings = append(h.Settings, wire.Setting{Key: "program", Value: program})
	return h
}

// A page's own learner takes programs too: a text ends with the bytes of the correction that it writes.
func TestAProgramOfThePageEndsAsTheCorrectionThatItWrites(t *testing.T) {
	const settings = "p=lag-cliff lag=9 steps=4000 speed=inf"
	tr := newTrainer(t)
	end := func(hello *wire.Hello) string {
		p, _ := visit(t, tr, hello)
		p.done()
		return tr.ParamsSHA256(p.id)
	}
	for _, s := range correct.Starts {
		if s.Like == correct.MethodOwn {
			continue
		}
		written, named := end(own(settings, s.Program)), end(link(settings+" correction="+s.Like.String()))
		if written != named {
			t.Errorf("%s ends with %.12s, as a program with %.12s", s.Name, named, written)
		}
	}
}

func TestAFaultyProgramIsASentenceOnThePage(t *testing.T) {
	tr := newTrainer(t)
	for _, c := range kit.FaultyPrograms {
		hello := own("p=lag-cliff lag=8 steps=4000 speed=inf", c.Program)
		if !c.Begins {
			if _, err := tr.Open(hello); err == nil || !strings.Contains(err.Error(), c.Sentence) {
				t.Errorf("%.80q: %v, want %q", c.Program, err, c.Sentence)
			}
			continue
		}
		p, _ := visit(t, tr, hello)
		for p.end == nil || p.end.Reason == "" {
			await[*wire.Status](p, nil)
		}
		if p.end.State != wire.StateStopped || !strings.Contains(p.end.Reason, c.Sentence) {
			t.Errorf("%.80q ends in state %d: %q, want %q", c.Program, p.end.State, p.end.Reason, c.Sentence)
		}
	}
}
