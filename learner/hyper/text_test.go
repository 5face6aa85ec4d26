package hyper

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A text of settings keeps the spaces, lines and quotes of every value.
func TestATextOfSettingsKeepsEveryValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Setting
		for range rapid.IntRange(0, 4).Draw(t, "settings") {
			all = append(all, Setting{rapid.SampledFrom(Keys()).Draw(t, "key"),
				rapid.StringMatching(`(def |\n|\t|[ "\\=%é,a-z0-9#])+`).Draw(t, "value")})
		}
		again, err := ParseText(Text(all))
		if err != nil || !slices.Equal(again, all) {
			t.Fatalf("%q is %q, and that is %q (%v)", all, Text(all), again, err)
		}
	})
}

func TestATextOfSettingsIsReadAsPeopleWriteIt(t *testing.T) {
	const program = "def weight(ratio, adv, pi, mu, age):\n    return 1"
	for text, want := range map[string][]Setting{
		"":                                  nil,
		" lag=8\trho=2\n":                   {{"lag", "8"}, {"rho", "2"}},
		"correction=own program=" + program: {{"correction", "own"}, {"program", program}},
		`program="return\n\"1\"" lag=8`:     {{"program", "return\n\"1\""}, {"lag", "8"}},
		"rho=2 program=@FILE with spaces ":  {{"rho", "2"}, {"program", "@FILE with spaces"}},
		`unknown="two words" tune=a="b"`:    {{"unknown", "two words"}, {"tune", `a="b"`}},
	} {
		if got, err := ParseText(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"rho":              "must be KEY=VALUE",
		"rho=":             "must be KEY=VALUE",
		"=2":               "must be KEY=VALUE",
		`program=""`:       "must be KEY=VALUE",
		"program= return":  "must be KEY=VALUE",
		`program="return`:  "must end with a double quote",
		"program=\"a\nb\"": "must end with a double quote",
	} {
		if got, err := ParseText(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}
