package site

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"impalab/server/site/api"
)

func TestAShortLinkLeadsToTheLongOne(t *testing.T) {
	p := newProgram(t)
	root := strings.TrimSuffix(p.url, "api/v1")
	for link, page := range map[string]string{
		"v=1&p=catch&lag=8&t=80000:lag=64,115000:correction=vtrace": "/lab",
		"v=1&p=cartpole&b=correction=none%26seed=2":                 "/lab",
		"first&seed=7&a=80128:lag=64":                               "/",
	} {
		want := page + "#" + link
		var short, again api.Shortened
		p.call("POST", "/links", 201, `{"link": "`+link+`"}`, &short)
		p.call("POST", "/links", 201, `{"link": "#`+link+`"}`, &again)
		if again != short || short.Path != "/l/"+short.Code {
			t.Errorf("%s: %v, then %v", link, short, again)
		}
		for _, code := range []string{short.Code, strings.ToUpper(short.Code)} {
			answer, _ := ask(t, "GET", root+"l/"+code)
			if to := answer.Header.Get("Location"); answer.StatusCode != http.StatusFound || to != want {
				t.Errorf("%s: %d to %q, want %q", code, answer.StatusCode, to, want)
			}
		}
	}
}

func TestAnUnknownShortLinkSaysSo(t *testing.T) {
	at := opened(t)
	if answer, body := ask(t, "GET", at+"l/aaaaaaaa"); answer.StatusCode != 404 ||
		!strings.Contains(body, "there is no such short link here") {
		t.Errorf("a program hears %d %q", answer.StatusCode, body)
	}
	if answer, body := ask(t, "GET", at+"l/aaaaaaaa", "Accept", "text/html"); answer.StatusCode != 404 ||
		!strings.Contains(body, "This short link leads nowhere") {
		t.Errorf("a person reads %d %q", answer.StatusCode, body)
	}
}

func TestALinkThatDoesNotOpenIsNotStored(t *testing.T) {
	p := newProgram(t)
	for link, why := range map[string]string{
		`v=1&p=catch&lagg=8`:                  "did you mean",
		`v=1&p=catch&t=5:hidden=32`:           "cannot change",
		`fork=0123456789abcdef@7`:             "names no settings",
		`v=1&p=catch&fork=0123456789abcdef@7`: "run's id",
		`first&name=somebody`:                 "name",
		`first&a=5:lagg=3`:                    "lagg",
		`https://elsewhere.example/`:          "names no settings",
	} {
		if code, sentence := p.refused("POST", "/links", 422, `{"link": "`+link+`"}`); code != "refused" ||
			!strings.Contains(sentence, why) {
			t.Errorf("%s: %s %q, want %q", link, code, sentence, why)
		}
	}
}

func TestALoopThatAsksForLinksIsSlowedDownByItself(t *testing.T) {
	p := newProgram(t)
	for n := 0; ; n++ {
		text, answer := p.send("POST", "/links", `{"link": "v=1&p=?"}`)
		if answer.StatusCode == 429 {
			if n < 20 || answer.Header.Get("Retry-After") == "" || !strings.Contains(text, "short links") {
				t.Errorf("after %d: %v %s", n, answer.Header, text)
			}
			break
		}
		if n > 20*20 {
			t.Fatal("nothing slows it down")
		}
	}
	if text, answer := p.send("POST", "/runs", `{"preset": "?"}`); answer.StatusCode != 422 {
		t.Errorf("runs are held back with it: %d %s", answer.StatusCode, text)
	}
}

// TestAPageOfARunMakesAShortLink follows it: to the experiment, which does not name the run.
func TestAPageOfARunMakesAShortLink(t *testing.T) {
	p := newProgram(t)
	root := strings.TrimSuffix(p.url, "api/v1")
	id := p.start(`{"preset": "catch", "seed": 7, "steps": 9000, "settings": {"lag": 2}, "turns": "3000:rho=4"}`)
	p.ended(id)
	answer, _ := ask(t, "POST", root+"r/"+id+"/link")
	shown := answer.Header.Get("Location")
	if answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(shown, "/r/"+id+"?link=") {
		t.Fatalf("%d to %q", answer.StatusCode, shown)
	}
	_, body := ask(t, "GET", root+shown[1:])
	short := regexp.MustCompile(`href="(` + regexp.QuoteMeta(root) + `l/[a-z2-7]+)"`).FindStringSubmatch(body)
	if short == nil {
		t.Fatalf("the page shows no short link: %s", body)
	}
	answer, _ = ask(t, "GET", short[1])
	turn := regexp.MustCompile(`^/lab#v=1&p=catch&lag=2&seed=7&steps=9000&t=3\d\d\d:rho=4$`)
	if to := answer.Header.Get("Location"); !turn.MatchString(to) {
		t.Errorf("it leads to %q", to)
	}
	if _, body := ask(t, "GET", root+"r/"+id+"?link=aaaaaaaa"); strings.Contains(body, "l/aaaaaaaa") {
		t.Error("the page shows a link that is not its own")
	}
	if answer, _ := ask(t, "POST", root+"r/"+id+"/link", "Origin", "https://elsewhere.example"); answer.StatusCode != 403 {
		t.Errorf("a page from elsewhere makes links: %d", answer.StatusCode)
	}
}
