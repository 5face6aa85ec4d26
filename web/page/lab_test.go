package page

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/web/labrow"
)

func TestEveryRowHasItsControl(t *testing.T) {
	root := parse(t, Lab(data()))
	start := kit.Config(t, hyper.DefaultPreset, "")
	for i := range hyper.Table {
		row := &hyper.Table[i]
		control := one(t, root, "control of "+row.Key, with("data-key", row.Key))
		part := func(name string) *html.Node { return one(t, control, row.Key+" "+name, with("data-part", name)) }
		if attr(control, "data-hot") != strconv.FormatBool(row.Hot) || attr(control, "data-state") != "idle" {
			t.Errorf("%s: data-hot=%q data-state=%q", row.Key, attr(control, "data-hot"), attr(control, "data-state"))
		}
		if got := strings.Count(text(control), "new run") == 2; got == row.Hot { // beside its name and in its definition
			t.Errorf("%s: hot=%v but says that it starts a new run: %v", row.Key, row.Hot, got)
		}
		part("force")
		if !has(part("error"), "hidden") {
			t.Errorf("%s: an error shows before anything was refused", row.Key)
		}
		want := start.Get(row.Key)
		switch kind := attr(control, "data-kind"); {
		case row.Choices != nil:
			values := []string{}
			for _, o := range all(part("choice"), tagged("option")) {
				values = append(values, attr(o, "value"))
				if has(o, "selected") != (attr(o, "value") == want) {
					t.Errorf("%s: option %s selected=%v, in force %s", row.Key, attr(o, "value"), has(o, "selected"), want)
				}
			}
			if strings.Join(values, " ") != strings.Join(row.Choices, " ") || kind != "choice" {
				t.Errorf("%s: %s of %v, want choice of %v", row.Key, kind, values, row.Choices)
			}
		case row.Numeric():
			if got := attr(part("number"), "value"); got != want || kind != "number" {
				t.Errorf("%s: %s %q, want number %q", row.Key, kind, got, want)
			}
			if row.SliderMax > row.SliderMin {
				slider := part("slider")
				place, err := strconv.Atoi(attr(slider, "value"))
				v, bad := row.Parse(want)
				if err != nil || bad != nil || attr(slider, "max") != "1000" {
					t.Errorf("%s: slider %v %v", row.Key, err, bad)
				}
				if off := float64(place)/1000 - row.Position(v); off > 0.0005001 || off < -0.0005001 {
					t.Errorf("%s: slider at %d, value %s is at %.4f", row.Key, place, want, row.Position(v))
				}
			}
		case row.Lines > 0:
			if got := text(part("text")); got != want || kind != "lines" {
				t.Errorf("%s: %s %q, want lines %q", row.Key, kind, got, want)
			}
		default:
			if got := attr(part("text"), "value"); got != want || kind != "text" {
				t.Errorf("%s: %s %q, want text %q", row.Key, kind, got, want)
			}
		}
	}
	if got := len(all(root, func(n *html.Node) bool { return has(n, "data-key") })); got != len(hyper.Table) {
		t.Errorf("%d controls for %d rows", got, len(hyper.Table))
	}
}

func TestEveryQuestionIsAnswered(t *testing.T) {
	root := parse(t, Lab(data()))
	plain := strings.NewReplacer("_", "", "^", "") // prose sets V^π as a symbol
	for i := range hyper.Table {
		row := &hyper.Table[i]
		button := one(t, root, "? of "+row.Key, with("data-help", row.Key))
		popover := one(t, root, "definition of "+row.Key, with("id", attr(button, "popovertarget")))
		for _, want := range []string{row.Sentence, row.Paper, row.Allowed()} {
			if !has(popover, "popover") || !strings.Contains(text(popover), plain.Replace(want)) {
				t.Errorf("%s: the definition does not say %q", row.Key, want)
			}
		}
	}
	// A metric is asked about right where it stands.
	for _, place := range all(root, func(n *html.Node) bool { return has(n, "data-text") }) {
		// of the thing beside them: a bound, its other names, the same of another column or of the run before
		kind, _, _ := strings.Cut(attr(place, "data-text"), "-")
		if slices.Contains([]string{"apart", "bound", "story", "ghost", "beside", "chip", "name", "named", "short", "small",
			"tuned"}, kind) {
			continue
		}
		switch attr(place, "data-text") {
		// words and settings, explained elsewhere
		case "world", "stage", "algo", "seed", "state", "reason", "steps", "at", "moment", "pause", "warnings", "hint",
			"preset", "watched", "halt", "fell", "bearing", "look-back", "as-printed":
			continue
		}
		one(t, root, "definition of "+attr(place, "data-text"), with("id", "metric-"+attr(place, "data-text")))
	}
}

