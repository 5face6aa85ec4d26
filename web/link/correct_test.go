package link

import "testing"

func TestAMisspelledLinkOffersTheCorrectedOne(t *testing.T) {
	for fragment, want := range map[string]Correction{
		"#v=1&p=lag-clif":                  {"p=lag-cliff", "#v=1&p=lag-cliff"},
		"#v=1&p=lag-clif&lag=8&seed=3":     {"p=lag-cliff", "#v=1&p=lag-cliff&lag=8&seed=3"},
		"#v=1&p=catch&lagg=8":              {"lag=8", "#v=1&p=catch&lag=8"},
		"#v=1&p=catch&correction=vtrac":    {"correction=vtrace", "#v=1&p=catch&correction=vtrace"},
		"#v=1&world=cartpol":               {"world=cartpole", "#v=1&world=cartpole"},
		"#v=1&p=catch&b=lagg=8&b=lag=2":    {"lag=8", "#v=1&p=catch&b=lag=8&b=lag=2"},
		"#v=1&p=catch&lag=8&theme=dark":    {},
		"#v=1&p=catch&wings=2":             {}, // nothing is near
		"#v=1&p=catch&lag=99999":           {}, // no word is wrong
		"#v=1&p=catch&t=100:lag=2&upto=20": {},
		"#v=1&p=lag-clif&fork=abc@3":       {},
	} {
		if got := Correct(fragment); got != want {
			t.Errorf("%s: %+v, want %+v", fragment, got, want)
		}
	}
}
