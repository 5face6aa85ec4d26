package site

import (
	"strings"
	"testing"
)

func TestWhoReadsGermanRatherThanEnglishIsFoundOut(t *testing.T) {
	for accept, want := range map[string]bool{
		"de": true, "de-CH,de;q=0.9,en;q=0.8": true, "fr,de;q=0.5": true, "": false, "en-US,en;q=0.9,de;q=0.8": false,
		"en,de": false, "de;q=0": false, "de;q=x, en;q=0.1": false, "*": false, "den": false,
	} {
		if prefersGerman(accept) != want {
			t.Errorf("%q: German %v, want %v", accept, !want, want)
		}
	}
}

func TestTheFirstPageIsInTheLanguageOfWhoComes(t *testing.T) {
	at := opened(t)
	for _, c := range []struct{ path, accept, from, leads string }{
		{"", "en", "none", ""}, {"", "de", "none", "/de/"}, {"", "de", "same-origin", ""}, {"?lang=en", "de", "none", ""},
		{"?lang=de", "en", "same-origin", "/de/"}, {"de", "en", "none", "/de/"},
	} {
		answer, body := ask(t, "GET", at+c.path, "Accept-Language", c.accept, "Sec-Fetch-Site", c.from)
		if c.leads == "" && !strings.Contains(body, "Open the Lab") || answer.Header.Get("Location") != c.leads {
			t.Errorf("%+v: %d, leads to %q", c, answer.StatusCode, answer.Header.Get("Location"))
		}
		if len(answer.Cookies()) > 0 {
			t.Errorf("%+v: a cookie", c)
		}
	}
}
