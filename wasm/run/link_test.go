package run

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// settings returns settings as hyper has them.
func settings(from []wire.Setting) (to []hyper.Setting) {
	for _, s := range from {
		to = append(to, hyper.Setting(s))
	}
	return to
}

// reopen is the configuration a page gets that opens another's link.
func reopen(t interface{ Fatalf(string, ...any) }, fragment string) (hyper.Config, string) {
	c, preset, _, err := hyper.FromSettings(settings(open(fragment).Hello().Settings))
	if err != nil {
		t.Fatalf("%s: %v", fragment, err)
	}
	return c, preset
}

func TestALinkRestoresEveryPreset(t *testing.T) {
	for _, p := range hyper.Presets {
		m := open("#v=1&p=" + p.Name)
		greet(m)
		if got := m.Fragment(); got != "#v=1&p="+p.Name+"&speed=inf" {
			t.Errorf("%s: %s", p.Name, got)
		}
		if c, preset := reopen(t, m.Fragment()); !slices.Equal(c.Settings(), m.force.Settings()) || preset != p.Name {
			t.Errorf("%s comes back as %s %v", p.Name, preset, c.Settings())
		}
	}
}

func TestALinkRestoresAnyConfiguration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		preset := rapid.SampledFrom(hyper.Presets).Draw(t, "preset")
		c := preset.Config()
		for i := range hyper.Table {
			row := &hyper.Table[i]
			if rapid.IntRange(0, 3).Draw(t, "set "+row.Key) > 0 { // a few at a time: of many, some two refuse each other
				continue
			}
			var value string
			switch {
			case row.Choices != nil:
				value = rapid.SampledFrom(row.Choices).Draw(t, row.Key)
			case row.Key == "hidden":
				value = rapid.SampledFrom([]string{"none", "1", "64-64", "128-8-1"}).Draw(t, row.Key)
			case row.Key == "tune":
				value = rapid.SampledFrom([]string{"none", "gamma", "lambda-alpha-alphac"}).Draw(t, row.Key)
			default:
				value = rapid.OneOf(rapid.Just("inf"), rapid.Just("same"), rapid.Just("0.1"),
					rapid.Map(rapid.IntRange(0, 1000), func(at int) string { return Slide(row, at) })).Draw(t, row.Key)
			}
			_ = c.Set(row.Key, value) // not every row takes inf or same
		}
		if c.Validate() != nil {
			t.Skip("refused anyway")
		}
		m := open("")
		m.Hello()
		m.Apply(welcome(c, preset.Name))
		back, _ := reopen(t, m.Fragment())
		if !slices.Equal(back.Settings(), c.Settings()) {
			t.Fatalf("%s\n%v\n%v", m.Fragment(), c.Settings(), back.Settings())
		}
		var keys []string
		for _, pair := range strings.Split(m.Fragment(), "&")[2:] {
			key, _, _ := strings.Cut(pair, "=")
			keys = append(keys, key)
		}
		if !slices.IsSorted(keys) {
			t.Fatalf("not sorted: %v", keys)
		}
	})
}

func TestUnknownKeysAreKeptAndReported(t *testing.T) {
	m := open("#v=1&p=catch&zebra=a%26b%3D%25&theme=dark&lock=rho,c&aardvark=&rho=2")
	hello := m.Hello()
	if !slices.Contains(hello.Settings, wire.Setting{Key: "zebra", Value: "a&b=%"}) {
		t.Errorf("hello: %v", hello.Settings)
	}
	for _, s := range hello.Settings {
		if s.Key == "theme" || s.Key == "lock" {
			t.Errorf("the view key %s went to the server", s.Key)
		}
	}
	w := welcome(m.force, "catch")
	w.Unknown = []string{"zebra", "aardvark"}
	m.Apply(w)
	if want := "#v=1&p=catch&aardvark=&lock=rho,c&rho=2&speed=inf&theme=dark&zebra=a%26b=%25"; m.Fragment() != want {
		t.Errorf("link %s\nwant %s", m.Fragment(), want)
	}
	if len(m.Notices) != 1 || !strings.Contains(m.Notices[0], "zebra, aardvark") {
		t.Errorf("notices %q", m.Notices)
	}
	if _, err := m.Set("rho", "1"); err == nil || !m.Link.Locked("c") || m.Link.Locked("lag") || m.Link.Theme() != "dark" {
		t.Error("the view keys are not obeyed")
	}
	m.Link.ForgetTheme()
	if m.Link.Theme() != "" || strings.Contains(m.Fragment(), "theme") || !strings.Contains(m.Fragment(), "lock=rho,c") {
		t.Errorf("after a theme was chosen by hand: %s", m.Fragment())
	}
}

func TestABadValueIsReportedAndTheRestOpens(t *testing.T) {
	m := open("#p=catch&rho=banana&c=2")
	if want := []wire.Setting{{Key: "preset", Value: "catch"}, {Key: "c", Value: "2"}}; !slices.Equal(m.Hello().Settings,
		want) {
		t.Errorf("hello %v", m.Hello().Settings)
	}
	if len(m.Notices) != 1 || !strings.Contains(m.Notices[0], `rho="banana"`) {
		t.Errorf("notices %q", m.Notices)
	}
	if m := open("#x=" + strings.Repeat("y", 1000) + "&rho=2"); len(m.Notices) != 1 || len(m.Hello().Settings) != 1 {
		t.Errorf("a value too long to be sent: %q, %v", m.Notices, m.Hello().Settings)
	}
	if m := open("#p=nowhere"); len(m.Notices) != 1 || m.Preset != "cartpole" {
		t.Errorf("%s, %q", m.Preset, m.Notices)
	}
	if m := open("#v=2&p=catch"); len(m.Notices) != 1 || m.Preset != "catch" {
		t.Errorf("%s, %q", m.Preset, m.Notices)
	}
	if m := open("#mode=live&lag=8&rho=2"); len(m.Notices) == 0 || hyperSettings(m) != nil {
		t.Errorf("an impossible pair: %q, %v", m.Notices, hyperSettings(m))
	}
}

func hyperSettings(m *Run) error {
	_, _, _, err := hyper.FromSettings(settings(m.Hello().Settings))
	return err
}

func TestNoFragmentBreaksThePage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := open(rapid.String().Draw(t, "fragment"))
		reopen(t, m.Fragment())
		if hyperSettings(m) != nil {
			t.Fatal("the server would refuse this hello")
		}
	})
}
