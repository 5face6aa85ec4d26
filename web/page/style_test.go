package page

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"impalab/web/palette"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../static/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var (
	comment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	literal = regexp.MustCompile(`(?i)#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|lab|lch)\(|:\s*(?:white|black|gr[ae]y|red|blue|green)\b`)
	used    = regexp.MustCompile(`var\((--[a-z-]+)\)`)
	defined = regexp.MustCompile(`(?m)^\s*(--[a-z-]+):`)
	forbid  = regexp.MustCompile(`gradient\(|box-shadow|text-shadow|animation|transition`)
	// A slider's disc and the line up to it: edges, drawn with what CSS has for edges.
	edges = strings.NewReplacer("radial-gradient(currentColor 6.5px, var(--ground) 7.5px 8.5px, currentColor 9.3px)", "",
		"linear-gradient(90deg, currentColor 50%, transparent 50%)", "")
)

// A colour is defined once, in the palette. The style sheets use its role.
func TestSheetsTakeColoursFromThePalette(t *testing.T) {
	known := map[string]bool{}
	sheets := map[string]string{}
	for _, name := range []string{"palette.css", "page.css", "instrument.css"} {
		sheets[name] = comment.ReplaceAllString(read(t, name), "")
		for _, m := range defined.FindAllStringSubmatch(sheets[name], -1) {
			known[m[1]] = true
		}
	}
	for name, css := range sheets {
		for _, m := range used.FindAllStringSubmatch(css, -1) {
			if !known[m[1]] {
				t.Errorf("%s uses %s, which nobody defines", name, m[1])
			}
		}
		if name == "palette.css" {
			continue
		}
		for _, colour := range literal.FindAllString(css, -1) {
			t.Errorf("%s states a colour of its own: %s", name, colour)
		}
		for _, what := range forbid.FindAllString(edges.Replace(css), -1) {
			t.Errorf("%s: %s; no shadows, no gradients, nothing moves but data", name, what)
		}
	}
}

func TestTheIconIsOurs(t *testing.T) {
	have := map[string]bool{}
	for role := range palette.Roles {
		c := palette.Of(role, false)
		have[fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B)] = true
	}
	found := regexp.MustCompile(`#[0-9A-Fa-f]{6}`).FindAllString(read(t, "favicon.svg"), -1)
	for _, colour := range found {
		if !have[strings.ToUpper(colour)] {
			t.Errorf("favicon.svg: %s is not in the palette", colour)
		}
	}
	if len(found) == 0 {
		t.Error("favicon.svg states no colour")
	}
}

// With :has on the root of a page, the browser restyles the whole page at each change of an element.
func TestNoRuleHasTheRootOfThePageDependOnItsElements(t *testing.T) {
	sheets, err := filepath.Glob("../../static/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatal(len(sheets), err)
	}
	for _, name := range sheets {
		css := comment.ReplaceAllString(read(t, filepath.Base(name)), "")
		for _, rule := range regexp.MustCompile(`(?:html|body|:root)\S*:has\(`).FindAllString(css, -1) {
			t.Errorf("%s: %s", name, rule)
		}
	}
}

// WebKit looks for the place of each element with a rule of anchor positioning, even of a closed popover. A page with
// many of them stops answering.
func TestOnlyOpenPopoversHaveAnAnchor(t *testing.T) {
	sheets, err := filepath.Glob("../../static/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatal(len(sheets), err)
	}
	rule := regexp.MustCompile(`([^{};]+)\{([^{}]*)\}`)
	anchors := regexp.MustCompile(`position-(?:area|anchor|try[a-z-]*)\s*:|anchor(?:-size)?\(`)
	found := 0
	for _, name := range sheets {
		css := comment.ReplaceAllString(read(t, filepath.Base(name)), "")
		for _, m := range rule.FindAllStringSubmatch(css, -1) {
			if !anchors.MatchString(m[2]) {
				continue
			}
			found++
			for _, selector := range strings.Split(m[1], ",") {
				if selector = strings.TrimSpace(selector); !strings.HasSuffix(selector, ":popover-open") {
					t.Errorf("%s: %s is anchored while it is closed too; use %[2]s:popover-open", filepath.Base(name), selector)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no style sheet has an anchored popover")
	}
}
