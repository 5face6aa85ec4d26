package cluster

import (
	"os"
	"regexp"
	"testing"

	"go.yaml.in/yaml/v3"

	"impalab/internal/natstest"
)

// The NATS server of the file that hosts copy asks for the token, and lets the largest message through: Connect refuses
// a server with a smaller limit.
func TestTheNATSServerOfTheComposeFileLetsUsConnectWithItsToken(t *testing.T) {
	text, err := os.ReadFile("../host/compose.fronts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Configs map[string]struct{ Content string }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	config := regexp.MustCompile(`\$\{PASSWORD[^}]*\}`).ReplaceAllString(file.Configs["nats"].Content, theToken)
	connect(t, natstest.Start(t, "", config))
	for _, config := range []string{"", "authorization { token: \"" + theToken + "\" }"} {
		s := natstest.Start(t, "", config)
		if nc, err := Connect(Options{URL: s.URL, Token: theToken, Log: logTo(t)}); err == nil {
			nc.Close()
			t.Errorf("a server with the configuration %q is accepted", config)
		}
	}
	s := natstest.Start(t, "", natstest.Config(theToken))
	if nc, err := Connect(Options{URL: s.URL, Token: "wrong", Log: logTo(t)}); err == nil {
		nc.Close()
		t.Error("a wrong token is accepted")
	}
}
