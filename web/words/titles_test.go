package words

import (
	"os"
	"testing"
)

// Where the Lab names settings in a list, German has their German titles.
func TestTitlesInAListAreThoseOfTheOtherLanguage(t *testing.T) {
	body, err := os.ReadFile("de.txt")
	if err != nil {
		t.Fatal(err)
	}
	parts, err := Parse(string(body))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, part := range parts {
		for english, other := range part.Pairs {
			all[english] = other
		}
	}
	c, err := New(all)
	if err != nil {
		t.Fatal(err)
	}
	for english, german := range map[string]string{
		"before: seed 7":                                   "vorher: Seed 7",
		"before: policy lag 4, ρ̄ 2, …":                    "vorher: Policy-Lag 4, ρ̄ 2, …",
		"A and B: same settings now, not before":           "A und B: jetzt gleich eingestellt, vorher nicht",
		"before: cartpole":                                 "vorher: cartpole",
		"A and B differ in: seed 1 | 2; policy lag 0 | 64": "A und B: verschieden in: Seed 1 | 2; Policy-Lag 0 | 64",
		"A, B and C differ in: seed 1 | 2 | 3; policy lag 0 | 64 | 8; and 2 more": "A, B und C: verschieden in: " +
			"Seed 1 | 2 | 3; Policy-Lag 0 | 64 | 8; und 2 weiteren",
		"policy lag 4 → 8":            "Policy-Lag 4 → 8",
		"learning rate 0.001 → 0.002": "Lernrate 0.001 → 0.002",
		"correction V-trace → keine":  "Korrektur V-trace → keine",
	} {
		if got, known := c.Look(english); got != german || !known && english != "before: cartpole" {
			t.Errorf("%q is %q in German, known %v, not %q", english, got, known, german)
		}
	}
}