func TestClientFindsItsPlaces(t *testing.T) {
	root := parse(t, Lab(data()))
	for _, verb := range strings.Fields("play pause step again reseed undo rewind fork slower faster share help " +
		"theme hand microscope look-back") {
		if n := one(t, root, verb, with("data-verb", verb)); n.Data != "button" || attr(n, "type") != "button" {
			t.Errorf("%s is <%s type=%q>", verb, n.Data, attr(n, "type"))
		}
	}
	names := strings.Fields(`world algo seed state reason warnings hint at moment steps updates episodes rate return recent
		ghost-return episode-return episode-length value ratio hand-last hand-mean hand-best hand-agent v-mu v-pi v-implied
		v-learned v-from-implied v-from-pi v-scale contraction`)
	for _, name := range names {
		one(t, root, name, with("data-text", name))
	}
	for _, name := range []string{"return", "tape", "ratios", "age", "gauge", "tasks"} {
		one(t, root, name, with("data-chart", name))
	}
	for _, l := range labrow.All {
		box := one(t, root, l.Name, with("data-lane", l.Name))
		one(t, box, l.Name, with("data-chart", l.Name))
		for _, text := range []string{l.Name, "story-" + l.Name} {
			if text == labrow.Tunes { // it has a figure for each quantity
				text = "tuned-gamma"
			}
			one(t, box, text, with("data-text", text))
		}
		row := box.Parent
		if l.Quantity != nil && !has(row, "hidden") {
			t.Errorf("the trace %s shows before the algorithm is known to have one", l.Name)
		}
		for i, key := range l.Keys() { // a knob stands in the row of the line it moves, and one of them shows
			if knob := one(t, row, l.Name, with("data-key", key)); has(knob, "hidden") != (i > 0) {
				t.Errorf("%s: the knob of %s is shown: %v", l.Name, key, !has(knob, "hidden"))
			}
		}
	}
	if n := one(t, root, "gauge", with("data-panel", "gauge")); !has(n, "hidden") {
		t.Error("the gauge shows before the world is known to be finite")
	}
	body := one(t, root, "body", tagged("body"))
	for key, want := range map[string]string{"data-link": "connecting", "data-state": "running", "data-base": "/lab/",
		"data-build": "test"} {
		if attr(body, key) != want {
			t.Errorf("body %s=%q, want %q", key, attr(body, key), want)
		}
	}
	if n := one(t, root, "stage", with("id", "stage")); n.Data != "iframe" || attr(n, "src") != "/lab/stage" {
		t.Errorf("stage is <%s src=%q>", n.Data, attr(n, "src"))
	}
	for _, id := range []string{"announce", "notice", "share", "help", "preset"} {
		one(t, root, id, with("id", id))
	}
	for part, in := range map[string]string{"text": "notice", "close": "notice", "link": "share", "copy": "share"} {
		one(t, one(t, root, in, with("id", in)), part, with("data-part", part))
	}
}

