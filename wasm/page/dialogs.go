//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
	"time"

	"impalab/wasm/run"
	"impalab/web/link"
)

// bindDialogs binds the notice, the announcements and the dialog with the link.
func (p *Page) bindDialogs() {
	notice := find(p.document, "#notice")
	words, correction := text(part(notice, "text")), text(part(notice, "correction"))
	address := attribute(correction.element, "href")
	clicks(part(notice, "close"), func() {
		p.model.Notices, p.model.Correction = nil, link.Correction{}
		p.scheduleDraw()
	})
	p.shows.add(func() {
		words.write(strings.Join(p.model.Notices, "\n"))
		hide(notice, len(p.model.Notices) == 0)
		if offer := p.model.Correction; offer.Words == "" {
			correction.say("")
		} else {
			correction.say("Open it with " + offer.Words)
			address.write("#" + strings.TrimPrefix(offer.Fragment, "#"))
		}
	})
	announce := find(p.document, "#announce")
	p.shows.add(func() {
		if spoken := p.model.Announcements; len(spoken) > 0 {
			p.model.Announcements = nil
			announce.Set("textContent", run.Spoken(spoken))
		}
	})
	s := &p.sharing
	dialog := find(p.document, "#share")
	s.link, s.copy, s.shorten = part(dialog, "link"), part(dialog, "copy"), part(dialog, "shorten")
	s.said = text(part(dialog, "link-said"))
	s.moments, s.start, s.here = part(dialog, "moments"), part(dialog, "from-start"), text(part(dialog, "here"))
	for _, choice := range findAll(s.moments, "input") {
		changes(choice, func(string) { p.offerLink() })
	}
	clicks(s.copy, p.copyLink)
	clicks(s.shorten, p.shortenLink)
}

// openDialog opens the dialog of a name, if it is not open, and returns it.
func (p *Page) openDialog(name string) js.Value {
	dialog := find(p.document, "#"+name)
	if !dialog.Get("open").Bool() {
		dialog.Call("showModal")
	}
	return dialog
}

func (p *Page) dialogOpen() bool { return find(p.document, "dialog[open]").Truthy() }

// sharing is the dialog with the link.
type sharing struct {
	link, copy, shorten js.Value
	moments, start      js.Value // the choice between a moment and the start
	here, said          slot
}

// share opens the dialog with the link, selected to be copied.
func (p *Page) share() {
	s, moment := &p.sharing, ""
	if p.first == nil {
		moment = p.model.Runs[0].SharedMoment()
	}
	hide(s.moments, moment == "")
	s.here.write(moment)
	find(s.moments, "input").Set("checked", true)
	p.openDialog("share")
	p.offerLink()
}

// offerLink offers the link to the chosen moment.
func (p *Page) offerLink() {
	s := &p.sharing
	s.said.write("")
	s.shorten.Set("disabled", false)
	to := p.address()
	if s.start.Get("checked").Bool() {
		bare, _, _ := strings.Cut(to, "#")
		to = bare + p.model.FromStart()
	}
	s.offer(to)
}

func (s *sharing) offer(link string) {
	s.link.Set("value", link)
	s.link.Call("select")
}

func (p *Page) shortenLink() {
	s := &p.sharing
	if p.alone() {
		s.said.write("A server keeps short links, and this page has none: the long one holds the same.")
		return
	}
	_, fragment, _ := strings.Cut(value(s.link), "#")
	s.shorten.Set("disabled", true)
	p.fetch(p.base()+"api/v1/links", post("", map[string]any{"link": fragment}), func(short js.Value) {
		s.offer(p.window.Get("location").Get("origin").String() + short.Get("path").String())
		s.said.write("The server keeps this link; it leads to the long one.")
	}, func(why string) {
		s.shorten.Set("disabled", false)
		s.said.write("No short link: " + why + ".")
	})
}

// copyLink selects the link and copies it to the clipboard. A browser that denies that leaves it to the person's hand.
func (p *Page) copyLink() {
	s := &p.sharing
	s.link.Call("select")
	said := "Press Ctrl+C"
	if p.document.Call("execCommand", "copy").Bool() {
		said = "Copied"
	}
	s.copy.Set("textContent", said)
	p.model.Announce(said)
	p.scheduleDraw()
	p.after(2*time.Second, func() { s.copy.Set("textContent", "Copy") })
}
