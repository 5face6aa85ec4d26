package run

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"impalab/learner/hyper"
	"impalab/web/wire"

	"impalab/web/link"
)

// running is a run whose link is in force.
func running(fragment string) *Run {
	m := open(fragment)
	greet(m)
	return m
}

func TestAFurtherColumnIsWrittenAsWhatDiffers(t *testing.T) {
	a := running("#v=1&p=cartpole&lag=8&seed=3&theme=dark&zebra=1")
	for _, c := range []struct{ other, want string }{
		{"#v=1&p=cartpole&lag=8&seed=3&zebra=1", "b="},
		{"#v=1&p=cartpole&lag=8&seed=3&correction=none&zebra=1", "b=correction=none"},
		{"#v=1&p=cartpole&rho=2&seed=3&zebra=1", "b=lag=0%26rho=2"},
		{"#v=1&p=catch&seed=3", "b=p=catch%26seed=3%26speed=inf"},
	} {
		got := a.Fragment(running(c.other))
		if want := "#v=1&p=cartpole&" + c.want + "&lag=8&seed=3&speed=inf&theme=dark&zebra=1"; got != want {
			t.Errorf("beside %s\nlink %s\nwant %s", c.other, got, want)
		}
	}
}

func TestALinkBringsBackEveryColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		column := func(name string) *Run {
			fragment := "#v=1&p=" + rapid.SampledFrom(hyper.Presets).Draw(t, name+" preset").Name
			for _, key := range []string{"lag", "rho", "c", "mix", "seed", "correction"} {
				if rapid.Bool().Draw(t, name+" has "+key) {
					row, _ := hyper.Lookup(key)
					value := rapid.SampledFrom([]string{"vtrace", "none"}).Draw(t, key)
					if row.Numeric() {
						value = Slide(row, rapid.IntRange(0, 1000).Draw(t, name+" "+key))
					}
					if m := open(fragment + "&" + key + "=" + value); len(m.Notices) == 0 {
						fragment += "&" + key + "=" + value
					}
				}
			}
			return running(fragment + "&" + rapid.SampledFrom([]string{"theme=dark", "x=%26b%3D", "lock=rho"}).Draw(t, name))
		}
		runs := []*Run{column("a"), column("b"), column("c")}[:rapid.IntRange(1, 3).Draw(t, "columns")]
		all := runs[0].Fragment(runs[1:]...)
		links, problem := link.Columns(all)
		if len(links) != len(runs) || problem != "" {
			t.Fatalf("%s opens %d columns of %d, %q", all, len(links), len(runs), problem)
		}
		var back []*Run
		for i, fragment := range links {
			again := running(fragment)
			if !slices.Equal(again.force.Settings(), runs[i].force.Settings()) || again.Preset != runs[i].Preset {
				t.Fatalf("%s\ncolumn %d is opened by %s, was %s", all, i, fragment, runs[i].Fragment())
			}
			back = append(back, again)
		}
		if again := back[0].Fragment(back[1:]...); again != all {
			t.Fatalf("%s\nis written again as\n%s", all, again)
		}
	})
}

func TestEachColumnSharesItsOwnTurns(t *testing.T) {
	a, b := running("#v=1&p=catch&seed=3"), running("#v=1&p=catch&seed=3&lag=4")
	b.changes = append(b.changes, wire.Changed{Step: 800, Key: "lag", From: "2", To: "4"})
	a.changes = append(a.changes, wire.Changed{Step: 500, Key: "rho", From: "1", To: "1.5"})
	a.changes = append(a.changes, wire.Changed{Step: 600, Key: "rho", From: "1.5", To: "1"})
	shared := a.Shared(b)
	if want := "#v=1&p=catch&b=lag=2%26t=800:lag=4&seed=3&speed=inf&t=500:rho=1.5,600:rho=1"; shared != want {
		t.Errorf("link %s\nwant %s", shared, want)
	}
	links, _ := link.Columns(shared)
	if want := []string{"#v=1&p=catch&seed=3&speed=inf&t=500:rho=1.5,600:rho=1",
		"#v=1&p=catch&lag=2&seed=3&speed=inf&t=800:lag=4"}; !slices.Equal(links, want) {
		t.Errorf("it opens %q, want %q", links, want)
	}
}

func TestALinkOfOneColumnIsTakenAsItIs(t *testing.T) {
	for _, fragment := range []string{"", "#controls", "#v=1&p=catch&c=2&rho=4", "#v=7&x=%zz"} {
		if links, problem := link.Columns(fragment); len(links) != 1 || links[0] != fragment || problem != "" {
			t.Errorf("%q opens %q, %q", fragment, links, problem)
		}
	}
}

func TestAProblemOfAColumnsLinkIsToldOnceAndTheRestOpens(t *testing.T) {
	links, problem := link.Columns("#v=1&p=catch&rho=banana&b=c%3D%25%26lag%3D4&b=lag%3D2&b=&b=lag%3D1")
	if len(links) != link.MaxColumns || !strings.Contains(problem, "the first four") {
		t.Errorf("five columns: %q, %q", links, problem)
	}
	m := running(links[1])
	if m.force.Get("lag") != "4" || len(m.Notices) != 2 {
		t.Errorf("%s: lag %s, notices %q", links[1], m.force.Get("lag"), m.Notices)
	}
	before := len(m.Notices)
	if New(links[1], m.Speech); len(m.Notices) != before {
		t.Errorf("the notices of two columns with one mistake: %q", m.Notices)
	}
}

func TestOnlyWhatDiffersIsNamed(t *testing.T) {
	var keys []string
	for _, row := range Differs([]*Run{running("#p=catch"), running("#p=catch&lag=4"), running("#p=catch&rho=2")}) {
		keys = append(keys, row.Key)
	}
	if !slices.Equal(keys, []string{"lag", "rho"}) && !slices.Equal(keys, []string{"rho", "lag"}) {
		t.Errorf("they differ in %v", keys)
	}
}