func TestEveryPresetCanBePicked(t *testing.T) {
	picker := one(t, parse(t, Lab(data())), "preset", with("id", "preset"))
	for _, p := range hyper.Presets {
		if o := one(t, picker, p.Name, with("value", p.Name)); text(o) != p.Title {
			t.Errorf("%s reads %q, want %q", p.Name, text(o), p.Title)
		}
	}
	if got := len(all(picker, tagged("option"))); got != len(hyper.Presets) {
		t.Errorf("%d options for %d presets", got, len(hyper.Presets))
	}
}

// The differences are one click away, below the preset and in the list of all settings.
func TestTheDifferencesAreOneClickAway(t *testing.T) {
	root := parse(t, Lab(data()))
	list := one(t, root, "list", with("id", "apart"))
	for _, id := range []string{"controls", "more"} {
		within := one(t, root, id, with("id", id))
		for _, from := range []string{"preset", "paper"} {
			button := one(t, within, from, with("data-apart", from))
			if attr(button, "popovertarget") != "apart" || !has(button, "hidden") {
				t.Errorf("%s: opens %q, hidden before anything differs: %v", from, attr(button, "popovertarget"),
					has(button, "hidden"))
			}
			one(t, button, from, with("data-text", "apart-"+from))
		}
	}
	for _, name := range []string{"apart-there", "apart-rows", "apart-said", "apart-where", "as-printed"} {
		one(t, list, name, with("data-part", name))
	}
}

// A setting with a line stands beside it, the settings of the run stand above, and the rest is behind one button.
func TestASettingIsInSightOrBehindMore(t *testing.T) {
	root := parse(t, Lab(data()))
	keyed := func(n *html.Node) bool { return has(n, "data-key") }
	more := one(t, root, "more", with("id", "more"))
	want := 3 // algorithm, correction, seed
	for _, l := range labrow.All {
		want += len(l.Keys())
	}
	if got := len(all(root, keyed)) - len(all(more, keyed)); got != want {
		t.Errorf("%d controls in sight, want %d", got, want)
	}
	for _, group := range all(more, tagged("details")) {
		if has(group, "open") || len(all(group, keyed)) == 0 {
			t.Errorf("%s is open or empty", attr(group, "data-group"))
		}
	}
	one(t, root, "a button for the rest", func(n *html.Node) bool {
		return attr(n, "popovertarget") == "more" && attr(n, "popovertargetaction") == ""
	})
}

func TestStageSaysHowToBuildTheClient(t *testing.T) {
	bare := parse(t, pages()["stage without client"])
	if len(all(bare, tagged("script"))) != 0 || !strings.Contains(text(bare), BuildClient) {
		t.Error("without a client the stage names the command and loads nothing")
	}
	scripts := all(parse(t, pages()["stage"]), tagged("script"))
	if len(scripts) != 2 || attr(scripts[1], "data-client") != "/lab/static/app.wasm?h" {
		t.Error("the stage loads wasm_exec.js, then stage.js with the client's address")
	}
}

func TestTheQuestionMarkOfCorrectionExplainsEachOne(t *testing.T) {
	definition := one(t, parse(t, Lab(data())), "definition", with("id", "define-setting-correction"))
	explained := all(definition, tagged("dd"))
	if len(explained) != len(correct.Corrections) {
		t.Fatalf("%d corrections explained of %d", len(explained), len(correct.Corrections))
	}
	for i, c := range correct.Corrections {
		if got := text(explained[i]); len(got) < len(c.Words) || !strings.HasPrefix(got, c.Words[:8]) {
			t.Errorf("%s is explained as %q, want %q", c.Name, got, c.Words)
		}
	}
}

func TestTheHelpNamesTheBuild(t *testing.T) {
	if said := text(one(t, parse(t, Lab(data())), "help", with("id", "help"))); !strings.Contains(said, "impalab test") {
		t.Error("the help does not say which build the page is from")
	}
}

func TestACorrectionSaysItsNamesElsewhere(t *testing.T) {
	if page := render(t, Lab(data())); !strings.Contains(page, "also TIS (verl") || !strings.Contains(page, "CISPO") {
		t.Error("the definition of one-step does not name TIS and CISPO")
	}
}
