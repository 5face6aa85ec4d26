package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"impalab/learner/hyper"
	"impalab/learner/onnx"
	"impalab/learner/tape"
	"impalab/learner/torch"
	"impalab/web/chart"
	"impalab/web/link"
	"impalab/web/number"
	"impalab/web/wire"
)

// Run is the page of one run.
type Run struct {
	ID, Preset, Build string
	State, Reason     string
	Settings          map[string]string // in force, by key
	Turns             string            // planned changes, as links have them
	Tape              *tape.Tape        // as far as it can be read
	Parent            *tape.Parent      // origin of a fork; else nil
	Created           time.Time

	Steps, Updates, Episodes uint64
	ReturnMean100            float64
	ParamsSHA256, Arithmetic string
	Device, DeviceWhy        string // that computes its network, and the reason; "" while the server does not hold the run

	URL        string  // of its page, for others
	Charts     []Chart // the return comes first
	Short      string  // short link to the experiment; "": none was requested
	Played     bool    // whether a snapshot exists, so that the agent can be shown
	PlayedFrom uint64  // update of the oldest snapshot
	Board      []Fit   // tracks that accept its settings
	NoBoard    string  // why no track does; "": some do
	StartOf    string  // the track whose start it is; "": it is none
	MayChange  string  // settings that the nearest track allows to change
}

// Chart is one chart of a run.
type Chart struct {
	Name  string // of its file, without the ending
	Title string
	Says  string          // describes the chart for screen readers
	Drawn []chart.Drawing // the first is the widest
	High  int             // in pixels
	Value string          // heading of the second column of its table
	Rows  [][2]string
}

// Frozen is the data of a run's page as a file, which needs no server.
type Frozen struct {
	Styles          string // the style sheet
	Data            any    // for programs, as JSON
	CSV, Tape, JSON string // data: URLs
	Taken           string // time, in words
}

// date is the form of a time on a page.
const date = "2 January 2006 15:04 UTC"

// maxTapeLines limits the lines of a tape on the page. The tape itself has all of them.
const maxTapeLines = 200

// Title returns the title of the run's preset, or the names of its world and its algorithm.
func (r *Run) Title() string {
	return cmp.Or(link.PresetOf(r.Preset).Title, r.Settings["world"]+", "+r.Settings["algo"])
}

// Caption says below each of the run's figures which settings differ from its preset, at its start and later.
func (r *Run) Caption() string {
	differ := slices.DeleteFunc(r.differ(), func(one hyper.Setting) bool {
		return one.Key == "seed" || one.Key == "speed" || one.Key == "steps"
	})
	seed := "seed " + r.Settings["seed"]
	if r.Tape.SeedRef != "" {
		seed = "a secret seed"
	}
	return fmt.Sprintf("%s; %s, one run, over %s environment steps.", StartWords(r.Preset, differ, r.plan()), seed,
		number.Count(r.Steps))
}

// meanReturn returns the mean return of the last 100 episodes, for people.
func (r *Run) meanReturn() string {
	if m := r.ReturnMean100; m-m == 0 {
		return fmt.Sprintf("%.4g", m)
	}
	return "none yet"
}

// shortSHA is the beginning of the hash of the parameters.
func (r *Run) shortSHA() string {
	if len(r.ParamsSHA256) < 12 {
		return "not taken yet"
	}
	return r.ParamsSHA256[:8] + "…"
}

// computedOn names the device of the run and the reason for it, and says whether the run can be repeated exactly.
func (r *Run) computedOn() string {
	name := r.Device
	for _, e := range r.Tape.Events { // the tape has the device of a run that has ended
		name = cmp.Or(name, e.Device)
	}
	text := cmp.Or(name, "nothing at the moment")
	if r.DeviceWhy != "" {
		text += " (" + r.DeviceWhy + ")"
	}
	return text + ", " + r.Arithmetic + " arithmetic; " + r.exactness()
}

// exactness says whether the run can be repeated exactly.
func (r *Run) exactness() string {
	if outside := r.Tape.OutsideWords(); outside != "" {
		return "not exact: " + outside + ", whose data the tape does not contain"
	}
	if r.Settings["mode"] == string(hyper.Live) {
		return "not exact: a live run never gives the same bytes twice"
	}
	return "exact: the same settings give the same bytes"
}

// differ returns the settings at the run's start that differ from its preset.
func (r *Run) differ() []hyper.Setting { return differences(r.Preset, r.Tape.Settings) }

// differences returns the settings that differ from a preset. If the preset no longer exists, it returns all settings.
func differences(preset string, settings []hyper.Setting) (differ []hyper.Setting) {
	base, err := hyper.FromPreset(preset)
	for _, s := range settings {
		if err != nil || base.Get(s.Key) != s.Value {
			differ = append(differ, s)
		}
	}
	return differ
}

