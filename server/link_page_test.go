package main

import "testing"

func TestAMisspelledLinkLeadsToTheCorrectedOne(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=lag-clif&seed=3")
	do(t, ctx, "the offer", until(`document.querySelector('[data-part="correction"]').checkVisibility()`))
	if got := text(t, ctx, `document.querySelector('[data-part="correction"]').textContent`); got != "Open it with p=lag-cliff" {
		t.Errorf("it offers %q", got)
	}
	do(t, ctx, "take it", js(`document.querySelector('[data-part="correction"]').click()`),
		until(`location.hash.includes("p=lag-cliff&seed=3")`), until(`document.querySelector("#notice").hidden`))
}

// A query names an experiment as a fragment does.
func TestAQueryOpensItsPreset(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab?preset=catch&lag=4")
	do(t, ctx, "Catch", until(`location.search === "" && /[#&]p=catch&lag=4(&|$)/.test(location.hash)`),
		until(`document.querySelector('[data-text="world"]').textContent === "Catch"`))
}
