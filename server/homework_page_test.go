package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"impalab/web/exercise"
)

// seat is a student of a room, for a test.
type seat struct {
	*taught
	secret string
}

func (r *taught) seat(name string) seat {
	r.t.Helper()
	var joined struct{ Secret string }
	r.send("POST", "/members", fmt.Sprintf(`{"nickname": %q}`, name), &joined)
	return seat{r, joined.Secret}
}

// answers sends an answer of the student: its kind, its task, and more fields as JSON.
func (s seat) answers(kind, task, more string) {
	s.t.Helper()
	as := *s.taught
	as.key = s.secret
	as.send("POST", "/answers", fmt.Sprintf(`{"kind": %q, "task": %q, %s}`, kind, task, more), nil)
}

// overlooked opens the teacher's page of a class of thirty. Student 3 has handed in Half-way house twice.
func overlooked(t *testing.T) (r *taught, url string) {
	url = serve(t)
	r = newTaught(t, url, "exercises")
	for i := range 30 {
		s := r.seat(fmt.Sprintf("Student %02d", i))
		if i == 3 {
			s.answers("hand-in", "half-way-house", `"settings": {"rho": "4"}`)
			s.answers("hand-in", "half-way-house", `"settings": {"rho": "1.08"}`)
		}
	}
	return r, url
}

const (
	homeworkReady = `document.querySelectorAll(".homework tbody tr").length === 30`
	asideSays     = `document.querySelector(".homework .side-work").textContent`
)

