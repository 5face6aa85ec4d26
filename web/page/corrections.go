package page

import (
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/wire"
)

// correctionsPath is the path of the page of all corrections, below the base.
const correctionsPath = "corrections"

// Vectors is the name of the file of batches and weights, in the folder static and below the base.
const Vectors = "corrections.json"

//go:embed corrections/*.json
var correctionFiles embed.FS

// id is the name of a form's place on the page: its correction, as links spell it.
func (f *form) id() string { return f.method.String() }

// slug is the name of the place of a name on the page.
func (n *name) slug() string { return strings.ReplaceAll(strings.ToLower(n.words), " ", "-") }

// link returns the part of a link that sets f's correction and its numbers in cfg.
func (f *form) link(cfg *hyper.Config) string {
	words := "correction=" + f.id()
	preset, err := hyper.FromPreset(batchPreset)
	if err != nil {
		return words
	}
	for i := range hyper.Table {
		key := hyper.Table[i].Key
		own := slices.Contains(f.keys(), key) ||
			slices.ContainsFunc(f.settings, func(s hyper.Setting) bool { return s.Key == key })
		if value := cfg.Get(key); own && value != preset.Get(key) {
			words += "&" + key + "=" + url.QueryEscape(value)
		}
	}
	return words
}

// chosen returns the part of a link that chooses the form with its defaults.
func (f *form) chosen() string {
	cfg, err := f.settle(nil)
	if err != nil {
		panic(fmt.Sprintf("page: %s: %v", f.name, err))
	}
	return f.link(&cfg)
}

// Weigh returns as JSON what the correction of a query makes of the stored batches, for the page to draw. The query
// names the correction and may set its numbers. The error is a sentence for people.
func Weigh(query url.Values) ([]byte, error) {
	if query.Get("correction") == correct.MethodOwn.String() {
		return weighOwn(query)
	}
	i := slices.IndexFunc(forms, func(f form) bool { return f.id() == query.Get("correction") })
	if i < 0 {
		return nil, hyper.Unknown("correction", query.Get("correction"), formIDs(), "correction=band is one")
	}
	var settings []hyper.Setting
	for key, values := range query {
		if key == "correction" {
			continue
		}
		if !slices.Contains(forms[i].keys(), key) {
			return nil, fmt.Errorf("%.40q is not a number of %s: this address takes %s", key, forms[i].name,
				strings.Join(append([]string{"correction"}, forms[i].keys()...), ", "))
		}
		if len(values) != 1 {
			return nil, fmt.Errorf("%s is there %d times: give it once", key, len(values))
		}
		if len(values[0]) > wire.MaxValue {
			return nil, fmt.Errorf("the value of %s has %d bytes: at most %d are allowed", key, len(values[0]), wire.MaxValue)
		}
		settings = append(settings, hyper.Setting{Key: key, Value: values[0]})
	}
	made, err := forms[i].weighing(settings)
	if err != nil {
		return nil, err
	}
	return json.Marshal(made)
}

// levelKey is the setting of what the ratio of a step is the ratio of.
const levelKey = "ratio"

// keys returns the keys of the settings that the page turns under f: of its numbers, and of the level.
func (f *form) keys() (keys []string) {
	for _, g := range f.grips {
		keys = append(keys, g.Key)
	}
	if correct.Corrections[f.method].Levels {
		keys = append(keys, levelKey)
	}
	return keys
}

func formIDs() (ids []string) {
	for i := range forms {
		ids = append(ids, forms[i].id())
	}
	return ids
}

// shown is a form with what it makes of the stored batches.
type shown struct {
	*form
	*weighing
	at int // index of the lag that is drawn first
}

// drawnForms returns the rows as the page draws them first. They are weighed once for all requests.
var drawnForms = sync.OnceValue(func() (all []shown) {
	for i := range forms {
		all = append(all, shown{&forms[i], forms[i].mustWeigh(), slices.Index(batchLags, shownLag)})
	}
	return all
})

// mustWeigh is weighing with settings that a test knows.
func (f *form) mustWeigh(settings ...hyper.Setting) *weighing {
	made, err := f.weighing(settings)
	if err != nil {
		panic(fmt.Sprintf("page: %s: %v", f.name, err))
	}
	return made
}

// path returns the curve of a sign at the lag that is drawn first.
func (s *shown) path(of []string) string { return of[min(s.at, len(of)-1)] }

// strip returns the ticks of a fate at the lag that is drawn first.
func (s *shown) strip(fate chart.Fate) string {
	return chart.StripPath(batches()[s.at].places[correct.LevelStep], s.Fates[s.at], fate)
}

// marks returns the row of the table for a sign, 0 good and 1 bad, at the lag that is drawn first.
func (s *shown) marks(sign int) []string {
	of, n := s.Marks[min(s.at, len(s.Marks)-1)], len(ratioTicks())
	return of[sign*n : (sign+1)*n]
}

// fates are the fates with their names in the style sheet and in words.
var fates = []struct {
	fate  chart.Fate
	class string
	words string
}{
	{chart.FateLikely, "likely", "as likely"}, {chart.FatePressed, "pressed", "pressed"},
	{chart.FateLouder, "louder", "louder"}, {chart.FateOut, "out", "left out"},
	{chart.FateNone, "apart", "ratios not looked at"},
}