// eventWords describes a line of the tape.
func eventWords(e *tape.Event) string {
	switch e.Kind {
	case tape.Changed:
		return fmt.Sprintf("%s: %s → %s", e.Key, e.From, e.To)
	case tape.Marked:
		return "parameters " + e.ParamsSHA256
	case tape.Continued:
		return fmt.Sprintf("continued from update %d with %s arithmetic, build %s", e.Since, e.Arithmetic, e.Build)
	case tape.Outside:
		return fmt.Sprintf("an actor outside the server joined, and supplied data from update %d on", e.Update+1)
	case tape.Later:
		return "a line of a later build: " + e.Line
	}
	text := e.State + ", parameters " + e.ParamsSHA256
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

// maxChips limits the changes that the page shows as chips. The tape has all of them.
const maxChips = 12

func firstPlanned(plan []hyper.PlannedChange) []hyper.PlannedChange {
	return plan[:min(maxChips, len(plan))]
}

// config returns the configuration in force.
func (r *Run) config() (hyper.Config, error) {
	var settings []hyper.Setting
	for key, value := range r.Settings {
		settings = append(settings, hyper.Setting{Key: key, Value: value})
	}
	cfg, _, _, err := hyper.FromSettings(settings)
	return cfg, err
}

// modelWords states the version and the shapes of the run's policy as an ONNX model.
func (r *Run) modelWords() string {
	words := fmt.Sprintf("π as opset %d", onnx.Opset)
	cfg, err := r.config()
	if err != nil {
		return words
	}
	spec, err := cfg.Network()
	if err != nil {
		return words
	}
	if err := onnx.Refuse(&spec); err != nil {
		return words + ": " + err.Error()
	}
	return words + ": " + onnx.Shapes(&spec)
}

// PyTorch returns an update of the run as a page of PyTorch, with the settings in force. The error names the setting
// that no page can say.
func (r *Run) PyTorch() (string, error) {
	cfg, err := r.config()
	if err != nil {
		return "", err
	}
	return torch.Text(&cfg, fmt.Sprintf("impalab, %s: %s on %s", r.URL, r.Title(), cfg.World))
}

// plan returns the changes on the tape and the planned ones after them. A change of speed changes no byte, so it is
// left out.
func (r *Run) plan() (plan []hyper.PlannedChange) {
	for _, e := range r.Tape.Events {
		if e.Kind != tape.Changed || e.Key == "speed" {
			continue
		}
		if change, err := hyper.ParseChange(e.Key, e.To); err == nil { // another build may have other settings
			plan = append(plan, hyper.PlannedChange{Step: e.Step, Change: change})
		}
	}
	planned, _ := hyper.ParsePlan(r.Turns) // valid: the lab wrote them
	for _, t := range planned {
		if t.Step > r.Steps {
			plan = append(plan, t)
		}
	}
	return plan
}

// Experiment returns the link of the Lab that trains the run again: its settings and its changes. It returns "" if the
// run's seed is secret.
func (r *Run) Experiment() string {
	if r.Tape.SeedRef != "" {
		return ""
	}
	return strings.TrimPrefix(labLink(r.Preset, r.differ(), r.plan()), "#")
}

// labLink returns the link of the Lab that starts a run from a preset, with other settings and planned changes.
func labLink(preset string, settings []hyper.Setting, plan []hyper.PlannedChange) string {
	of := link.Link{Version: "1", Settings: []wire.Setting{{Key: "preset", Value: preset}}}
	for _, s := range settings {
		if s.Key != "speed" {
			of.Settings = append(of.Settings, wire.Setting(s))
		}
	}
	of.Settings = append(of.Settings, link.Plan(plan)...)
	return of.String()
}

// command returns the command that trains the run again: to its end or, if it has no end, to the step it has reached.
// It leaves out the speed, which changes no byte.
func (r *Run) command() string {
	words := []string{"impalab", "train"}
	if _, err := hyper.FromPreset(r.Preset); err == nil {
		words = append(words, "--preset", quote(r.Preset))
	}
	seed, steps := r.Tape.SeedRef, "0"
	for _, s := range r.Tape.Settings {
		switch s.Key {
		case "seed":
			seed = s.Value
		case "steps":
			steps = s.Value
		}
	}
	if steps == "0" { // else the command would never end
		steps = fmt.Sprint(max(1, r.Steps))
	}
	words = append(words, "--seed", quote(seed), "--steps", quote(steps))
	for _, s := range r.differ() {
		if !slices.Contains([]string{"seed", "steps", "speed"}, s.Key) {
			words = append(words, "--set", quote(s.Key+"="+s.Value))
		}
	}
	for _, t := range r.plan() {
		words = append(words, "--turn", quote(t.String()))
	}
	return strings.Join(words, " ")
}

// quote quotes a word for a shell.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=:.,/+@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func (r *Run) bibTeX() string {
	note := "build " + r.Build
	if r.ParamsSHA256 != "" {
		note += ", parameters " + r.ParamsSHA256
	}
	return fmt.Sprintf("@misc{impalab-%.8s,\n  title        = {%s: a run of impalab},\n  year         = {%d},\n"+
		"  howpublished = {\\url{%s}},\n  note         = {%s}\n}", r.ID, r.Title(), r.Created.Year(),
		r.URL, note)
}

// settingsJSON returns the settings in which an entry differs from its track's start.
func settingsJSON(f Fit) string {
	return jsonText(hyper.ByKey(f.Entry.Settings))
}

// staysThere says that a track fixes the lag, if it does.
func staysThere(f Fit) string {
	if f.Track.key("lag") != nil {
		return ""
	}
	return "The lag stays " + f.Track.Start.Get("lag") + " there, for everyone."
}