func TestATeacherOverlooksTheHomeworkOfThirty(t *testing.T) {
	t.Parallel()
	r, url := overlooked(t)
	ctx := browser(t)
	resize(t, ctx, 1366, 650)
	do(t, ctx, "the table", chromedp.Navigate(url+"class/"+r.code+"#key="+r.key), until(homeworkReady))
	fits(t, ctx, 1366, "the homework of thirty")
	all := len(exercise.All())
	whole := func(when string) {
		var seen struct{ Rows, Columns int }
		read := text(t, ctx, `(() => {
		const grid = document.querySelector(".homework .grid").getBoundingClientRect(),
			head = document.querySelector(".homework thead").getBoundingClientRect();
		const inside = (e, b = e.getBoundingClientRect()) => b.top >= head.bottom - 1 && b.bottom <= grid.bottom + 1 &&
			b.left >= grid.left - 1 && b.right <= grid.right + 1;
		return JSON.stringify({
			rows: [...document.querySelectorAll(".homework tbody th")].filter(e => inside(e)).length,
			columns: [...document.querySelectorAll(".homework tbody tr:first-child button")].filter(e => inside(e)).length,
		});
	})()`)
		if err := json.Unmarshal([]byte(read), &seen); err != nil || seen.Rows < 16 || seen.Columns != all {
			t.Errorf("%s: %s are whole at 1366 × 650, want 16 rows and %d columns (%v)", when, read, all, err)
		}
	}
	whole("without dates")
	do(t, ctx, "the task", until(asideSays+`.includes("The actors are eight updates late")`))
	do(t, ctx, "what was handed in",
		js(`document.querySelectorAll(".homework tbody tr")[3].querySelectorAll("button")[2].click()`),
		until(asideSays+`.includes("hand-in 2")`), until(asideSays+`.includes("1.08")`),
		until(`document.querySelector(".homework .summary").textContent.includes("1 of 30 have exercise 3 right")`))
	do(t, ctx, "its mark, and how many are right",
		until(`document.querySelector(".homework td[data-at] button").ariaLabel ===
		"Student 03, Half-way house: right, 2 hand-ins"`),
		until(`document.querySelector(".homework tr[data-in] .sum").textContent === "1"`))
	do(t, ctx, "walk by keys", js(`document.querySelector(".homework td[data-at] button").focus()`),
		chromedp.KeyEvent(kb.ArrowDown), until(`document.activeElement.ariaLabel.startsWith("Student 04, Half-way house: "+
			"nothing yet")`), chromedp.KeyEvent("p"),
		until(`document.activeElement.ariaLabel.startsWith("Student 03")`), chromedp.KeyEvent("\r"),
		until(`document.activeElement.className === "side-work"`), chromedp.KeyEvent(kb.Escape),
		until(`document.activeElement.ariaLabel.startsWith("Student 03")`))
	fault := `document.querySelector(".homework .fault").textContent`
	types := func(date string) chromedp.Action[chromedp.Void] {
		return js(fmt.Sprintf(`{
			const field = document.querySelector(".homework [name=due]");
			field.value = %q;
			field.form.requestSubmit();
		}`, date))
	}
	do(t, ctx, "a due date in the past", types("2020-02-01T18:00"),
		until(fault+`.includes("This date is past: all students would be late")`))
	next := time.Now().AddDate(0, 0, 7)
	do(t, ctx, "a due date", types(next.Format(time.DateOnly)+"T18:00"), until(`!`+fault),
		until(fmt.Sprintf(`document.querySelector(".homework .dues")?.textContent.includes("%d")`, next.Day())))
	whole("with a date")
	resize(t, ctx, 390, 844)
	do(t, ctx, "on a phone", until(`innerWidth === 390`))
	fits(t, ctx, 390, "the homework on a phone")
	do(t, ctx, "a list in place of the table", until(`!document.querySelector(".homework .grid").checkVisibility()`),
		until(`document.querySelectorAll(".homework .listed summary")[2].textContent.endsWith("1 of 30")`),
		js(`document.querySelectorAll(".homework .listed summary")[2].click()`),
		until(`document.querySelectorAll(".homework .listed details[open] li").length === 30`),
		js(`document.querySelectorAll(".homework .listed details[open] li button")[3].click()`),
		until(asideSays+`.includes("hand-in 2")`),
		until(`document.querySelector(".homework .who").getBoundingClientRect().top < innerHeight / 2`))
	fits(t, ctx, 390, "an exercise of the list")
	resize(t, ctx, 1366, 768)
	do(t, ctx, "on the projector", pressing("Projector"), until(`document.querySelector(".homework .cast")?.checkVisibility()`))
	shown := text(t, ctx, `document.querySelector("#teacher").innerText`)
	if !strings.Contains(shown, "Half-way house") || !strings.Contains(shown, "1 of 30 handed in · due") ||
		!strings.Contains(shown, r.code) || strings.Contains(shown, "Student") {
		t.Errorf("the projector shows %q, want the exercise, how many have handed it in, the code and no name", shown)
	}
	fits(t, ctx, 1366, "the homework on a projector")
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	do(t, ctx, "on paper", js(`document.body.removeAttribute("data-projector")`),
		until(`document.querySelector(".homework tbody tr:last-child .sum").getBoundingClientRect().bottom <
			document.documentElement.scrollHeight && !document.querySelector(".homework .side-work").checkVisibility()`),
		until(`document.querySelector(".homework .listed").innerText.includes("Half-way house")`),
		until(`document.querySelector(".homework .grid").scrollHeight <= document.querySelector(".homework .grid").clientHeight`))
}

// A teacher's key is needed for a class's homework: a student's secret reads no other student's answers.
func TestHomeworkIsForTheTeacherOnly(t *testing.T) {
	t.Parallel()
	r, _ := overlooked(t)
	as := r.seat("A spy")
	for _, path := range []string{"/homework", "/members/4/work/half-way-house"} {
		at := r.url + "api/v1/rooms/" + r.code + path
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+as.secret)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("a student reads %s with status %s, want 403", path, answer.Status)
		}
	}
}