// counts says how many steps of a batch have each fate.
func counts(of string) string {
	var parts []string
	for _, f := range fates {
		if n := strings.Count(of, string(f.fate)); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, f.words))
		}
	}
	return strings.Join(parts, ", ")
}

// sentence begins what a screen reader says of the picture of a row; the counts of a batch follow.
func (s *shown) sentence() string { return s.name + ": " + s.formula + "." }

// describe says in one sentence what the picture of a row shows.
func (s *shown) describe() string {
	return fmt.Sprintf("%s Of a batch %d updates old: %s.", s.sentence(), batchLags[s.at], counts(s.Fates[s.at]))
}

// named returns all names of f, also the names of its levels.
func (f *form) named() []name {
	all := slices.Clone(f.names)
	for _, l := range f.levels {
		if l.words != "" && !slices.ContainsFunc(all, func(n name) bool { return n.words == l.words }) {
			all = append(all, name{l.words, fmt.Sprintf("%s; %s=%s", l.source, levelKey, l.level)})
		}
	}
	return all
}

// gripText is the value of a grip in words.
func (s *shown) gripText(i int) string { return s.Values[i] + ", " + counts(s.Fates[s.at]) }

// pageWeights is the data of corrections.js.
type pageWeights struct {
	Preset string               `json:"preset"`
	Lags   []int                `json:"lags"`
	Levels map[string]pageLevel `json:"levels"`
	Fates  []drawnFate          `json:"fates"`
	Says   []lagSaying          `json:"says"`
	Wide   float64              `json:"wide"`
	Least  float64              `json:"least"` // heights of the weights 1/10, 1, 10 and 0
	One    float64              `json:"one"`
	Most   float64              `json:"most"`
	None   float64              `json:"none"`
}

// pageLevel is the batches at a level of the ratio.
type pageLevel struct {
	Places [][]float64          `json:"places"` // of each step of each batch
	Forms  map[string]*weighing `json:"forms"`  // of the corrections that have the level
	Says   string               `json:"says"`   // what the level changes
}

// levelSayings say what a level changes.
var levelSayings = []string{
	correct.LevelStep: "",
	correct.LevelResponse: "The product over a stretch of an episode: all its steps have one ratio, which spreads wider " +
		"than theirs.",
	correct.LevelMean: "The geometric mean over a stretch of an episode: all its steps have one ratio, nearer to 1 than " +
		"theirs.",
}

// drawnFate is a fate with its name in words, and its strokes in a strip.
type drawnFate struct {
	Fate    string   `json:"fate"`
	Words   string   `json:"words"`
	Strokes []string `json:"strokes"`
}

// weightsText returns the data of corrections.js, made once for all requests.
var weightsText = sync.OnceValue(func() string { return jsonText(weightsOf(drawnForms())) })

func weightsOf(all []shown) pageWeights {
	p := pageWeights{Preset: batchPreset, Lags: batchLags, Levels: map[string]pageLevel{}, Says: lagSayings,
		Wide: chart.WeightWide, Least: chart.WeightY(.1), One: chart.WeightY(1), Most: chart.WeightY(10),
		None: chart.WeightY(0)}
	for level, name := range correct.LevelNames {
		l := pageLevel{Forms: map[string]*weighing{}, Says: levelSayings[level]}
		for _, b := range batches() {
			l.Places = append(l.Places, b.places[level])
		}
		for _, s := range all {
			switch {
			case correct.Level(level) == correct.LevelStep:
				l.Forms[s.id()] = s.weighing
			case correct.Corrections[s.method].Levels:
				l.Forms[s.id()] = s.mustWeigh(hyper.Setting{Key: levelKey, Value: name})
			}
		}
		p.Levels[name] = l
	}
	for _, f := range fates {
		p.Fates = append(p.Fates, drawnFate{string(f.fate), f.words, f.fate.Strokes()})
	}
	return p
}

// studied are the studies whose figures the rows show, with the lags of the axis. Their files come from RESULTS.md:
//
//	go -C tools run ./results corrections
var studied = []struct{ name, title string }{{"forms-cartpole", "CartPole"}, {"forms-reverse", "Reverse"}}

// MeasuredFile has the returns of these studies, below the top folder of the source.
const MeasuredFile = "web/page/corrections/measured.json"

// MeasuredStudies returns the names of these studies.
func MeasuredStudies() (names []string) {
	for _, s := range studied {
		names = append(names, s.name)
	}
	return names
}

var measuredLags = []int{0, 4, 16, 64}

// Measured is the file of the studies' figures: of each study and each of its rows, what is measured.
type Measured map[string]map[string]Figure

// Figure is the return over a run: the interquartile mean over seeds and its 95 % interval.
type Figure struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

var returnsOf = sync.OnceValue(func() (m Measured) {
	text, err := correctionFiles.ReadFile("corrections/measured.json")
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		panic("page: the measured returns cannot be read: " + err.Error())
	}
	return m
})

