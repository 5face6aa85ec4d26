package hyper

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The sentence of a rule is a template: only a user who meets the rule would see a misspelt key.
func TestEveryRuleNamesTwoSettingsThatExist(t *testing.T) {
	name := regexp.MustCompile(`\$\{(#?)([^}]*)\}`)
	for i := range Table {
		for _, r := range Table[i].rules {
			keys := 0
			for _, f := range name.FindAllStringSubmatch(r.refuse, -1) {
				_, err := Lookup(f[2])
				if f[1] == "" {
					keys++
				} else if figures[f[2]] != nil {
					err = nil
				}
				if err != nil {
					t.Errorf("%s: %q: %v", Table[i].Key, r.refuse, err)
				}
			}
			if keys < 2 {
				t.Errorf("%s: %q names %d settings", Table[i].Key, r.refuse, keys)
			}
		}
	}
}

// A misspelt choice would make a condition that never holds.
func TestConditionsCompareWithChoicesThatExist(t *testing.T) {
	comparison := regexp.MustCompile(`\b([a-z][a-z0-9-]*)(!?=)([a-z][a-z0-9-]*)`)
	compared := 0
	for line := range strings.Lines(settings) {
		name, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if condition, _, _ := strings.Cut(text, ": "); name == "when" || name == "refuse" {
			for _, c := range comparison.FindAllStringSubmatch(condition, -1) {
				compared++
				row, err := Lookup(c[1])
				if err != nil {
					t.Errorf("%s: %v", line, err)
				} else if _, err := row.change(c[3]); err != nil {
					t.Errorf("%s: %v", line, err)
				}
			}
		}
	}
	if compared < 40 {
		t.Errorf("%d comparisons were found", compared)
	}
}

func TestATermOfEachKind(t *testing.T) {
	cfg, err := FromPreset(DefaultPreset)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Lag, cfg.UnrollLen, cfg.Overlap = 3, 20, 20
	for text, want := range map[string]bool{
		"lag>2": true, "lag>3": false, "lag<4": true, "lag<3": false, "lag=3": true, "lag!=3": false, "lag>=3": true,
		"lag>=4": false, "overlap>=unroll": true, "lag>=unroll": false, "mode=reference": true, "mode=live": false,
		"mode!=live": true, "core": false, "!core": true, "lag>2 !core": true, "lag>2 core": false, "core or lag>2": true,
		"core or lag>3 or mode=live": false,
	} {
		if when(text)(&cfg) != want {
			t.Errorf("%s: want %v", text, want)
		}
	}
	for _, text := range []string{"cores", "lagg>2", "lag>unrolls", "lag~2"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is a condition", text)
				}
			}()
			when(text)
		}()
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
