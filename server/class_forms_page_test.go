package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pressing clicks the button with this text.
func pressing(words string) chromedp.Action[chromedp.Void] {
	return js(fmt.Sprintf(`[...document.querySelectorAll("button")].find(b =>
		b.textContent === %q && b.checkVisibility()).click()`, words))
}

func TestTheTeachersKeyLeavesTheAddressAndComesBackOnlyWhenAsked(t *testing.T) {
	url, laptop := serve(t), browser(t)
	r := newTaught(t, url, "first-contact")
	do(t, laptop, "the teacher's link", chromedp.Navigate(url+"class/"+r.code+"#key="+r.key),
		until(`document.querySelector("#teacher .code strong")?.checkVisibility() && !location.hash`))
	has := fmt.Sprintf(`[...document.querySelectorAll("input")].some(i => i.value.endsWith("#key=%s"))`, r.key)
	do(t, laptop, "the room", pressing("Room "+r.code), until(`document.querySelector("dialog[open]")`), until("!"+has),
		pressing("Link for another browser of mine"), until(has))
	do(t, laptop, "after a reload", chromedp.Reload(), until(`document.querySelector("#teacher .code strong")?.checkVisibility()`))
}

// The page reports an empty guess in its own words, and sends no guess that a student did not make.
func TestAStepSaysWhatItStillLacks(t *testing.T) {
	url, phone := serve(t), browser(t)
	r := newTaught(t, url, "first-contact")
	resize(t, phone, 390, 844)
	do(t, phone, "join", chromedp.Navigate(url+"class/"+r.code), until(`!document.querySelector("#door").hidden`),
		js(fmt.Sprintf(focusOn, "#join-room input")), chromedp.KeyEvent("Ada"),
		until(`document.querySelector("[data-part=count]").textContent === "3 of 24 letters"`),
		chromedp.KeyEvent("\r"), says("Step 1 of"))
	for _, step := range []struct {
		number       int
		press, lacks string
		fill         chromedp.Action[chromedp.Void]
		then         string
	}{
		{3, "Send my guess", "Choose one of the answers first.", chromedp.KeyEvent(kb.ArrowDown), "Your guess About 250"},
		{9, "Send my guess", "Move the slider to your guess first", chromedp.KeyEvent("480"), "Your guess 480 steps"},
		{12, "Send it to the wall", "Write a sentence first.", chromedp.KeyEvent("old data"), "Your sentence \u201cold data"},
	} {
		r.send("PATCH", "", fmt.Sprintf(`{"step": %d}`, step.number), nil)
		do(t, phone, step.then, says(fmt.Sprintf("Step %d of", step.number+1)), pressing(step.press), says(step.lacks),
			step.fill, until(`!document.querySelector("#student .lacks").textContent`), pressing(step.press),
			until(`document.querySelectorAll("#student .answers li").length === 1`))
	}
}
