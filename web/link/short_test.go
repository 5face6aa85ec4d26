package link

import (
	"strings"
	"testing"

	"impalab/learner/hyper"
)

func TestAShortLinkOpensAsItsLink(t *testing.T) {
	for _, fragment := range []string{
		"v=1&p=catch",
		"v=1&p=cartpole&b=correction=none%26seed=2&lag=8&theme=dark",
		"v=1&p=catch&t=80000:lag=64,115000:correction=vtrace",
		"v=1&p=catch&at=120&lag=4",
		"v=1&p=catch&embed=1&hide=rho,c&lesson=rho-bar&lock=lag&theme=light",
		"first&seed=7&a=80128:lag=64&b=80064:lag=64&theme=dark",
	} {
		if kept, err := Storable("#" + fragment); kept != fragment || err != nil {
			t.Errorf("%s is kept as %q, %v", fragment, kept, err)
		}
	}
}

func TestAShortLinkIsRefusedWithTheReason(t *testing.T) {
	many := "v=1&p=catch&t=1:lag=1" + strings.Repeat(",10:lag=8", 2000)
	for fragment, why := range map[string]string{
		"":                                  "names no settings",
		"controls":                          "names no settings",
		"theme=dark":                        "names no settings",
		"v=2&p=catch":                       "version 2",
		"v=1&p=nowhere":                     "nowhere",
		"v=1&p=catch&lag=-3":                "lag",
		"v=1&p=catch&lagg=3":                "did you mean",
		"v=1&p=catch&t=80000:lagg=64":       "lagg",
		"v=1&p=catch&t=80000:hidden=64":     "cannot change during a run",
		"v=1&p=catch&b=correction=nonsense": "nonsense",
		"v=1&p=catch&b=t=5:lag=x":           "lag",
		"v=1&p=catch&b=lag=1&b=lag=2&b=lag=3&b=lag=4":              "four columns",
		"v=1&p=catch&buy-here.example":                             "KEY=VALUE",
		"v=1&p=catch&b=lag=3%26buy-here":                           "KEY=VALUE",
		"v=1&p=catch&=buy-here":                                    "KEY=VALUE",
		"first&buy-here&seed=5":                                    "KEY=VALUE",
		"first&theme=buy-here":                                     "light or dark",
		"v=1&p=catch&theme=buy-here":                               "light or dark",
		"v=1&p=catch&at=buy-here":                                  "number of an update",
		"v=1&p=catch&embed=buy-here":                               "0 or 1",
		"v=1&p=catch&lesson=Buy.Here":                              "name of a lesson",
		"v=1&p=catch&lock=lag,buy-here":                            "keys of settings",
		"v=1&p=catch&hide=":                                        "keys of settings",
		"v=1&p=catch&b=lag=3%26theme=dark":                         "before b=",
		"v=1&p=catch&lag=3&fork=0123@7":                            "run's id",
		"v=1&p=catch&b=fork=0123@7%26p=lag":                        "run's id",
		"v=1&p=catch&lesson=ρ":                                     "no address has",
		"v=1&p=catch&lesson=a\r\nSet-Cookie":                       "no address has",
		many:                                                       "at most 16384",
		"v=1&p=catch&t=1:lag=1" + strings.Repeat(",10:lag=8", 500): "one t= at most 4096: write some",
		"v=1&p=catch" + strings.Repeat("&lag=8", 200):              "a link has at most 128 settings",
		"v=1&p=catch&beside=" + strings.Repeat("a", 300):           "the value of beside has 300 bytes: at most 256",
		"v=1&p=catch&" + strings.Repeat("a", 70) + "=1":            "the name of a setting has at most 64 bytes",
	} {
		if kept, err := Storable(fragment); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.80q is kept as %q, %v; want a reason with %q", fragment, kept, err, why)
		}
	}
}

// The longest text that a setting takes is in a link, and one byte more is not.
func TestALinkHoldsTheLongestTextOfEverySetting(t *testing.T) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if row.Lines == 0 {
			continue
		}
		text := row.Example + "\n#" + strings.Repeat("x", row.Lines-len(row.Example)-2)
		l := Parse("v=1&p=catch&" + row.Key + "=" + escape(text))
		if cfg, _, problems := l.Config(); cfg.Get(row.Key) != text || len(problems) > 0 {
			t.Errorf("%s of %d bytes: %d, %q", row.Key, len(text), len(cfg.Get(row.Key)), problems)
		}
		l = Parse("v=1&p=catch&" + row.Key + "=" + escape(text+"x"))
		if _, _, problems := l.Config(); len(problems) != 1 || !strings.Contains(problems[0], row.Allowed()) {
			t.Errorf("%s of %d bytes: %q", row.Key, len(text)+1, problems)
		}
	}
}
