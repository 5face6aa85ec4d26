//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/run"
)

// dialogs are the notice, the announcements, the share dialog, and the theme.
type dialogs struct {
	notice, noticeText, correction, announce, share, shared, copy, shorten js.Value

	linkSaid slot
	noticed  string
	dark     js.Value // the media query
}

func (p *Page) bindDialogs() {
	d := &p.dialogs
	d.notice, d.announce, d.share = find(p.document, "#notice"), find(p.document, "#announce"), find(p.document, "#share")
	d.noticeText, d.correction = part(d.notice, "text"), part(d.notice, "correction")
	on(part(d.notice, "close"), "click", func(js.Value) {
		p.model.Notices, p.model.Correction = nil, run.Correction{}
		p.scheduleDraw()
	})
	d.shared, d.copy, d.shorten = part(d.share, "link"), part(d.share, "copy"), part(d.share, "shorten")
	d.linkSaid = text(part(d.share, "link-said"))
	on(d.copy, "click", func(js.Value) { p.copyLink() })
	on(d.shorten, "click", func(js.Value) { p.shortenLink() })
}

func (p *Page) dialogOpen() bool { return find(p.document, "dialog[open]").Truthy() }

func (p *Page) drawDialogs() {
	d := &p.dialogs
	if words := strings.Join(p.model.Notices, "\n"); words != d.noticed {
		d.noticed = words
		d.noticeText.Set("textContent", words)
		hide(d.notice, words == "")
		offer := p.model.Correction
		hide(d.correction, offer.Words == "")
		d.correction.Set("textContent", "Open it with "+offer.Words)
		d.correction.Set("href", "#"+strings.TrimPrefix(offer.Fragment, "#"))
	}
	if spoken := p.model.Announcements; len(spoken) > 0 {
		p.model.Announcements = nil
		d.announce.Set("textContent", run.Spoken(spoken))
	}
}

// share opens the dialog with the link, selected to be copied.
func (p *Page) share() {
	d := &p.dialogs
	d.linkSaid.write("")
	d.shorten.Set("disabled", false)
	d.shared.Set("value", p.address())
	openDialog(d.share)
	d.shared.Call("select")
}

func (p *Page) shortenLink() {
	d := &p.dialogs
	if p.alone() {
		d.linkSaid.write("A server keeps short links, and this page has none: the long one holds the same.")
		return
	}
	_, fragment, _ := strings.Cut(value(d.shared), "#")
	d.shorten.Set("disabled", true)
	p.fetch(p.base()+"api/v1/links", post("", map[string]any{"link": fragment}), func(said js.Value) {
		d.shared.Set("value", p.window.Get("location").Get("origin").String()+said.Get("path").String())
		d.shared.Call("select")
		d.linkSaid.write("The server keeps this link; it leads to the long one.")
	}, func(why string) {
		d.shorten.Set("disabled", false)
		d.linkSaid.write("No short link: " + why + ".")
	})
}

// copyLink copies the link to the clipboard. Where the browser denies that, it selects the link to be copied by hand.
func (p *Page) copyLink() {
	d := &p.dialogs
	said := func(words string) {
		d.copy.Set("textContent", words)
		p.model.Announce(words)
		p.scheduleDraw()
		p.after(2*time.Second, func() { d.copy.Set("textContent", "Copy") })
	}
	byHand := func(js.Value) {
		d.shared.Call("select")
		copied := false
		attempt(func() { copied = p.document.Call("execCommand", "copy").Bool() })
		if copied {
			said("Copied")
		} else {
			said("Press Ctrl+C")
		}
	}
	clipboard := p.window.Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		byHand(js.Null())
		return
	}
	then(clipboard.Call("writeText", d.shared.Get("value")), func(js.Value) { said("Copied") }, byHand)
}
