package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"impalab/web/exercise"
)

// fills writes into a field as a person does.
func fills(selector, value string) chromedp.Action[chromedp.Void] {
	return js(fmt.Sprintf(`{
		const field = document.querySelector(%q);
		field.value = %s;
		field.dispatchEvent(new Event("input", { bubbles: true }));
	}`, selector, strconv.Quote(value)))
}

const (
	receiptOf = `document.querySelector("#student .receipt .code").textContent`
	receipted = `document.querySelector("#student .receipt")?.checkVisibility()`
	checked   = `document.querySelector("#found").textContent`
	handIn    = `document.querySelector("#student [data-part=hand-in]")`
)

// A student's homework on a host of files: an exercise is tried and handed in, its receipt takes the place of the
// button, and another browser's page checks it.
func TestHomeworkWithoutAServerIsJudgedAndItsReceiptIsChecked(t *testing.T) {
	t.Parallel()
	phone := ownBrowser(t)
	url, _ := host(t)
	resize(t, phone, 390, 844)
	do(t, phone, "the exercises", chromedp.Navigate(url+"class/"),
		until(fmt.Sprintf(`document.querySelectorAll(".exercises a").length === %d`, len(exercise.All()))))
	fits(t, phone, 390, "the exercises of a static site")
	do(t, phone, "one of them",
		js(`[...document.querySelectorAll(".exercises a")].find(a => a.textContent === "Five times fewer steps").click()`),
		says("Change a setting, and you can hand it in"), until(handIn+`.disabled`))
	fits(t, phone, 390, "an exercise of a static site")
	do(t, phone, "a value outside", fills("#student [name=mix]", "2"), pressing("Try it"),
		until(`document.querySelector("#said").textContent.includes("must be a number from 0 to 1")`))
	do(t, phone, "a try", fills("#student [name=mix]", "0.875"), until("!"+handIn+`.disabled`), pressing("Try it"),
		says("seeds have ended"), says("The 4 public seeds end at"))
	do(t, phone, "a hand-in", pressing("Hand in"), pressing("Hand it in"), says("Handed in: 1 of 1"), until(receipted),
		until(handIn+`.hidden`), says("It does not prove who did it, or on which day"))
	fits(t, phone, 390, "a receipt")
	code := text(t, phone, receiptOf)
	if !regexp.MustCompile(`^([A-Z2-7]{4}-)+[A-Z2-7]{1,4}$`).MatchString(code) || len(code) > 150 {
		t.Errorf("the receipt is %q, want letters in groups of four, thirty groups at most", code)
	}
	do(t, phone, "after a reload", chromedp.Reload(), until(receipted), until(receiptOf+fmt.Sprintf(` === %q`, code)))
	do(t, phone, "another answer gives the button back", fills("#student [name=mix]", "0.8"), until("!"+receipted),
		until("!"+handIn+`.hidden`))

	laptop := ownBrowser(t)
	resize(t, laptop, 1366, 650)
	check := func(receipt string) chromedp.Action[chromedp.Void] {
		return js(fmt.Sprintf(`{
			document.querySelector("[name=receipt]").value = %q;
			document.querySelector("#receipt").requestSubmit();
		}`, receipt))
	}
	do(t, laptop, "no receipt", chromedp.Navigate(url+"class/"), until(`document.querySelector("#receipt")`), check(" "),
		until(checked+` === "Paste a receipt first."`))
	do(t, laptop, "the receipt", check(strings.ToLower(code)), until(checked+`.startsWith("As written: “Five times fewer `+
		`steps” with mix 0.875 gives 1 of 1, at ")`), until(`document.querySelector("#found").dataset.state === "same"`))
	fits(t, laptop, 1366, "a checked receipt")
	other := "A"
	if code[5] == 'A' {
		other = "B"
	}
	do(t, laptop, "a changed letter", check(code[:5]+other+code[6:]), until(checked+`.includes("a letter is wrong or missing")`))
	e, err := exercise.Named("five-times-fewer")
	if err != nil {
		t.Fatal(err)
	}
	figure := .99
	forged, err := exercise.NewReceipt(e, &exercise.Answer{Settings: map[string]string{"mix": "0.1"}},
		&exercise.Verdict{Credit: 1, Figure: &figure}).Code()
	if err != nil {
		t.Fatal(err)
	}
	do(t, laptop, "a forged result", check(forged), until(checked+`.startsWith("It differs: for “Five times fewer steps” `+
		`with mix 0.1 the receipt says 1 of 1, at 0.99, and it gives ")`))
}

// The other kinds of exercises: computed figures and a program, whose receipts need no run. A room says the same of a
// figure.
func TestExercisesWithoutRunsHaveReceiptsToo(t *testing.T) {
	t.Parallel()
	ctx := ownBrowser(t)
	url, _ := host(t)
	do(t, ctx, "a figure", chromedp.Navigate(url+"class/exercise/half-way-house/"), says("Half-way house"),
		fills("#student [name=rho]", "1.08"), pressing("Check"), says("That is near enough: hand it in."),
		pressing("Hand in"), pressing("Hand it in"), says("Handed in: 1 of 1"), until(receipted))
	figure := text(t, ctx, receiptOf)
	said := text(t, ctx, `document.querySelector("#student .answers li").textContent`)
	do(t, ctx, "a program", chromedp.Navigate(url+"class/exercise/write-vtrace/"), says("Write V-trace"),
		pressing("Check"), says("vs[2] is wrong first"), pressing("Hand in"), pressing("Hand it in"), until(receipted),
		says("Handed in: 0 of 1"))
	program := text(t, ctx, receiptOf)
	check := func(receipt, want string) []chromedp.Action[chromedp.Void] {
		return []chromedp.Action[chromedp.Void]{fills("[name=receipt]", receipt), pressing("Check it"),
			until(fmt.Sprintf(`%s.startsWith(%q)`, checked, want))}
	}
	do(t, ctx, "the page of all", chromedp.Navigate(url+"class/#check"), until(`document.querySelector("#receipt")`))
	do(t, ctx, "the figure again", check(figure, "As written: “Half-way house” with rho 1.08 gives 1 of 1, at ")...)
	do(t, ctx, "the program again", check(program, "As written: “Write V-trace” gives 0 of 1")...)

	r := newTaught(t, serve(t), "exercises")
	s := r.seat("Ada")
	s.answers("hand-in", "half-way-house", `"settings": {"rho": "1.08"}`)
	var work struct {
		Sent []struct {
			Credit *float64
			Say    string
		}
	}
	for began := time.Now(); len(work.Sent) == 0 || work.Sent[0].Credit == nil; time.Sleep(100 * time.Millisecond) {
		if r.send("GET", "/members/1/work/half-way-house", "", &work); time.Since(began) > patience {
			t.Fatal("the room does not judge the same answer")
		}
	}
	sentence, _, _ := strings.Cut(work.Sent[0].Say, ".")
	if *work.Sent[0].Credit != 1 || sentence == "" || !strings.Contains(said, sentence) {
		t.Errorf("the room says %g, %q; the page says %q", *work.Sent[0].Credit, work.Sent[0].Say, said)
	}
}
