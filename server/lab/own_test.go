package lab

import (
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/server/store"
	"impalab/web/wire"
)

// own is a link whose correction is a program.
func own(text, program string) *wire.Hello {
	h := link(text + " correction=own")
	h.Settings = append(h.Settings, wire.Setting{Key: "program", Value: program})
	return h
}

func TestAFaultyProgramIsASentenceInTheLab(t *testing.T) {
	l := newLab(t, Options{})
	for _, c := range kit.FaultyPrograms {
		hello := own("p=lag-cliff lag=8 speed=inf steps=20000", c.Program)
		if !c.Begins {
			if _, err := l.Open(hello, "a"); err == nil || !strings.Contains(err.Error(), c.Sentence) {
				t.Errorf("%.80q: %v, want %q", c.Program, err, c.Sentence)
			}
			continue
		}
		_, w := visit(t, l, hello)
		var i Info
		kit.Until(t, "the run is over", func() (over bool) {
			var err error
			i, err = l.Info(t.Context(), w.Run)
			return err == nil && i.State != store.Running && i.State != store.Queued
		})
		if i.Steps >= 20_000 || !strings.Contains(i.Reason, c.Sentence) {
			t.Errorf("%.80q is %s: %q, want %q", c.Program, i.State, i.Reason, c.Sentence)
		}
	}
}

// A text that computes a correction's weights ends with the correction's bytes: in a run of the Lab, and in a fork that
// leaves another correction for it.
func TestRunsAndForksOfProgramsEndAsTheCorrectionsThatTheyWrite(t *testing.T) {
	l := newLab(t, Options{})
	parent, _ := start(t, l, "p=lag-cliff lag=9 steps=6000 speed=inf correction=is")
	half := ended(t, l, parent.ID).Updates / 2
	fork := func(settings ...hyper.Setting) Info {
		t.Helper()
		r, _, err := l.Fork(t.Context(), Origin{Run: parent.ID, Update: half}, settings, Owner{}, Batch, "")
		if err != nil {
			t.Fatal(err)
		}
		i := ended(t, l, r.ID)
		if out := replayed(t, l, r.ID); !out.Same() || out.ParamsSHA256 != i.ParamsSHA256 {
			t.Errorf("%v: trained again: %+v, it had ended with %s", settings, out, i.ParamsSHA256)
		}
		return i
	}
	for _, s := range correct.Starts {
		if s.Like == correct.MethodOwn {
			continue
		}
		_, w := visit(t, l, own("p=lag-cliff lag=9 steps=6000 speed=inf", s.Program))
		like := kit.Config(t, "lag-cliff", "lag=9 steps=6000 correction="+s.Like.String())
		if i := ended(t, l, w.Run); i.State != store.Done || i.ParamsSHA256 != alone(t, like) {
			t.Errorf("%s: a run of the Lab is %s with %.12s", s.Name, i.State, i.ParamsSHA256)
		}
		written := fork(hyper.Setting{Key: "correction", Value: "own"}, hyper.Setting{Key: "program", Value: s.Program})
		named := fork(hyper.Setting{Key: "correction", Value: s.Like.String()})
		if written.ParamsSHA256 != named.ParamsSHA256 || written.Settings["program"] != strings.TrimSpace(s.Program) {
			t.Errorf("%s: the fork with a program ends with %.12s, with the correction %.12s", s.Name,
				written.ParamsSHA256, named.ParamsSHA256)
		}
	}
}
