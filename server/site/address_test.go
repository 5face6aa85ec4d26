package site

import (
	"net/http"
	"strings"
	"testing"
)

// An address that a person types leads to the page of its name: by the words of the menu, of a lesson or of a preset,
// in capitals and with a slash at its end.
func TestAnAddressTypedByHandLeadsToItsPage(t *testing.T) {
	at := opened(t)
	for typed, want := range map[string]string{
		"worlds": "/gallery", "Worlds": "/gallery", "lessons": "/learn", "destination": "/lab#v=1&p=destination",
		"sweep": "/lab", "lab/": "/lab", "learn/": "/learn", "LAB": "/lab", "start": "/", "index.html": "/",
		"lab.html": "/lab",
		"errata":   "/learn/errata", "lessons/late": "/learn/late", "late": "/learn/late", "learn/late/": "/learn/late",
		"lab/?preset=catch": "/lab?preset=catch", "lag-cliff": "/lab#v=1&p=lag-cliff", "board/": "/board",
		"class/BCDFGH/": "/class/BCDFGH",
	} {
		answer, _ := ask(t, "GET", at+typed, "Accept", "text/html")
		if to := answer.Header.Get("Location"); answer.StatusCode/100 != 3 || to != want {
			t.Errorf("%s: %d to %q, want %q", typed, answer.StatusCode, to, want)
		}
	}
	for _, typed := range []string{"/elsewhere.example/", `\elsewhere.example/`, "%5Celsewhere.example/"} {
		answer, _ := ask(t, "GET", at+typed, "Accept", "text/html")
		if to := answer.Header.Get("Location"); strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) {
			t.Errorf("%s leads to another server: %q", typed, to)
		}
	}
}

// The page of an unknown address has the masthead, and names the page that was probably meant.
func TestAnUnknownAddressSaysWhatWasProbablyMeant(t *testing.T) {
	at := opened(t)
	for typed, want := range map[string]string{
		"wolrds": `Did you mean <a href="/gallery">Worlds</a>?`, "lesons/late": "", "boards": `<a href="/board">Board</a>?`,
		"lag-clif": `Lag cliff in the Lab</a>?`,
	} {
		answer, body := ask(t, "GET", at+typed, "Accept", "text/html")
		if to := answer.Header.Get("Location"); want == "" && to != "/learn/late" {
			t.Errorf("%s leads to %q", typed, to)
		}
		if want != "" && (answer.StatusCode != http.StatusNotFound || !strings.Contains(body, want) ||
			!strings.Contains(body, `class="masthead"`)) {
			t.Errorf("%s: %d %s", typed, answer.StatusCode, body)
		}
	}
	if _, body := ask(t, "GET", at+"r/0123456789abcdef", "Accept", "text/html"); !strings.Contains(body, `class="masthead"`) {
		t.Error("the page of an unknown run has no masthead")
	}
	if _, body := ask(t, "GET", at+"qwertyuiop", "Accept", "text/html"); strings.Contains(body, "Did you mean") {
		t.Error("it guesses where no name is near")
	}
	if answer, body := ask(t, "POST", at+"worlds"); answer.StatusCode != http.StatusNotFound {
		t.Errorf("POST: %d %s", answer.StatusCode, body)
	}
}
