//go:build js && wasm

package page

import "syscall/js"

// The theme is the link's, or what this browser was last set to, or the system's.

func (p *Page) bindTheme() {
	p.dialogs.dark = p.window.Call("matchMedia", "(prefers-color-scheme: dark)")
	on(p.dialogs.dark, "change", func(js.Value) { p.applyTheme() })
	p.applyTheme()
}

// applyTheme shows the theme: "auto", "light" or "dark".
func (p *Page) applyTheme() {
	theme := p.model.Runs[0].Link.Theme()
	if theme == "" {
		theme = p.stored(themeName)
	}
	if theme != "light" && theme != "dark" {
		theme = "auto"
	}
	p.root.Get("dataset").Set("theme", theme)
	js.Global().Get("document").Get("documentElement").Get("dataset").Set("theme", theme)
	p.stage.Dark(theme == "dark" || theme == "auto" && p.dialogs.dark.Get("matches").Bool())
}

// nextTheme changes from auto to light to dark, and stores the choice, which overrides the link.
func (p *Page) nextTheme() {
	next := map[string]string{"auto": "light", "light": "dark"}[p.root.Get("dataset").Get("theme").String()]
	if next == "" {
		next = "auto"
	}
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
		on(box, "change", func(js.Value) {
			p.store(pausesName, map[bool]string{true: "on", false: "off"}[box.Get("checked").Bool()])
			show()
		})
	}
}
