package command

import (
	"strings"
	"testing"
)

func TestSubmitHandsInWaitsForTheRankAndSaysWhatIsWrong(t *testing.T) {
	r := opened(t, func(s *Serve) { s.Tracks = tracksOf(t, map[string]string{"quick.yaml": quick}) })
	for args, want := range map[string][]string{
		"nowhere":                   {"", `unknown track "nowhere"`},
		"quick --set lag=3":         {"", "lag is fixed at 1 on Quick"},
		"quick --key short":         {"", "a key has 16 to 64 characters"},
		"quick --set rho=2 --wait":  {"\nrank 1", "key to change the nickname: "},
		"quick --to ftp://x":        {"", `--to "ftp://x": must be a URL`},
		"quick --to http://[::1]:1": {"", "; start impalab serve there, or name another address with --to"},
	} {
		line := append([]string{"submit"}, strings.Fields(args)...)
		if !strings.Contains(args, "--to") {
			line = append(line, "--to", r.url)
		}
		code, out, stderr := run(t, line...)
		if well := want[0] != ""; (code == ExitOK) != well || !strings.Contains(out, want[0]) ||
			!strings.Contains(stderr, want[1]) {
			t.Errorf("%s: exit code %d, %q, %q", args, code, out, stderr)
		}
	}
	code, out, stderr := run(t, "submit", "quick", "--set", "rho=2", "--to", r.url)
	if code != ExitOK || !strings.HasPrefix(out, r.url+"board/quick/") || !strings.Contains(stderr, "submitted 2 times") {
		t.Errorf("again: exit code %d, %q, %q", code, out, stderr)
	}
}
