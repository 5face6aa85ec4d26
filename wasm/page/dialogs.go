//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/run"
)

// dialogs are the elements that speak: the notice, the announcements, the share dialog, and the theme.
type dialogs struct {
	notice, noticeText, correction, announce, share, shared, copy js.Value
	shorten                                                       js.Value
	linkSaid                                                      slot
	noticed                                                       string
	dark                                                          js.Value // the media query
}

func (p *Page) bindDialogs() {
	d := &p.dialogs
	d.notice, d.announce, d.share = find(p.document, "#notice"), find(p.document, "#announce"), find(p.document, "#share")
	if d.notice.Truthy() {
		d.noticeText = find(d.notice, `[data-part="text"]`)
		d.correction = find(d.notice, `[data-part="correction"]`)
		on(find(d.notice, `[data-part="close"]`), "click", func(js.Value) {
			p.model.Notices, p.model.Correction = nil, run.Correction{}
			p.scheduleDraw()
		})
	}
	if d.share.Truthy() {
		d.shared, d.copy = find(d.share, `[data-part="link"]`), find(d.share, `[data-part="copy"]`)
		on(d.copy, "click", func(js.Value) { p.copyLink() })
		d.shorten, d.linkSaid = find(d.share, `[data-part="shorten"]`), text(find(d.share, `[data-part="link-said"]`))
		on(d.shorten, "click", func(js.Value) { p.shortenLink() })
	}
}

func (p *Page) notice(text string) {
	p.model.Notices = append(p.model.Notices, text)
	p.scheduleDraw()
}

func (p *Page) drawDialogs() {
	d := &p.dialogs
	if words := strings.Join(p.model.Notices, "\n"); words != d.noticed && d.notice.Truthy() {
		d.noticed = words
		if d.noticeText.Truthy() {
			d.noticeText.Set("textContent", words)
		}
		d.notice.Set("hidden", words == "")
		if offer := p.model.Correction; d.correction.Truthy() {
			d.correction.Set("hidden", offer.Words == "")
			d.correction.Set("textContent", "Open it with "+offer.Words)
			d.correction.Set("href", "#"+strings.TrimPrefix(offer.Fragment, "#"))
		}
	}
	if spoken := p.model.Announcements; len(spoken) > 0 {
		p.model.Announcements = nil
		if d.announce.Truthy() {
			d.announce.Set("textContent", run.Spoken(spoken))
		}
	}
}

// share opens the dialog with the link, ready to be copied.
func (p *Page) share() {
	d := &p.dialogs
	if !d.share.Truthy() {
		return
	}
	if d.shared.Truthy() {
		d.shared.Set("value", p.address())
	}
	d.linkSaid.write("")
	d.shorten.Set("disabled", false)
	openDialog(d.share)
	if d.shared.Truthy() {
		d.shared.Call("select")
	}
}

// shortenLink has the server keep the link, and shows the short one in its place.
func (p *Page) shortenLink() {
	if p.alone() {
		p.dialogs.linkSaid.write("A server keeps short links, and this page has none: the long one holds the same.")
		return
	}
	d := &p.dialogs
	_, fragment, _ := strings.Cut(d.shared.Get("value").String(), "#")
	body := js.Global().Get("JSON").Call("stringify", map[string]any{"link": fragment})
	d.shorten.Set("disabled", true)
	failed := func(sentence string) {
		d.shorten.Set("disabled", false)
		d.linkSaid.write(sentence)
	}
	lost := func(js.Value) { failed("The server did not answer; try again in a moment.") }
	post := map[string]any{"method": "POST", "body": body}
	then(p.window.Call("fetch", p.columns[0].base()+"api/v1/links", post), func(answer js.Value) {
		then(answer.Call("json"), func(said js.Value) {
			if !answer.Get("ok").Bool() {
				failed("No short link: " + said.Get("error").Get("message").String() + ".")
				return
			}
			d.shared.Set("value", p.window.Get("location").Get("origin").String()+said.Get("path").String())
			d.shared.Call("select")
			d.linkSaid.write("The server keeps this link; it leads to the long one.")
		}, lost)
	}, lost)
}

// copyLink uses the clipboard where the browser has one to give, and else selects the link to be copied by hand.
func (p *Page) copyLink() {
	d := &p.dialogs
	said := func(words string) {
		d.copy.Set("textContent", words)
		p.model.Announcements = append(p.model.Announcements, words)
		p.scheduleDraw()
		p.after(2*time.Second, func() { d.copy.Set("textContent", "Copy") })
	}
	byHand := func() {
		d.shared.Call("select")
		if attempt(func() {
			if !p.document.Call("execCommand", "copy").Bool() {
				panic("refused")
			}
		}) {
			said("Copied")
		} else {
			said("Press Ctrl+C")
		}
	}
	clipboard := p.window.Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		byHand()
		return
	}
	var done, failed js.Func
	release := func() { done.Release(); failed.Release() }
	done = js.FuncOf(func(js.Value, []js.Value) any { release(); said("Copied"); return nil })
	failed = js.FuncOf(func(js.Value, []js.Value) any { release(); byHand(); return nil })
	clipboard.Call("writeText", d.shared.Get("value")).Call("then", done, failed)
}
