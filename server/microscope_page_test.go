package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"impalab/learner/correct"
)

// The microscope in a real browser.

// bare loads a page whose program runs without a world.
func bare(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	do(t, ctx, "open "+url, chromedp.Navigate("about:blank"), chromedp.Navigate(url),
		until(`document.documentElement.dataset.ready === "true"`))
}

// exactly is a script that returns all digits of a number on the page.
const exactly = `document.querySelector('%s data').value`

func number(t *testing.T, ctx context.Context, selector string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text(t, ctx, fmt.Sprintf(exactly, selector)), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// plain is an unroll from the API, with its targets computed directly by learner/correct.
type plain struct {
	Update    uint64
	Settings  map[string]string
	Bootstrap float64
	Steps     []struct {
		Reward, Final, Value, Ratio float64
		End                         string
	}
}

func (u *plain) targets(rhoBar, cBar float64) []float64 {
	n := len(u.Steps)
	gamma, _ := strconv.ParseFloat(u.Settings["gamma"], 64)
	in := &correct.Unroll[float64]{T: n, B: 1, Bootstrap: []float64{u.Bootstrap}}
	for _, s := range u.Steps {
		reward, discount := s.Reward, gamma
		switch s.End {
		case "terminated":
			discount = 0
		case "truncated":
			reward, discount = reward+gamma*s.Final, 0
		}
		in.Reward, in.Discount = append(in.Reward, reward), append(in.Discount, discount)
		in.Value, in.Ratio = append(in.Value, s.Value), append(in.Ratio, s.Ratio)
	}
	out := correct.NewTargets[float64](n, 1)
	clip := correct.Truncation[float64]{RhoBar: rhoBar, CBar: cBar, RhoBarPG: rhoBar, Lambda: 1, LeakRho: 1, LeakC: 1}
	correct.VTrace(out, in, clip, correct.AdvantageVTrace)
	return out.VS
}

func fetched(t *testing.T, url string) (u plain) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || json.Unmarshal(text, &u) != nil || len(u.Steps) == 0 {
		t.Fatalf("%s: %s, %v %s", url, answer.Status, err, text)
	}
	return u
}

// walkThrough steps through an unroll from its first step and compares v on the page with learner/correct.
func walkThrough(t *testing.T, ctx context.Context, u *plain, rhoBar, cBar float64) {
	t.Helper()
	for s, want := range u.targets(rhoBar, cBar) {
		if s > 0 {
			do(t, ctx, "the next step", chromedp.KeyEvent(kb.ArrowRight))
		}
		if got := number(t, ctx, `[data-text="sum"]`); math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
			t.Errorf("ρ̄ %v, c̄ %v: v of step %d is %v on the page, %v by learner/correct", rhoBar, cBar, s, got, want)
		}
	}
}