// levelsOf returns the measured returns of rows that begin with a label; false if none is measured.
func levelsOf(study, label string) (at []chart.Level, any bool) {
	for _, lag := range measuredLags {
		f, is := returnsOf()[study][fmt.Sprintf("%s, lag %d", label, lag)]
		level := chart.Level{Mean: math.NaN()}
		if is {
			any, level = true, chart.Level{Mean: f.Mean, Low: f.Low, High: f.High}
		}
		at = append(at, level)
	}
	return at, any
}

// lagSaying is what a batch shows from a lag on.
type lagSaying struct {
	From int    `json:"from"`
	Says string `json:"says"`
}

// lagSayings say what a batch of each lag shows, from a lag on.
var lagSayings = []lagSaying{
	{0, "On fresh data every ratio is 1, and all corrections are the same. Move the slider."},
	{1, "A few updates later the steps have begun to spread. Most corrections do not notice yet."},
	{8, "The older the batch, the wider its strip. A correction matters only where the strip lies."},
	{32, "Now the strip reaches the bends and the drops: compare the counts at the left."},
}

// weightBox is the viewBox of a stretched picture.
func weightBox(high float64) string { return fmt.Sprintf("0 0 %v %v", chart.WeightWide, high) }

func position(v float64) string { return fmt.Sprintf("%.2f%%", v) }

// diagonalPath is the line of the full ratio.
func diagonalPath() string {
	return chart.WeightPath([]chart.Weighed{{Ratio: .1, Weight: .1}, {Ratio: 10, Weight: 10}})
}

// tickAt is the place of a lag below the slider, whose thumb is 20 pixels wide.
func tickAt(i int) string { return position(3 + 94*float64(i)/float64(len(batchLags)-1)) }

type ratioTick struct {
	ratio float64
	words string
}

// x and y are the places of a tick on the axes of the ratio and of the weight.
func (t *ratioTick) x() string { return position(100 * chart.WeightX(t.ratio) / chart.WeightWide) }

func (t *ratioTick) y() string { return position(100 * chart.WeightY(t.ratio) / chart.WeightHigh) }

func ratioTicks() []ratioTick {
	return []ratioTick{{.125, "⅛"}, {.25, "¼"}, {.5, "½"}, {1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}}
}

// weightTicks are the ticks of the axis of the large curve.
func weightTicks() []ratioTick {
	return []ratioTick{{4, "4"}, {2, "2"}, {1, "1"}, {.5, "½"}, {.25, "¼"}, {0, "0"}}
}

// plotRole is the role of a picture: one with grips is a group of them.
func plotRole(s *shown) string {
	if len(s.grips) > 0 {
		return "group"
	}
	return "img"
}

// gripRow returns the setting of a grip. A test knows all of them.
func gripRow(key string) *hyper.Row {
	row, _ := hyper.Lookup(key)
	return row
}

// gripSymbol names a grip's setting: its symbol, or its key.
func gripSymbol(key string) string {
	if symbol := gripRow(key).Symbol; symbol != "" {
		return `<i class="symbol">` + typeset(symbol) + `</i>`
	}
	return key
}

// runLink is the link of the Lab that runs a correction beside none.
func runLink(settings string, lag int) string {
	link := fmt.Sprintf("#v=1&p=%s&lag=%d&%s", batchPreset, lag, settings)
	if settings != "correction=none" {
		link += "&b=correction%3Dnone"
	}
	return link
}

// anyMeasured reports whether a study has figures for the page.
func anyMeasured() bool { return len(returnsOf()) > 0 }

// returnsDrawn draws the returns of a row in a study.
func returnsDrawn(study string, s *shown, at []chart.Level) string {
	none, _ := levelsOf(study, "none")
	most := 0.0
	for _, f := range returnsOf()[study] {
		most = max(most, f.High)
	}
	return chart.DrawLagReturns(chart.LagReturns{At: at, None: none, Lags: measuredLags, Most: most,
		Own: s.method == correct.MethodNone})
}

// returnWords writes a return to three digits, and "" for one that is not measured.
func returnWords(l chart.Level) string {
	if math.IsNaN(l.Mean) {
		return ""
	}
	return fmt.Sprintf("%.3g", l.Mean)
}

// returnAt is the return at a lag in words.
func returnAt(at []chart.Level, lag int) string {
	return returnWords(at[slices.Index(measuredLags, lag)])
}

// returnsText is all returns in words, for corrections.js.
func returnsText(at []chart.Level) string {
	var words []string
	for _, l := range at {
		words = append(words, returnWords(l))
	}
	return strings.Join(words, ",")
}

// returnsSay describes the returns of a row for screen readers.
func returnsSay(world, name string, at []chart.Level) string {
	var words []string
	for i, l := range at {
		if !math.IsNaN(l.Mean) {
			words = append(words, fmt.Sprintf("lag %d: %.3g, %.3g to %.3g", measuredLags[i], l.Mean, l.Low, l.High))
		}
	}
	return fmt.Sprintf("%s, %s: mean return over the run. %s.", world, name, strings.Join(words, "; "))
}
