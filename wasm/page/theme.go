//go:build js && wasm

package page

import (
	"cmp"
	"syscall/js"

	"impalab/wasm/browser"
)

// The theme is the link's, or what this browser was last set to, or the system's.

func (p *Page) bindTheme() {
	p.dark = browser.NewMedia(p.window, "(prefers-color-scheme: dark)")
	p.dark.Changed(p.applyTheme)
	p.applyTheme()
}

// applyTheme shows the theme: "auto", "light" or "dark".
func (p *Page) applyTheme() {
	theme := cmp.Or(p.model.Runs[0].Link.Theme(), p.stored(themeName))
	if theme != "light" && theme != "dark" {
		theme = "auto"
	}
	p.root.Get("dataset").Set("theme", theme)
	js.Global().Get("document").Get("documentElement").Get("dataset").Set("theme", theme)
	p.stage.Dark(theme == "dark" || theme == "auto" && p.dark.Matches())
}

// nextTheme changes from auto to light to dark, and stores the choice, which overrides the link.
func (p *Page) nextTheme() {
	next := cmp.Or(map[string]string{"auto": "light", "light": "dark"}[data(p.root, "theme")], "auto")
	p.store(themeName, next)
	for _, r := range p.model.Runs {
		r.Link.ForgetTheme()
		r.SettingsRevision++
	}
	p.applyTheme()
	p.model.Announce("Theme: " + next)
	p.scheduleDraw()
}

// A run that falls is paused, unless the person at this browser has switched that off: in the note about a fall, or in
// the help.

// pauses reports whether that is on.
func (p *Page) pauses() bool { return p.stored(pausesName) != "off" }

func (p *Page) bindPauses() {
	boxes := findAll(p.body, `[data-part="pauses"]`)
	show := func() {
		for _, box := range boxes {
			box.Set("checked", p.pauses())
		}
	}
	show()
	for _, box := range boxes {
		changes(box, func(string) {
			p.store(pausesName, map[bool]string{true: "on", false: "off"}[box.Get("checked").Bool()])
			show()
		})
	}
}