// The Lab's key opens the microscope at the moment of the cursor. Its numbers equal learner/correct, under the settings
// of the run and under the visitor's. A link leads to the same numbers.
func TestTheMicroscopeShowsAnUnrollOfTheLabToTheLastFigure(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=lag-cliff&seed=7")
	do(t, ctx, "it learns", until(updates+" > 60"))
	do(t, ctx, "back by keyboard", js(`document.activeElement.blur()`), chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.PageUp),
		chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowLeft),
		until(`document.querySelector('[data-text="moment"]').textContent.endsWith("held")`))
	do(t, ctx, "M", chromedp.KeyEvent("m"))
	lands(t, ctx, `location.pathname === "/microscope" && document.documentElement.dataset.ready === "true"`)
	do(t, ctx, "its address", until(`location.hash.includes("step=")`))
	link := text(t, ctx, "location.hash")
	if !strings.HasPrefix(link, "#run=") {
		t.Fatalf("it shows the example: %s", text(t, ctx, `document.querySelector("#note").textContent`))
	}
	id, rest, _ := strings.Cut(strings.TrimPrefix(link, "#run="), "&")
	update, _, _ := strings.Cut(strings.TrimPrefix(rest, "update="), "&")
	u := fetched(t, url+"api/v1/runs/"+id+"/unroll?update="+update)
	if strconv.FormatUint(u.Update, 10) != update || u.Update < 20 {
		t.Fatalf("%s leads to update %d", link, u.Update)
	}
	do(t, ctx, "the first step", chromedp.Focus(`[data-part="touch"]`), chromedp.KeyEvent(kb.Home))
	want := u.targets(1, 1)[0]
	if got := number(t, ctx, `[data-text="sum"]`); math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
		t.Errorf("under the run's settings v of step 0 is %v on the page, %v by learner/correct", got, want)
	}
	for key, value := range map[string]string{"rho": "3.7", "c": "0.4"} {
		do(t, ctx, key, chromedp.Focus(`[data-key="`+key+`"] [data-part="number"]`), js(`document.activeElement.select()`),
			chromedp.KeyEvent(value+"\r"))
	}
	do(t, ctx, "the grey line", until(`document.querySelector('[data-chart="backup"] .ghost') !== null`),
		chromedp.Focus(`[data-part="touch"]`), chromedp.KeyEvent(kb.Home))
	walkThrough(t, ctx, &u, 3.7, 0.4)
	do(t, ctx, "the link", until(`location.hash.includes("&step=`+strconv.Itoa(len(u.Steps)-1)+`&row=value&")`),
		until(`location.hash.includes("&rho=3.7") && location.hash.includes("&c=0.4")`))
	sum, link := text(t, ctx, fmt.Sprintf(exactly, `[data-text="sum"]`)), text(t, ctx, "location.href")
	bare(t, ctx, link)
	if again := text(t, ctx, fmt.Sprintf(exactly, `[data-text="sum"]`)); again != sum {
		t.Errorf("v is %s, by the link it was %s", again, sum)
	}
	do(t, ctx, "the next trajectory", chromedp.Click(`[data-act="next"]`),
		until(`document.querySelector('[data-text="title"]').textContent.includes("update `+update+`: trajectory 2 of")`))
	do(t, ctx, "back in the Lab", chromedp.Navigate(text(t, ctx, `document.querySelector('[data-part="lab"]').href`)),
		until(`document.body.dataset.state === "paused"`))
	if was := text(t, ctx, kept+"[0]"); was != id {
		t.Errorf("the Lab has the run %s, the microscope had %s", was, id)
	}
}

// A link to a missing update shows the nearest one, and says so.
func TestABadLinkToTheMicroscopeShowsTheNearest(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	note := `document.querySelector("#note").textContent`
	bare(t, ctx, url+"microscope#run=nobody&step=99")
	for _, want := range []string{"This is an unroll of a stored run.", "There is no step 99"} {
		if said := text(t, ctx, note); !strings.Contains(said, want) {
			t.Errorf("it says %q, want %q", said, want)
		}
	}
	if step := text(t, ctx, `document.querySelector('[data-text="step"]').textContent`); step != "19" {
		t.Errorf("it shows step %s", step)
	}
	bare(t, ctx, url+"microscope#row=nothing&rho=x")
	if said := text(t, ctx, note); !strings.Contains(said, "no row “nothing”") || !strings.Contains(said, "cannot be") {
		t.Errorf("it says %q", said)
	}
	bare(t, ctx, url+"microscope")
	if text(t, ctx, `document.querySelector("#note").hidden`) != "true" {
		t.Errorf("without a link it says %q", text(t, ctx, note))
	}
}

// covered is a script that returns the texts of the diagram that cover each other, and the elements that are too wide
// for the page.
const covered = `(() => {
	const out = [];
	const texts = [...document.querySelectorAll("main svg text")].map(e => [e.textContent, e.getBoundingClientRect()]);
	for (const [i, [a, p]] of texts.entries())
		for (const [b, q] of texts.slice(i + 1))
			if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 &&
				Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 7) out.push(a + " covers " + b);
	for (const e of document.querySelectorAll(".terms, main"))
		if (e.scrollWidth > e.clientWidth + 1) out.push(e.className + " is " + e.scrollWidth + " wide in " + e.clientWidth);
	if (document.documentElement.scrollWidth > innerWidth) out.push("scrolls sideways");
	return out.slice(0, 6).join("; ");
})()`

