package lab

import (
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/web/wire"
)

// A run goes through every form and through three lifts while it learns. A senseless value changes nothing of it.
func TestARunChangesItsWeightsWhileItLearns(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=lag-cliff lag=16 speed=20000"))
	last := uint64(0)
	for i, c := range correct.Corrections {
		for _, pair := range [][2]string{{"correction", c.Name}, {"lift", "0.5"}, {"lift", "-0.5"}, {"lift", "0"}} {
			if correct.Method(i) == correct.MethodVTrace && pair[0] == "correction" {
				continue // in force
			}
			v.set(pair[0], pair[1])
			changed := await(v, func(m *wire.Changed) bool { return m.Key == pair[0] && m.To == pair[1] })
			if x := await(v, func(x *wire.XRay) bool { return x.Update > changed.Update }); x.Update <= last {
				t.Fatalf("%s, %s: update %d after %d", c.Name, pair[1], x.Update, last)
			} else {
				last = x.Update
			}
		}
	}
	v.set("correction", "band")
	await(v, func(m *wire.Changed) bool { return m.To == "band" })
	for _, bad := range []struct{ key, value, want string }{
		{"floor", "7", "set a floor of at most the ceiling"}, {"clip-low", "0", "above 0"}, {"moment", "-1", "from 0"},
	} {
		said := ""
		if err := v.run.Set(v.sub.ID(), 1, bad.key, bad.value); err != nil {
			said = err.Error()
		} else { // the run decides about combinations, between two updates
			said = await[*wire.Refused](v, nil).Reason
		}
		if !strings.Contains(said, bad.want) {
			t.Errorf("%s=%s: %q, want %q", bad.key, bad.value, said, bad.want)
		}
	}
	if x := await(v, func(x *wire.XRay) bool { return x.Update > last }); x.Update <= last {
		t.Errorf("after the refusals it is at update %d", x.Update)
	}
}

func TestALinkOfSenselessWeightsIsRefusedByTheLab(t *testing.T) {
	l := newLab(t, Options{})
	for _, c := range kit.Senseless {
		_, err := l.Open(link("p="+c.Preset+" "+c.Settings), "a")
		if err == nil || !strings.Contains(err.Error(), c.Sentence) {
			t.Errorf("%s %s: %v, want %q", c.Preset, c.Settings, err, c.Sentence)
		}
	}
}
