package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// taught is a room of a server that a test leads as its teacher.
type taught struct {
	t              *testing.T
	url, code, key string
}

func newTaught(t *testing.T, url, plan string) *taught {
	t.Helper()
	r := &taught{t: t, url: url}
	var made struct{ Code, Key string }
	r.send("POST", "", fmt.Sprintf(`{"title": "A class", "plan": %q}`, plan), &made)
	r.code, r.key = made.Code, made.Key
	return r
}

// send calls the API of the room; with path "" it calls the list of rooms, before the room exists.
func (r *taught) send(method, path, body string, into any) {
	r.t.Helper()
	at := r.url + "api/v1/rooms"
	if r.code != "" {
		at += "/" + r.code + path
	}
	request, err := http.NewRequestWithContext(r.t.Context(), method, at, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+r.key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		text, _ := io.ReadAll(answer.Body)
		r.t.Fatalf("%s %s: %s %s", method, at, answer.Status, text)
	}
	if into != nil {
		if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
			r.t.Fatal(err)
		}
	}
}

const (
	studentSays = `document.querySelector("#student").textContent`
	focusOn     = `document.querySelector(%q).focus()`
)

func says(words string) chromedp.Action[chromedp.Void] {
	return until(fmt.Sprintf(`%s.includes(%q)`, studentSays, words))
}

// focusing gives a button the focus, for the next key.
func focusing(words string) chromedp.Action[chromedp.Void] {
	return js(fmt.Sprintf(`[...document.querySelectorAll("button")].find(b => b.offsetParent && b.textContent === %q).focus()`,
		words))
}

// labDrawn is a script that reports whether the Lab in a student's page has drawn its world.
const labDrawn = `Number(document.querySelector("#student iframe")?.contentDocument?.documentElement?.dataset.frames) > 0`

func TestAStudentTakesPartByKeyboardOnAPhone(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	r := newTaught(t, url, "first-contact")
	r.send("POST", "/members", `{"nickname": "Ada"}`, nil)
	resize(t, ctx, 390, 844)
	do(t, ctx, "join by a nickname that is taken", chromedp.Navigate(url+"class/"+strings.ToLower(r.code)),
		until(`!document.querySelector("#door").hidden`),
		js(fmt.Sprintf(focusOn, "#join-room input")), chromedp.KeyEvent("ada\r"),
		until(`document.querySelector("#said").textContent.includes("Ada is in this room already: choose another")`))
	do(t, ctx, "join", js(`document.querySelector("#join-room input").select()`), chromedp.KeyEvent("<b>Ada</b>\r"),
		says("Step 1 of 13"))
	if name := text(t, ctx, `document.querySelector(".masthead strong").textContent`); name != "<b>Ada</b>" {
		t.Errorf("the nickname is shown as %q", name)
	}
	if seen := text(t, ctx, `(() => {
		const name = document.querySelector(".masthead strong"), box = name.getBoundingClientRect();
		return name.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
	})()`); seen != "true" {
		t.Error("a student does not see who they are")
	}
	r.send("PATCH", "", `{"step": 3}`, nil)
	do(t, ctx, "guess", says("Where will ours end?"), js(fmt.Sprintf(focusOn, "#student [type=radio]")),
		chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown+kb.ArrowDown+kb.Tab+"\r"), says("Your guess Below 22"))
	fits(t, ctx, 390, "a guess")
	r.send("PATCH", "", `{"revealed": true}`, nil)
	do(t, ctx, "the truth", says("Below chance"))
	fits(t, ctx, 390, "the truth")
	r.send("PATCH", "", `{"plan": "exercises", "step": 8, "follow": true}`, nil)
	do(t, ctx, "work it out", says("γ = .9"), js(fmt.Sprintf(focusOn, "#student .numbers input")),
		chromedp.KeyEvent("5.536"+kb.Tab+"5.04"+kb.Tab+"5,6"+kb.Tab+kb.Tab+"\r"),
		until(`document.querySelector("dialog").open`), chromedp.KeyEvent("\r"), says("the ratios are missing"))
	fits(t, ctx, 390, "why it is wrong")
	r.send("PATCH", "", `{"step": 10, "frozen": true}`, nil)
	do(t, ctx, "frozen", says("Cause of death I"), says("look up"))
	fits(t, ctx, 390, "a table")
	do(t, ctx, "come back", chromedp.Navigate(url+"class/"+r.code), says("Cause of death I"))
	r.send("DELETE", "", "", nil)
	do(t, ctx, "the room is gone", until(`document.querySelector("#said").textContent.includes("deleted")`))
}