func TestTheMicroscopeFitsEveryScreenAndAxeFindsNothing(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	for _, path := range []string{"microscope", "microscope/two-states", "microscope/proposition-2"} {
		for _, size := range looked() {
			resize(t, ctx, size.wide, size.high)
			bare(t, ctx, url+path+"#theme=light")
			fits(t, ctx, size.wide, fmt.Sprintf("%s at %dx%d", path, size.wide, size.high))
			if lost := text(t, ctx, covered); lost != "" {
				t.Errorf("%s at %d×%d: %s", path, size.wide, size.high, lost)
			}
		}
	}
}

// drag is a script that moves the element of a selector by pixels with a pointer.
const drag = `{
	const grip = document.querySelector('%s'), b = grip.getBoundingClientRect(), e = grip.closest('.touch, [data-dial]');
	const x = b.left + b.width / 2, y = b.top + b.height / 2;
	const send = (type, x, y, to = e) => 
		to.dispatchEvent(new PointerEvent(type, {bubbles: true, pointerId: 1, clientX: x, clientY: y}));
	send("pointerdown", x, y, grip);
	send("pointermove", x + %d, y + %d);
	send("pointerup", x + %[2]d, y + %[3]d);
}`

func TestClipsAreDraggedInTheDiagramOnAPhoneToo(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	value := func(key string) string {
		return text(t, ctx, fmt.Sprintf(`document.querySelector('[data-key="%s"] [data-part="number"]').value`, key))
	}
	for _, wide := range []int64{1366, 390} {
		resize(t, ctx, wide, 844)
		for _, key := range []string{"rho", "c"} {
			bare(t, ctx, url+"microscope")
			before := text(t, ctx, fmt.Sprintf(exactly, `[data-text="sum"]`))
			do(t, ctx, "drag "+key+" up", js(fmt.Sprintf(drag, `[data-handle="`+key+`"]`, 0, -30)))
			if v, _ := strconv.ParseFloat(value(key), 64); v <= 1.1 {
				t.Errorf("%d wide: %s dragged up is %v", wide, key, v)
			}
			if key == "rho" && text(t, ctx, fmt.Sprintf(exactly, `[data-text="sum"]`)) == before {
				t.Errorf("%d wide: v is what it was", wide)
			}
		}
	}
}

// The two small worlds change by pointer and by keyboard, and their figures equal the figures by hand.
func TestTheTwoStatesAndTheButtonsMoveUnderTheHand(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	bare(t, ctx, url+"microscope/two-states")
	want := func(name string, v float64) {
		t.Helper()
		if got := number(t, ctx, `[data-text="`+name+`"]`); math.Abs(got-v) > 1e-6 {
			t.Errorf("%s is %v, want %v", name, got, v)
		}
	}
	want("pi-left", 7.29)
	want("mu-right", 2.75)
	want("end-left", 6.25)
	factor := number(t, ctx, `[data-text="factor"]`)
	do(t, ctx, "c̄ to the left", js(fmt.Sprintf(drag, `[data-handle="c"]`, -60, 0)))
	want("end-left", 6.25)
	if now := number(t, ctx, `[data-text="factor"]`); now <= factor {
		t.Errorf("with a smaller c̄ one update leaves %v of an error, before %v", now, factor)
	}
	do(t, ctx, "ρ̄ by keyboard", chromedp.Focus(`[data-key="rho"] [data-part="slider"]`), chromedp.KeyEvent(kb.ArrowRight))
	if now := number(t, ctx, `[data-text="end-left"]`); now <= 6.25 {
		t.Errorf("with a larger ρ̄ the left value ends at %v", now)
	}
	do(t, ctx, "γ of 1 is refused", chromedp.Focus(`[data-key="gamma"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("1\r"),
		until(`document.querySelector('[data-key="gamma"] [data-part="error"]').textContent.includes("from 0 to 0.9999")`))

	bare(t, ctx, url+"microscope/proposition-2")
	want("push", -.25)
	want("remade", .25)
	want("enough", .25)
	do(t, ctx, "fresh data by keyboard", chromedp.Focus("#hand-fresh"), chromedp.KeyEvent(kb.End),
		until(`document.querySelector("#said").textContent.includes("prefers the better button")`))
	want("push", .75)
	do(t, ctx, "as in the paper", chromedp.Click(`[data-act="reset"]`),
		until(`document.querySelector("#hand-fresh").value === "0"`))
}
