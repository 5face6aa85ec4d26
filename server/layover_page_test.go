package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A stored run of the same world is drawn in grey behind the Lab's charts. Runs of other worlds are not offered.
func TestAStoredRunIsLaidOverTheLabsChart(t *testing.T) {
	t.Parallel()
	at, ctx := serve(t), browser(t)
	const key = "0123456789abcdef0123456789abcdef"
	stored := owned(t, at, key, `{"preset":"catch","seed":7,"steps":8000,"speed":"inf"}`)
	owned(t, at, key, `{"preset":"cartpole","seed":8,"steps":4000,"speed":"inf"}`)
	listed(t, ctx, at, key, fmt.Sprintf(`{%q:{"name":"<b>Mine</b>"}}`, stored))
	resize(t, ctx, 1366, 650)
	open(t, ctx, at+"lab#v=1&p=catch&seed=3&speed=400")
	const rows = `[...document.querySelectorAll("#lay-over li")].map((li) => li.textContent)`
	do(t, ctx, "the list", until(`document.querySelector("#lay-over").dataset.runs`),
		chromedp.Click(`[popovertarget="lay-over"]`), until(rows+`.length === 1`))
	if got := text(t, ctx, rows+`.join()`); !strings.HasPrefix(got, "<b>Mine</b>, seed 7: ") {
		t.Errorf("the list has %q", got)
	}
	const ghost = `document.querySelector('[data-chart="return"] .ghost')?.getAttribute("d")`
	do(t, ctx, "lay it over", chromedp.Click("#lay-over li button"), until(ghost),
		until(`document.querySelector('[data-text="ghost-name"]').textContent === "laid over"`))
	do(t, ctx, "take it away", chromedp.Click(`[popovertarget="lay-over"]`), until(rows+`[0] === "None"`),
		chromedp.Click("#lay-over li button"), until(`!`+ghost))
}
