package link

import (
	"strings"
	"testing"

	"impalab/learner/hyper"
)

// Without a link the Lab opens two runs that part: equal up to step 40 000, when B alone gives up its correction.
func TestTheLabOpensWhereTwoRunsPart(t *testing.T) {
	links, problem := Columns(Lab("#theme=dark"))
	if problem != "" || len(links) != 2 {
		t.Fatalf("%d columns, %q", len(links), problem)
	}
	var plans [2]string
	var starts [2]hyper.Config
	for i, link := range links {
		l := Parse(link)
		config, preset, problems := l.Config()
		if preset != "lag-cliff" || len(problems) > 0 || l.Theme() != "dark" {
			t.Errorf("column %s: preset %s, theme %q, %q", Letter(i), preset, l.Theme(), problems)
		}
		starts[i], plans[i] = config, hyper.FormatPlan(l.Planned())
	}
	if diff := starts[0].Diff(&starts[1]); len(diff) > 0 {
		t.Errorf("at their start they differ in %v", diff)
	}
	if plans[0] != "18000:lag=8" || plans[1] != "18000:lag=8,40000:correction=none" {
		t.Errorf("the plans are %q", plans)
	}
}

func TestALinkOpensWhatItSays(t *testing.T) {
	for _, link := range []string{"#v=1&p=catch", "#lag=4", "#fork=ab12@7", "#v=1&b=lag%3D8"} {
		if opened := Lab(link); opened != link {
			t.Errorf("%s opens %s", link, opened)
		}
	}
	for _, bare := range []string{"", "#", "#controls", "#v=1&theme=light"} {
		if opened := Lab(bare); !strings.Contains(opened, "p=lag-cliff") {
			t.Errorf("%q opens %s", bare, opened)
		}
	}
}
