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
		"#v=1&p=cartpole":                 "IMPALA, V-trace",
		"#v=1&p=cartpole&correction=none": "IMPALA, no correction",
		"#v=1&p=a2c":                      "A2C",
	} {
		if got := shownText(t, open(fragment), "algo"); got != want {
			t.Errorf("%s: %q, want %q", fragment, got, want)
		}
	}
}