func TestTheFieldsOfATaskTurnTheLabInAStudentsPage(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	r := newTaught(t, url, "exercises")
	resize(t, ctx, 390, 844)
	do(t, ctx, "join", chromedp.Navigate(url+"class/"+r.code), until(`!document.querySelector("#door").hidden`),
		js(fmt.Sprintf(focusOn, "#join-room input")), chromedp.KeyEvent("Ada\r"), says("Keep it standing"))
	do(t, ctx, "open the Lab", focusing("Open the Lab"), chromedp.KeyEvent("\r"), until(labDrawn))
	inside := func(expression string) chromedp.Action[chromedp.Void] {
		return until(`(inside => ` + expression + `)(document.querySelector("#student iframe").contentDocument)`)
	}
	inForce := `inside.querySelector("[data-key=correction] [data-part=force]").textContent`
	do(t, ctx, "as at the start", inside(`inside.documentElement.dataset.ready === "true"`), inside(inForce+` === "none"`))
	do(t, ctx, "turn it", js(fmt.Sprintf(focusOn, "#student select")), chromedp.KeyEvent("v"), inside(inForce+` === "V-trace"`))
	do(t, ctx, "type a ceiling", js(`document.querySelector("#student [name=rho]").select()`), chromedp.KeyEvent("2"),
		inside(`inside.querySelector("[data-key=rho] [data-part=number]").value === "2"`),
		inside(`inside.querySelector("[data-key=rho]").dataset.state === "idle"`))
	if in := text(t, ctx, `[...document.querySelector("#student iframe").contentDocument.querySelectorAll(".control, .lane")]
		.filter(e => e.offsetParent).map(e => e.dataset.key ?? e.dataset.lane).join()`); in != "" {
		t.Errorf("the Lab shows %s beside the fields of the task", in)
	}
	fits(t, ctx, 390, "the Lab in a student's page")
}

func TestATeacherLeadsALessonByKeyboard(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	do(t, ctx, "make a room", chromedp.Navigate(url+"class"), until(`document.readyState === "complete"`))
	fits(t, ctx, 1366, "making a room")
	do(t, ctx, "make a room", js(fmt.Sprintf(focusOn, "#make-room [name=title]")), chromedp.KeyEvent("Monday\r"),
		chromedp.WaitVisible("#teacher .main"),
		until(`document.querySelector("#teacher h1")?.textContent.startsWith("Today you")`))
	r := &taught{t: t, url: url}
	r.code = text(t, ctx, `location.pathname.split("/").pop()`)
	r.key = text(t, ctx, fmt.Sprintf(`JSON.parse(localStorage.getItem("impalab-class"))[%q].key`, r.code))
	for _, name := range []string{"Ada", "Bo", "<img src=x onerror=top.hacked=1>"[:24]} {
		r.send("POST", "/members", fmt.Sprintf(`{"nickname": %q}`, name), nil)
	}
	do(t, ctx, "tiles", until(`document.querySelectorAll("#teacher .tile").length === 3`))
	r.send("PATCH", "", `{"step": 3}`, nil)
	do(t, ctx, "show the answer", until(`document.querySelector("#teacher .guesses")`), focusing("Show the answer"),
		chromedp.KeyEvent("\r"), until(`document.querySelector("#teacher .reveal")?.textContent.includes("Below chance")`))
	for _, size := range screens[:3] {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "drawn", until(fmt.Sprintf(`innerWidth === %d`, size.wide)))
		fits(t, ctx, size.wide, fmt.Sprintf("the teacher's view at %d", size.wide))
	}
	resize(t, ctx, screens[0].wide, screens[0].high)
	do(t, ctx, "projector", until(fmt.Sprintf(`innerWidth === %d`, screens[0].wide)), focusing("Projector"), chromedp.KeyEvent("\r"),
		until(`!document.querySelector("#teacher").textContent.includes("Ada")`))
	do(t, ctx, "names again", chromedp.KeyEvent("\r"),
		until(`document.querySelector("#teacher").textContent.includes("Ada")`))
	resize(t, ctx, screens[2].wide, screens[2].high)
	do(t, ctx, "a student", until(fmt.Sprintf(`innerWidth === %d`, screens[2].wide)), js(`document.querySelector("#teacher .tile").focus()`), chromedp.KeyEvent("\r"),
		until(`document.querySelector("dialog").open`))
	fits(t, ctx, screens[2].wide, "a student's dialog")
	do(t, ctx, "the plan", chromedp.KeyEvent(kb.Escape), chromedp.Click(".masthead .place"), until(menuOpen),
		focusing("Plan"), chromedp.KeyEvent("\r"),
		until(`document.querySelector("dialog").textContent.includes("Answer: Below 22")`))
	fits(t, ctx, screens[2].wide, "the plan")
}