func TestAWrongCodeGivesItsFieldBack(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	r := newTaught(t, url, "exercises")
	resize(t, ctx, 390, 844)
	wrong := r.code[:5] + "O"
	focused := `document.activeElement.name === "code" && document.activeElement.value`
	do(t, ctx, "a wrong code", chromedp.Navigate(url+"class/"+wrong), until(focused+fmt.Sprintf(` === %q`, wrong)),
		until(`document.querySelector("#fault").textContent.endsWith("no figures: look again at O.")`))
	fits(t, ctx, 390, "a wrong code")
	do(t, ctx, "the right one", js(`document.querySelector("#join-room [name=nickname]").value = "Zoë"`),
		chromedp.KeyEvent(r.code+"\r"), until(fmt.Sprintf(`location.pathname.endsWith(%q)`, r.code)),
		until(`!document.querySelector("#door").hidden && document.querySelector("[name=nickname]").value === "Zoë"`),
		js(fmt.Sprintf(focusOn, "#join-room [name=nickname]")), chromedp.KeyEvent("\r"), says("Keep it standing"))
}

// A student loses no hand-in unasked: trying is the dark button until a try passes, and handing in asks.
func TestHandingInAsksAndTryingIsTheButton(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	r := newTaught(t, url, "exercises")
	resize(t, ctx, 390, 844)
	dark := `document.querySelector("#student button.main").textContent`
	do(t, ctx, "join", chromedp.Navigate(url+"class/"+r.code), until(`!document.querySelector("#door").hidden`),
		js(fmt.Sprintf(focusOn, "#join-room [name=nickname]")), chromedp.KeyEvent("Ada\r"), until(dark+` === "Try it"`))
	do(t, ctx, "the start", says("Change a setting, and you can hand it in"),
		until(`document.querySelector("#student [data-part=hand-in]").disabled`))
	r.send("PATCH", "", `{"step": 2, "follow": true}`, nil)
	do(t, ctx, "a figure to find", says("Half-way house"), until(dark+` === "Check"`),
		js(`document.querySelector("#student [name=rho]").value = "1.08"`), pressing("Hand in"),
		until(`document.querySelector("dialog").open`),
		until(`document.querySelector("dialog").textContent.includes("Then 2 of 3 are left")`))
	fits(t, ctx, 390, "before a hand-in")
	do(t, ctx, "not yet", pressing("Not yet"), pressing("Check"), until(dark+` === "Hand in"`))
	do(t, ctx, "hand it in", pressing("Hand in"), pressing("Hand it in"), says("Handed in: 1 of 1"))
	fits(t, ctx, 390, "after a hand-in")
}

// The fleet folds to a line when the plan continues, so that the wall of sentences stays in sight.
func TestTheWallStaysInSightBelowTheFleet(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	r := newTaught(t, url, "first-contact")
	resize(t, ctx, 1366, 650)
	r.send("PATCH", "", `{"fleet": {"settings": {"p": "cartpole", "mode": "live", "actors": "1", "steps": "20000"}}}`, nil)
	do(t, ctx, "the fleet", chromedp.Navigate(url+"class/"+r.code+"#key="+r.key),
		until(`document.querySelector("#teacher .fleet details[open]")?.checkVisibility()`))
	r.send("PATCH", "", `{"step": 12, "fleet": {"on": false}}`, nil)
	do(t, ctx, "the wall", until(`document.querySelector("#teacher .board")?.checkVisibility()`),
		until(`!document.querySelector("#teacher .fleet details").open`),
		until(`document.querySelector("#teacher .board").getBoundingClientRect().top < 200`))
}

// The step about the ratio shows what a weight of an old step is: three poses, each paler than the one before.
func TestTheRatioIsShownAsPoses(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	r := newTaught(t, url, "first-contact")
	r.send("PATCH", "", `{"step": 8, "follow": true}`, nil)
	resize(t, ctx, 390, 844)
	do(t, ctx, "join", chromedp.Navigate(url+"class/"+r.code), until(`!document.querySelector("#door").hidden`),
		js(fmt.Sprintf(focusOn, "#join-room [name=nickname]")), chromedp.KeyEvent("Ada\r"), says("The idea of a ratio"),
		until(`[...document.querySelectorAll(".weights b")].map(b => b.textContent).join() === "× 1,× 0.5,× 0"`),
		until(`(all => all.every((v, i) => !i || v < all[i - 1]))(
			[...document.querySelectorAll(".weights .stick")].map(e => Number(getComputedStyle(e).opacity)))`))
	fits(t, ctx, 390, "the weights of three steps")
}
