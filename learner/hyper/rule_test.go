package hyper

import (
	"regexp"
	"slices"
	"testing"
)

// The sentence of a rule is a template: only a user who meets the rule would see a misspelt key.
func TestEveryRuleNamesTwoSettingsThatExist(t *testing.T) {
	key := regexp.MustCompile(`\{([^}]*)\}`)
	check := func(of string, rules []rule) {
		for _, r := range rules {
			found := key.FindAllStringSubmatch(r.refuse, -1)
			if len(found) < 2 {
				t.Errorf("%s: %q names %d settings", of, r.refuse, len(found))
			}
			for _, f := range found {
				if _, err := Lookup(f[1]); err != nil {
					t.Errorf("%s: %q: %v", of, r.refuse, err)
				}
			}
		}
	}
	for i := range Table {
		check(Table[i].Key, Table[i].rules)
	}
	for _, a := range Algorithms {
		check(string(a.Name), a.rules)
	}
}

func TestNamesOfChoicesAreOfChoicesThatExist(t *testing.T) {
	for i := range Table {
		r := &Table[i]
		for value := range r.words {
			if !slices.Contains(r.Choices, value) {
				t.Errorf("%s: %q has a name and is no choice", r.Key, value)
			}
		}
	}
}

func TestTruncationResolvesSame(t *testing.T) {
	cfg, err := FromPreset(DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	cfg.RhoBar, cfg.LeakRho = 3, 0.25
	if clip := Truncation[float64](&cfg); clip.RhoBarPG != 3 || clip.LeakC != 0.25 {
		t.Errorf("rho-pg=same and alpha-c=same came to %v and %v", clip.RhoBarPG, clip.LeakC)
	}
}
