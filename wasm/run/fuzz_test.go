package run

import (
	"slices"
	"testing"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// FuzzLink opens the page with any link. It never fails: the server accepts the page's settings, and the page's own
// link restores them.
func FuzzLink(f *testing.F) {
	for _, link := range []string{
		"", "#", "#controls", "#v=1&p=catch&lag=8&rho=inf", "#v=2&p=lag-cliff&wings=3", "#p=nowhere",
		"#v=1&world=chain:length%3D9&lag=3",
		"#v=1&p=cartpole&hidden=64-64&lr=nan&embed=1&hide=rho,c&lock=lag&theme=dark&at=5", "#%zz=%1&&=&a=b=c",
		"#v=1&p=tiny&popart=on",
	} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, fragment string) {
		m := open(fragment)
		hello := m.Hello()
		if _, err := wire.Append(nil, hello); err != nil {
			t.Fatalf("%q cannot be asked for: %v", fragment, err)
		}
		asked, preset, _, err := hyper.FromSettings(settings(hello.Settings))
		if err != nil {
			t.Fatalf("%q asks for what the table refuses: %v", fragment, err)
		}
		m.Apply(welcome(asked, preset))
		own := m.Fragment()
		c, back := reopen(t, own)
		if c.Validate() == nil && (back != preset || !slices.Equal(c.Settings(), asked.Settings())) {
			t.Fatalf("%q gives %q, which gives\n%s %v\nnot\n%s %v", fragment, own, back, c.Settings(), preset, asked.Settings())
		}
	})
}
