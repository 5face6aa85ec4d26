package link

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestEscapesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		var b strings.Builder
		b.WriteString(escape(s))
		if unescape(b.String()) != s || strings.ContainsAny(b.String(), "&=#% ") && !strings.Contains(b.String(), "%") {
			t.Fatalf("%q → %q → %q", s, b.String(), unescape(b.String()))
		}
	})
	for _, odd := range []string{"%", "%a", "%zz", "100%"} {
		if unescape(odd) != odd {
			t.Errorf("%q became %q", odd, unescape(odd))
		}
	}
}
