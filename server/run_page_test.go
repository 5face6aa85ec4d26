package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"impalab/internal/kit"
)

// finished starts a run at a server and returns its id when it is done.
func finished(t *testing.T, at, wanted string) (id string) {
	t.Helper()
	answer, err := http.Post(at+"api/v1/runs", "application/json", strings.NewReader(wanted))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var run struct{ ID string }
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusCreated || json.Unmarshal(text, &run) != nil {
		t.Fatalf("%s, %v %s", answer.Status, err, text)
	}
	events, err := http.Get(at + "api/v1/runs/" + run.ID + "/events") // ends with the run
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	if _, err := io.Copy(io.Discard, events.Body); err != nil {
		t.Fatal(err)
	}
	return run.ID
}

// fetch returns the target of a link.
func fetch(t *testing.T, at string) []byte {
	t.Helper()
	answer, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v %s", at, answer.Status, err, body)
	}
	return body
}

func TestARunGivesItsFilesByKeyboard(t *testing.T) {
	t.Parallel()
	at, ctx := serve(t), browser(t)
	id := finished(t, at, `{"preset":"catch","steps":4000,"speed":"inf"}`)
	kit.Until(t, "the last policy is stored", func() bool {
		return bytes.Contains(fetch(t, at+"r/"+id), []byte("policy.onnx"))
	})
	do(t, ctx, "the run's page", chromedp.Navigate(at+"r/"+id), until(`document.readyState === "complete"`))
	reached := map[string]string{} // the end of a link's path → the link
	for range 80 {
		do(t, ctx, "Tab", chromedp.KeyEvent(kb.Tab))
		link, err := url.Parse(text(t, ctx, `document.activeElement.href ?? ""`))
		if err != nil {
			t.Fatal(err)
		}
		reached[link.Path[strings.LastIndex(link.Path, "/")+1:]] = link.String()
	}
	for name, begins := range map[string]string{"return.svg": "<svg", "return.png": "\x89PNG",
		"curves.csv": "", "tape": "{",
		"frozen.html": "<!doctype html>", "policy.onnx": "\x08\x08\x12\aimpalab"} {
		if reached[name] == "" {
			t.Errorf("Tab does not reach %s", name)
			continue
		}
		if body := fetch(t, reached[name]); len(body) == 0 || !bytes.HasPrefix(body, []byte(begins)) {
			t.Errorf("%s begins with %.40q", name, body)
		}
	}
}

// The end of an episode stands beside the chart; an agent that cannot balance lies on the floor there. A run without a
// snapshot has no place for it.
func TestTheEndOfAnEpisodeStandsBesideTheChart(t *testing.T) {
	t.Parallel()
	at, ctx := serve(t), browser(t)
	id := finished(t, at, `{"preset":"cartpole","steps":200,"speed":"inf"}`)
	kit.Until(t, "the last policy is stored", func() bool {
		return bytes.Contains(fetch(t, at+"r/"+id), []byte("policy.onnx"))
	})
	resize(t, ctx, 1366, 650)
	do(t, ctx, "the run's page", chromedp.Navigate(at+"r/"+id),
		until(`document.querySelector(".ended .stick[data-down] .rod.lies")`))
	said := text(t, ctx, `document.querySelector(".ended figcaption").textContent`)
	if !strings.HasSuffix(said, " steps, then it fell.") {
		t.Errorf("beside the lying pole it says %q", said)
	}
	if got := text(t, ctx, `(() => {
		const a = document.querySelector(".ended figure").getBoundingClientRect();
		const b = document.querySelector(".ended .drawn").getBoundingClientRect();
		return a.right <= b.left && a.width === 236 && innerWidth >= b.right;
	})()`); got != "true" {
		t.Error("the picture does not stand left of the chart")
	}
	live := finished(t, at, `{"preset":"catch","settings":{"mode":"live"},"steps":2000,"speed":"inf"}`)
	do(t, ctx, "a run without frames", chromedp.Navigate(at+"r/"+live), until(`document.readyState === "complete"`))
	if got := text(t, ctx, `String(document.querySelector(".ended figure"))`); got != "null" {
		t.Errorf("a run without a snapshot has the place %s", got)
	}
}

