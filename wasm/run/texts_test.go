package run

import "testing"

func shownText(t *testing.T, m *Run, name string) string {
	t.Helper()
	for _, text := range Texts {
		if text.Name == name {
			return text.Read(m)
		}
	}
	t.Fatalf("no text is called %q", name)
	return ""
}

func TestTheHeaderNamesACorrectionOnlyWhereOneIsUsed(t *testing.T) {
	for fragment, want := range map[string]string{
		"#v=1&p=cartpole":                 "impala, vtrace",
		"#v=1&p=cartpole&correction=none": "impala, no correction",
		"#v=1&p=a2c":                      "a2c",
	} {
		if got := shownText(t, open(fragment), "algo"); got != want {
			t.Errorf("%s: %q, want %q", fragment, got, want)
		}
	}
}
