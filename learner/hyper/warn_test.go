package hyper

import (
	"strings"
	"testing"
)

func TestUnsoundSettingsAreWarnedOfAndRun(t *testing.T) {
	for settings, want := range map[string]string{
		"":                                       "",
		"rho=4":                                  "",
		"rho=0.5":                                "ρ̄ = 0.5 is below c̄ = 1",
		"rho=0.5 correction=one-step":            "",
		"rho=0.5 correction=none":                "",
		"alpha=1 alpha-c=0.3":                    "", // V-trace does not leak
		"alpha=1 alpha-c=0.3 correction=leaky":   "α_ρ = 1 is above α_c = 0.3",
		"alpha=0.3 alpha-c=0.3 correction=leaky": "",
		"mix=1":                                  "fresh data",
		"mix=1 correction=trust-region":          "",
		"mix=1 algo=laser":                       "", // its mask is there under any correction
		"mix=1 algo=laser trust=inf":             "fresh data",
		"correction=own":                         "write your own as program=def weight(ratio, adv, pi, mu, age): return",
		"correction=own algo=a2c":                "", // it corrects nothing
		"correction=own program=#":               "", // which its compiler refuses
		"rho=0.5 alpha=0.5 correction=trust-region": "is below c̄",
	} {
		c, err := FromPreset("cartpole")
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range strings.Fields(settings) {
			key, value, _ := strings.Cut(pair, "=")
			if err := c.Set(key, value); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Validate(); err != nil {
			t.Errorf("%s is refused: %v", settings, err)
		}
		got := strings.Join(c.Warnings(), "; ")
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q warns %q, want %q", settings, got, want)
		}
	}
}
