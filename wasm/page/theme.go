//go:build js && wasm

package page

import "syscall/js"

// The theme is the link's, or what this browser was last set to, or the system's.

const themeKey = "theme"

func (p *Page) bindTheme() {
	p.dialogs.dark = p.window.Call("matchMedia", "(prefers-color-scheme: dark)")
	on(p.dialogs.dark, "change", func(js.Value) { p.applyTheme() })
	p.applyTheme()
}

// theme is "auto", "light" or "dark".
func (p *Page) theme() string {
	if theme := p.model.Runs[0].Link.Theme(); theme != "" {
		return theme
	}
	theme := "auto"
	attempt(func() { // storage may be forbidden
		if v := p.window.Get("localStorage").Call("getItem", themeKey); v.Type() == js.TypeString {
			if s := v.String(); s == "light" || s == "dark" {
				theme = s
			}
		}
	})
	return theme
}

func (p *Page) applyTheme() { p.wear(p.theme()) }

func (p *Page) wear(theme string) {
	p.root.Get("dataset").Set("theme", theme)
	js.Global().Get("document").Get("documentElement").Get("dataset").Set("theme", theme)
	dark := theme == "dark" || theme == "auto" && p.dialogs.dark.Get("matches").Bool()
	p.stage.Dark(dark)
}

// nextTheme goes from auto to light to dark, and remembers it. What a person chooses outlasts what the link said.
func (p *Page) nextTheme() {
	next := map[string]string{"auto": "light", "light": "dark",
		"dark": "auto"}[p.root.Get("dataset").Get("theme").String()]
	if next == "" {
		next = "auto"
	}
	attempt(func() { p.window.Get("localStorage").Call("setItem", themeKey, next) })
	for _, r := range p.model.Runs {
		r.Link.ForgetTheme()
		r.SettingsRevision++
	}
	p.wear(next)
	p.model.Announcements = append(p.model.Announcements, "Theme: "+next)
	p.scheduleDraw()
}
