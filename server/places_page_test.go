package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The masthead has the same seven places on every page. A phone shows them in a menu.

// screenNames is a script that returns the places of the masthead that a visitor can see, on a phone after one tap.
// leadsTo returns all of them.
const (
	screenNames = `(() => {
		const menu = document.querySelector(".masthead .place"), folded = menu?.checkVisibility();
		if (folded) menu.click();
		const names = [...document.querySelectorAll(".masthead nav a")].filter(e => e.checkVisibility() &&
			e.getBoundingClientRect().right <= innerWidth).map(e => e.querySelector("b").textContent).join(", ");
		if (folded) menu.click();
		return names;
	})()`
	leadsTo = "Start, Lab, Worlds, Corrections, Lessons, Class, Board"
)

// menuOpen is a script that reports whether the menu is open.
const menuOpen = `document.querySelector("#places").matches(":popover-open")`

// sites are the pages of each kind, by their paths.
func sites(t *testing.T, url string) []string {
	run := finished(t, url, `{"preset":"catch","steps":2000,"speed":"inf"}`)
	room := newTaught(t, url, "first-contact").code
	return []string{"", "lab", "gallery", "corrections", "learn", "class", "board", "runs", "r/" + run, "learn/late",
		"errata", "papers", "class/" + room, "class/plan/first-contact", "microscope", "microscope/two-states"}
}

func TestEveryPageLeadsToEveryPlaceInTwoTapsOnAPhone(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 390, 844)
	places := []string{"", "lab", "gallery", "corrections", "learn", "class", "board"}
	for i, path := range sites(t, url) {
		do(t, ctx, "open "+path, chromedp.Navigate(url+path))
		lands(t, ctx, `!!document.querySelector(".masthead")`) // the microscope's page names its example in its address
		if got := text(t, ctx, screenNames); got != leadsTo {
			t.Errorf("/%s shows %q", path, got)
		}
		to := places[i%len(places)]
		link := fmt.Sprintf(`.masthead nav a:nth-child(%d)`, i%len(places)+1)
		do(t, ctx, "two taps on /"+path, chromedp.Click(".masthead .place"), until(menuOpen))
		if at, want := text(t, ctx, fmt.Sprintf(`document.querySelector(%q).pathname`, link)), "/"+to; at != want {
			t.Errorf("on /%s place %d leads to %s, not %s", path, i%len(places)+1, at, want)
		}
		if small := text(t, ctx, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().height < 44`, link)); small != "false" {
			t.Errorf("/%s: a row of the menu is less than 44 pixels high", path)
		}
		if over := text(t, ctx, `document.documentElement.scrollWidth > innerWidth`); over != "false" {
			t.Errorf("/%s scrolls sideways", path)
		}
		do(t, ctx, "choose a place on /"+path, chromedp.Click(link))
		lands(t, ctx, fmt.Sprintf(`location.pathname === %q && !%s`, "/"+to, menuOpen))
	}
}

func TestTheMenuClosesByEscAndByATapBesideIt(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 390, 844)
	do(t, ctx, "open by keyboard", chromedp.Navigate(url+"learn"), until(`document.readyState === "complete"`),
		chromedp.Focus(".masthead .place"), chromedp.KeyEvent("\r"), until(menuOpen))
	do(t, ctx, "Esc", chromedp.KeyEvent(kb.Escape), until("!"+menuOpen),
		until(`document.activeElement.matches(".place")`)) // no trap: the focus returns
	do(t, ctx, "a tap beside it", chromedp.Click(".masthead .place"), until(menuOpen),
		chromedp.MouseClickXY(195, 800), until("!"+menuOpen))
	do(t, ctx, "the same tap closes it", chromedp.Click(".masthead .place"), until(menuOpen),
		chromedp.Click(".masthead .place"), until("!"+menuOpen))
	do(t, ctx, "Back shows no open menu", chromedp.Click(".masthead .place"), until(menuOpen),
		chromedp.Click(`.masthead nav a:nth-child(7)`))
	lands(t, ctx, `location.pathname === "/board"`)
	do(t, ctx, "Back", js(`setTimeout(() => history.back())`))
	lands(t, ctx, `location.pathname === "/learn" && !`+menuOpen)
}

// Without JavaScript the browser itself opens and closes the menu, and no chart shows a cursor: there is no moment.
func TestWithoutScriptsTheMenuOpensAndNoChartHasACursor(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 390, 844)
	withoutScripts(t, ctx)
	do(t, ctx, "open", chromedp.Navigate(url+"gallery"), chromedp.Click(".masthead .place"), until(menuOpen),
		chromedp.Click(`.masthead nav a:nth-child(5)`))
	lands(t, ctx, `location.pathname === "/learn"`)
	if shown := text(t, ctx, `[...document.querySelectorAll("[data-does]")].some(e => e.checkVisibility())`); shown != "false" {
		t.Error("a page without scripts shows a button that needs one")
	}
	do(t, ctx, "the Lab", chromedp.Navigate(url+"lab"))
	if n := text(t, ctx, `[...document.querySelectorAll(".plot, .rulers > summary")].filter(
		e => getComputedStyle(e, "::after").display !== "none").length`); n != "0" {
		t.Errorf("%s charts show a cursor", n)
	}
}

func TestTheThemeIsNamedAndKept(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	const named = `[...document.querySelectorAll(".tools .theme")].filter(e => e.checkVisibility()).map(e => e.textContent).join()`
	do(t, ctx, "open", chromedp.Navigate(url+"learn"), until(`document.readyState === "complete"`))
	for _, theme := range []string{"light", "dark"} {
		do(t, ctx, theme, chromedp.Click(`[data-does="theme"]`), until(named+` === "`+theme+`"`))
	}
	do(t, ctx, "another page", chromedp.Navigate(url+"board"), until(named+` === "dark"`))
	open(t, ctx, url+"lab")
	do(t, ctx, "the Lab's button", until(named+` === "dark"`), chromedp.Click(`[data-verb="theme"]`), until(named+` === "auto"`))
}

// On paper a lesson shows its answers and a run its charts, dark on light and without what only a screen can do.
func TestALessonAndARunPrint(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 794, 1123)
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	run := finished(t, url, `{"preset":"catch","steps":2000,"speed":"inf"}`)
	for path, shown := range map[string]string{
		"learn/late": `.reveal figure, .reveal .plotted, .lead, section[data-path="whole"] h2`,
		"r/" + run:   `h1, .facts, #chart-return, svg[data-chart="return"] path.line`,
	} {
		do(t, ctx, path, chromedp.Navigate(url+path), js(`localStorage.setItem("theme", "dark")`), chromedp.Reload())
		lands(t, ctx, `document.documentElement.dataset.theme === "dark"`)
		if hidden := text(t, ctx, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter(
			e => !e.closest("svg")?.matches(":not(.roomy)") && !e.checkVisibility({ contentVisibilityAuto: true })
		).map(e => e.outerHTML.slice(0, 60)).join()`, shown)); hidden != "" {
			t.Errorf("/%s does not print %s", path, hidden)
		}
		if left := text(t, ctx, `[...document.querySelectorAll("button, input, iframe, nav a, .take")].filter(
			e => e.checkVisibility()).length`); left != "0" {
			t.Errorf("/%s prints %s things that only a screen can use", path, left)
		}
		if ground := text(t, ctx, `getComputedStyle(document.documentElement).backgroundColor`); ground != "rgba(0, 0, 0, 0)" {
			t.Errorf("/%s prints on %s", path, ground)
		}
	}
}