func TestARunsPagesSatisfyAxeAndItsOneFileOpensFromADisk(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	at, ctx := serve(t), browser(t)
	id := finished(t, at, `{"preset":"catch","steps":4000,"speed":"inf"}`)
	file := filepath.Join(t.TempDir(), "run.html")
	if err := os.WriteFile(file, fetch(t, at+"r/"+id+"/frozen.html"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{at + "r/" + id, at + "embed/" + id, at + "embed/" + id + "?theme=dark",
		"file://" + file} {
		do(t, ctx, page, chromedp.Navigate(page), until(`document.readyState === "complete"`))
		for _, size := range looked() {
			resize(t, ctx, size.wide, size.high)
			do(t, ctx, page, until(fmt.Sprintf(`innerWidth === %d`, size.wide)))
			fits(t, ctx, size.wide, fmt.Sprintf("%s at %dx%d", page, size.wide, size.high))
			if got := text(t, ctx, screenNames); page == at+"r/"+id && got != leadsTo {
				t.Errorf("%s at %dx%d leads to %q, not %q", page, size.wide, size.high, got, leadsTo)
			}
			if drawn := text(t, ctx, `document.querySelectorAll("svg path.line").length > 0`); drawn != "true" {
				t.Errorf("%s draws no line", page)
			}
		}
	}
}

// listed opens the page of a browser's runs with a key, and with the names that this browser stores.
func listed(t *testing.T, ctx context.Context, at, key, names string) {
	t.Helper()
	do(t, ctx, "the runs of a key", chromedp.Navigate(at+"runs"), js(fmt.Sprintf(`localStorage.setItem("impalab-key", %q);
		localStorage.setItem("impalab-names", %q)`, key, names)), chromedp.Reload())
	lands(t, ctx, `document.querySelectorAll("[data-part=rows] li").length > 0`)
}

// owned starts a run with a key and returns its id.
func owned(t *testing.T, at, key, wanted string) string {
	t.Helper()
	ask, err := http.NewRequest(http.MethodPost, at+"api/v1/runs", strings.NewReader(wanted))
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var run struct{ ID string }
	text, err := io.ReadAll(answer.Body)
	if err != nil || json.Unmarshal(text, &run) != nil || run.ID == "" {
		t.Fatalf("%s, %v %s", answer.Status, err, text)
	}
	return run.ID
}

const aKey = "K34KBA2IRT44GQYRXMGVT4RGW4"

func TestYourRunsAreNamedStarredFoundAndDrawnTogether(t *testing.T) {
	t.Parallel()
	at, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	catch := owned(t, at, aKey, `{"preset":"catch","steps":4000}`)
	first := owned(t, at, aKey, `{"preset":"cartpole","steps":8000,"seed":5}`)
	owned(t, at, aKey, `{"preset":"cartpole","steps":8000,"seed":5,"settings":{"lag":8}}`)
	for _, seed := range []string{"11", "12", "13"} {
		owned(t, at, aKey, `{"preset":"cartpole","steps":4000,"settings":{"rho":2},"seed":`+seed+`}`)
	}
	long := strings.Repeat("a name of many letters ", 9)[:200]
	listed(t, ctx, at, aKey, `{"`+catch+`":{"name":"`+long+`"}}`)
	const found = `document.querySelectorAll("[data-part=rows] li").length`
	do(t, ctx, "three seeds are one row", until(found+` === 4`),
		until(`document.querySelector("[data-part=rows]").textContent.includes("3 seeds")`))
	if over := text(t, ctx, `document.documentElement.scrollWidth - innerWidth`); over != "0" {
		t.Errorf("a name of 200 letters makes the page %s pixels too wide", over)
	}
	row := `[data-run="` + first + `"] `
	do(t, ctx, "rename in place", chromedp.Click(row+".link"), until(`document.activeElement.matches("input[maxlength]")`),
		chromedp.KeyEvent("<b>Thursday</b>\r"), until(`document.querySelector('`+row+`.who').textContent === "<b>Thursday</b>"`),
		chromedp.Click(row+".star"), until(`document.querySelector('`+row+`.star').textContent === "★"`))
	find := func(words, n string) {
		t.Helper()
		do(t, ctx, "find "+words, js(fmt.Sprintf(`{ const f = document.querySelector("[data-part=find]"); f.value = %q;
			f.dispatchEvent(new Event("input")); }`, words)), until(found+` === `+n))
	}
	find("thurs", "1")
	find("lag=8", "1")
	find("nothing like this", "0")
	find("", "4")
	do(t, ctx, "starred", chromedp.Click("[data-part=starred]"), until(found+` === 1`), chromedp.Click("[data-part=starred]"))
	do(t, ctx, "one preset", js(`{ const s = document.querySelector("[data-part=presets]"); s.value = "catch";
		s.dispatchEvent(new Event("change")); }`), until(found+` === 1`), js(`{ const s = document.querySelector("[data-part=presets]");
		s.value = ""; s.dispatchEvent(new Event("change")); }`), until(found+` === 4`))
	do(t, ctx, "small curves", until(`document.querySelectorAll(".spark path").length >= 3`))
	do(t, ctx, "A", chromedp.Click(row+".tick input"), until(`document.querySelector("[data-part=chart] path.line") !== null`))
	do(t, ctx, "B", js(`document.querySelectorAll("[data-part=rows] li:not([data-chosen]) .tick input")[1].click()`),
		until(`document.querySelectorAll("[data-chosen]").length === 2`),
		until(`document.querySelectorAll("[data-part=chart] svg.broad text.sign").length === 2`))
	do(t, ctx, "another world is refused", js(`document.querySelector('[data-run="`+catch+`"] .tick input').click()`),
		until(`document.querySelector("[data-part=said]").textContent.includes("do not compare")`),
		until(`document.querySelectorAll("[data-chosen]").length === 2`))
	do(t, ctx, "the file", js(`URL.createObjectURL = (blob) => { blob.text().then((text) => { top.csv = text }); return "#" }`),
		chromedp.Click("[data-part=csv]"), until(`(top.csv ?? "").trim().split("\r\n").length === 7`),
		until(`top.csv.startsWith("id,name,star,note,preset,seed,steps,") && top.csv.includes("<b>Thursday</b>,1")`))
	do(t, ctx, "delete the third, and think better of it", js(`top.third = document.querySelector("[data-part=rows] li:not([data-chosen])").dataset.run;
		document.querySelector('[data-run="' + top.third + '"] [data-does-delete]').click()`),
		until(`document.activeElement.textContent === "Keep" && document.querySelector(".sure").textContent.includes("Nothing brings")`),
		chromedp.KeyEvent("\r"), until(`document.activeElement.hasAttribute("data-does-delete") && `+found+` === 4`))
	do(t, ctx, "delete it", js(`document.querySelector('[data-run="' + top.third + '"] [data-does-delete]').click();
		document.querySelector("[data-does-really]").click()`), until(found+` === 3`),
		until(`document.querySelector('[data-run="' + top.third + '"]') === null`))
	do(t, ctx, "the server has deleted it", js(`fetch("/api/v1/runs?limit=200", { headers: {
		Authorization: "Bearer " + localStorage.getItem("impalab-key") } }).then((a) => a.json()).then((a) => {
		top.left = a.runs.map((run) => run.id) })`), until(`top.left?.length > 0 && !top.left.includes(top.third)`))
	do(t, ctx, "open both in the Lab", chromedp.Click("[data-part=open]"))
	lands(t, ctx, `location.pathname === "/lab" && localStorage.getItem("impalab-run").startsWith("`+first+`,") &&
		document.body.dataset.link === "open" && document.querySelectorAll('[data-verb^="column-"]').length >= 2`)
}

// A thousand rows would take minutes to train, so the list of runs comes from the test and all else from the server.
func TestAThousandRunsAreListed(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	at, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	owned(t, at, aKey, `{"preset":"cartpole","steps":1000}`)
	listed(t, ctx, at, aKey, `{}`)
	do(t, ctx, "a thousand", js(`{
		const real = fetch;
		window.fetch = async (url, ...rest) => {
			if (!String(url).includes("api/v1/runs?")) return real(url, ...rest);
			const from = Number(new URL(url, location).searchParams.get("cursor") ?? 0);
			const one = (await (await real(location.origin + "/api/v1/runs?limit=1", ...rest)).json()).runs[0];
			const runs = Array.from({ length: 200 }, (_, i) => ({ ...one, id: String(from + i).padStart(32, "0"),
				created: new Date(2026, 0, 1, 0, 10 * (from + i)).toISOString() }));
			return Response.json({ runs, next: from + 200 < 1000 ? String(from + 200) : null });
		};
		document.querySelector("[data-part=rows]").replaceChildren();
		const again = document.createElement("script");
		again.src = document.querySelector('script[src*="/runs."]').src + "?again";
		document.head.append(again);
	}`), until(`document.querySelectorAll("[data-part=rows] li").length === 100`),
		js(`document.querySelector("[data-part=more] button").click()`),
		until(`document.querySelectorAll("[data-part=rows] li").length >= 200`))
	if tall := text(t, ctx, `[...document.querySelectorAll("[data-part=rows] li")].every(e => e.offsetHeight < 60)`); tall != "true" {
		t.Error("a row is higher than its line")
	}
}

func TestTheNameOfARunIsEditedInPlace(t *testing.T) {
	t.Parallel()
	at, ctx := serve(t), browser(t)
	id := finished(t, at, `{"preset":"catch","steps":4000,"speed":"inf"}`)
	do(t, ctx, "the run's page", chromedp.Navigate(at+"r/"+id))
	lands(t, ctx, `document.querySelector("h1").textContent === "Catch"`)
	do(t, ctx, "name it", chromedp.Click("[data-part=rename]"), until(`document.activeElement.name === "name"`),
		chromedp.KeyEvent(strings.Repeat("w", 210)+"\t<i>mine</i>\r"),
		until(`document.querySelector("h1").textContent === "w".repeat(200)`),
		until(`document.querySelector("[data-part=note]").textContent === "“<i>mine</i>”"`),
		chromedp.Click("[data-part=star]"), until(`document.querySelector("[data-part=star]").getAttribute("aria-pressed") === "true"`))
	for _, size := range looked() {
		resize(t, ctx, size.wide, size.high)
		if over := text(t, ctx, `document.documentElement.scrollWidth - innerWidth`); over != "0" {
			t.Errorf("at %d a name of 200 letters makes the page %s pixels too wide", size.wide, over)
		}
	}
	do(t, ctx, "it stays", chromedp.Reload())
	lands(t, ctx, `document.querySelector("h1").textContent.length === 200`)
}
