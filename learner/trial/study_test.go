package trial

import (
	"fmt"
	"testing"
)

func TestEveryStudyIsAConfigurationThatRuns(t *testing.T) {
	names := map[string]bool{}
	for i := range Studies {
		p := &Studies[i]
		if names[p.Name] || len(p.Variants)+len(p.Beside) < 2 || p.Claim == "" || p.Paper == "" {
			t.Errorf("%s: a name of its own, a claim, its source and something to compare with are wanted", p.Name)
		}
		names[p.Name] = true
		seen := map[string]bool{}
		for j := range p.Variants {
			v := &p.Variants[j]
			c, err := p.Config(v)
			if err != nil {
				t.Error(err)
			}
			if script, err := p.Script(v); err != nil || (script != nil) != (p.Moments != nil) && !p.Falls {
				t.Errorf("%s, %s: its turns and the moments they are looked at belong together: %v", p.Name, v.Label, err)
			}
			key := fmt.Sprint(v.Alone, v.Turns, v.Mend)
			for _, s := range c.Settings() {
				key += s.Key + "=" + s.Value + " "
			}
			if seen[key] {
				t.Errorf("%s: %s is the same run as another", p.Name, v.Label)
			}
			seen[key] = true
		}
	}
	if _, err := LookupStudy("nothing"); err == nil {
		t.Error("an unknown name was found")
	}
}
