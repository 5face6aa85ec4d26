package command

import (
	"errors"
	"testing"
)

func TestTheAddressOfAServerIsAnAddressOfPages(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "https://example.org": "https://example.org/", "http://127.0.0.1:8080/lab/": "http://127.0.0.1:8080/lab/",
	} {
		if got, err := serverAddress(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"example.org", "javascript:alert(1)", "https://", "https://example.org/?a=b",
		"https://example.org/#a", "https://who:secret@example.org/", "ftp://example.org", "http://a b/"} {
		if got, err := serverAddress(text); !errors.As(err, new(UsageError)) {
			t.Errorf("%q is taken as %q, %v", text, got, err)
		}
	}
}
