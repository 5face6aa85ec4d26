package lesson

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

// Every lesson is whole: at least one step of the short path, each with a prediction or evidence, and a check.
func TestEveryLessonIsWhole(t *testing.T) {
	names := map[string]bool{}
	for _, l := range All() {
		if l.Name == "" || l.Title == "" || l.Sentence == "" || len(l.Words) == 0 || names[l.Name] {
			t.Errorf("lesson %d: its head lacks something, or its name %q is taken", l.Number, l.Name)
		}
		for _, need := range l.Needs {
			if !names[need] {
				t.Errorf("%s needs %s, which does not come before it", l.Name, need)
			}
		}
		names[l.Name] = true
		core := 0
		for _, s := range l.Steps {
			if s.Core {
				core++
			}
			if s.Prose == "" || s.Predict == nil || s.Predict.Ask == "" || s.Reveal == "" {
				t.Errorf("%s, %s: a step has prose, a prediction and what it reveals", l.Name, s.Title)
			}
		}
		if core != len(l.Core) || core == 0 {
			t.Errorf("%s: %d steps of the short path; its head lists %d", l.Name, core, len(l.Core))
		}
		if l.Check.Ask == "" || l.Check.Prose == "" {
			t.Errorf("%s: its last step needs prose before the block check, and the check an ask", l.Name)
		}
	}
}

// The minutes that a list promises count all that a reader does: a whole lesson takes longer than its short path, and
// longer than its words alone.
func TestMinutesCountWordsGuessesAndRuns(t *testing.T) {
	l := &Lesson{Steps: []Step{
		{Core: true, Prose: strings.Repeat("word ", 130), Reveal: strings.Repeat("word ", 130), Predict: &Predict{},
			Live: []Live{{}, {}}},
		{Prose: strings.Repeat("word ", 260)},
	}, Check: Check{Prose: strings.Repeat("word ", 130)}}
	if short, whole := l.Minutes(false), l.Minutes(true); short != 3 || whole != 9 {
		t.Errorf("%d and %d minutes, want 3 and 9", short, whole)
	}
	for _, l := range All() {
		if short, whole := l.Minutes(false), l.Minutes(true); short < 3 || short > 10 || whole <= short || whole > 25 {
			t.Errorf("%s: %d minutes on the short path and %d in all; want 3 to 10, and more up to 25", l.Name, short,
				whole)
		}
	}
}

// A computed figure is said as it is, to the digits of the text. The tests of package quantity compute it.
func TestComputedFiguresAreSaidAsTheyAre(t *testing.T) {
	compared := 0
	for _, l := range append(slices.Clone(All()), Errata()) {
		text := all(l)
		for _, s := range l.Steps {
			if s.Evidence == nil {
				continue
			}
			for _, r := range s.Evidence.Rows {
				if r.Exact == "" || r.Says == "" {
					continue
				}
				compared++
				is := r.Is
				if strings.Contains(r.Says, "%") {
					is *= 100
				}
				if !Agrees(strings.TrimSuffix(r.Says, " %"), Figure{Mean: is}) {
					t.Errorf("%s, %s: %q is no rounding of %g", l.Name, r.Name, r.Says, is)
				}
				if r.Aside && !strings.Contains(text, r.Says) {
					t.Errorf("%s: nothing says %q, which is evidence", l.Name, r.Says)
				}
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// A test that is evidence is one of this repository, and no bar shows it.
func TestATestThatIsEvidenceExists(t *testing.T) {
	found := 0
	for _, l := range append(slices.Clone(All()), Errata()) {
		for _, s := range l.Steps {
			if s.Evidence == nil {
				continue
			}
			for _, r := range s.Evidence.Rows {
				if r.Test == "" {
					continue
				}
				found++
				folder, name, _ := strings.Cut(r.Test, " ")
				files, _ := filepath.Glob("../../" + folder + "/*_test.go")
				if !slices.ContainsFunc(files, func(file string) bool {
					text, err := os.ReadFile(file)
					return err == nil && strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)")
				}) || !r.Aside {
					t.Errorf("%s, %s: no test %s in %s, or a bar for it", l.Name, s.Title, name, folder)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no test is evidence of anything")
	}
}

// all is every text of a lesson.
func all(l *Lesson) string {
	text := l.Sentence + l.Aside + l.Check.Prose
	for _, s := range l.Steps {
		text += "\n" + s.Prose + "\n" + s.Reveal
		if s.Predict != nil {
			text += "\n" + s.Predict.Ask
			for _, o := range s.Predict.Choose {
				text += "\n" + o.Say + "\n" + o.Why
			}
		}
	}
	return text
}

// A figure that no bar shows stands in the text, or it is evidence of nothing.
func TestTheTextStatesTheMeasuredFigures(t *testing.T) {
	for _, l := range append(slices.Clone(All()), Errata()) {
		text := strings.ReplaceAll(all(l), "\n", " ")
		for _, s := range l.Steps {
			if s.Evidence == nil {
				continue
			}
			for _, r := range s.Evidence.Rows {
				for _, field := range Fields {
					claim := r.Field(field)
					if claim == "" {
						continue
					}
					if _, err := ParseFigure(claim); err != nil {
						t.Errorf("%s, %s: %v", l.Name, r.Name, err)
					}
					if r.Aside && !strings.Contains(text, number.FindString(claim)) {
						t.Errorf("%s: nothing says %s, which is evidence", l.Name, claim)
					}
				}
				if !r.Aside {
					if _, err := r.Value(s.Evidence.Show); err != nil {
						t.Errorf("%s, %s: its bar has no figure: %v", l.Name, s.Title, err)
					}
				}
			}
		}
	}
}

// The answer that a bar or a dial takes counts as right, and one beyond its tolerance does not.
func TestTheAnswerOfAPredictionIsRight(t *testing.T) {
	for _, l := range All() {
		for _, s := range l.Steps {
			for _, scale := range scales(s.Predict) {
				far := scale.Value + 2*scale.Within + 1
				if scale.Log {
					far = scale.Value * scale.Within * 2
				}
				if low, high := scale.Right(); scale.Value < low || scale.Value > high || far >= low && far <= high {
					t.Errorf("%s, %s: %g within %g is misjudged", l.Name, s.Title, scale.Value, scale.Within)
				}
				if scale.Value < scale.From || scale.Value > scale.To {
					t.Errorf("%s, %s: the answer %g is not on the axis", l.Name, s.Title, scale.Value)
				}
			}
		}
	}
}

func scales(p *Predict) (list []*Scale) {
	if p.Bar != nil {
		list = append(list, p.Bar)
	}
	if p.Dial != nil {
		list = append(list, &p.Dial.Scale)
	}
	return list
}

// Every link asks for settings that the table grants.
func TestEveryLinkIsGranted(t *testing.T) {
	for _, l := range All() {
		links := append([]Live(nil), l.Check.Live...)
		for _, s := range l.Steps {
			links = append(links, s.Live...)
		}
		for _, live := range links {
			if live.Page() {
				if live.Link != "microscope/proposition-2" {
					t.Errorf("%s, %q: nobody looks whether %s is there", l.Name, live.Say, live.Link)
				}
				continue
			}
			if err := granted(live.Link); err != nil {
				t.Errorf("%s, %q: %v", l.Name, live.Say, err)
			}
		}
	}
}

// granted reads a link as the page does, its turns and its second column too.
func granted(link string) error {
	var settings []hyper.Setting
	turns, beside := "", ""
	for _, pair := range strings.Split(link, "&") {
		key, value, _ := strings.Cut(pair, "=")
		switch key {
		case "t":
			turns = value
		case "b":
			beside = strings.NewReplacer("%3D", "=", "%26", "&").Replace(value)
		default:
			settings = append(settings, hyper.Setting{Key: key, Value: value})
		}
	}
	for _, more := range []string{"", beside} {
		with := append([]hyper.Setting(nil), settings...)
		for _, pair := range strings.FieldsFunc(more, func(r rune) bool { return r == '&' }) {
			key, value, _ := strings.Cut(pair, "=")
			with = append(with, hyper.Setting{Key: key, Value: value})
		}
		c, _, unknown, err := hyper.FromSettings(with)
		if err != nil || len(unknown) > 0 {
			return fmt.Errorf("%v %v", err, unknown)
		}
		list, err := hyper.ParsePlan(turns)
		if err != nil {
			return err
		}
		if err := c.CheckPlan(list, 0); err != nil {
			return err
		}
	}
	return nil
}

// The stored good answer passes and the stored bad one does not.
func TestChecksPassGoodAnswersAndFailBadOnes(t *testing.T) {
	for _, l := range All() {
		c := &l.Check
		judge := func(a Answer) Verdict {
			if c.Run == nil {
				return c.JudgeNumber(fmt.Sprint(a.Number))
			}
			settings := map[string]string{}
			for key, value := range c.Run.Locked {
				settings[key] = value
			}
			return c.Judge(Outcome{Settings: settings, Steps: a.Steps, Return: a.Return})
		}
		if v := judge(c.Good); !v.Passed {
			t.Errorf("%s: the good answer fails: %s", l.Name, v.Say)
		}
		if v := judge(c.Bad); v.Passed || v.Say == "" {
			t.Errorf("%s: the bad answer passes", l.Name)
		}
	}
}

func TestAChangedOrUnfinishedRunDoesNotPass(t *testing.T) {
	c := &Check{Ask: "x", Run: &Goal{Locked: map[string]string{"lag": "8"}, After: 1000, Within: 5000,
		Above: 450}}
	good := Outcome{Settings: map[string]string{"lag": "8"}, Steps: 2000, Return: 480}
	if !c.Judge(good).Passed {
		t.Fatal("a good run fails: ", c.Judge(good).Say)
	}
	for why, change := range map[string]func(*Outcome){
		"turned on the way":    func(o *Outcome) { o.Turned = true },
		"too early":            func(o *Outcome) { o.Steps = 999 },
		"over its budget":      func(o *Outcome) { o.Steps = 5001 },
		"too low":              func(o *Outcome) { o.Return = 449 },
		"without any episode":  func(o *Outcome) { o.Return = math.NaN() },
		"a locked setting off": func(o *Outcome) { o.Settings = map[string]string{"lag": "0"} },
	} {
		bad := good
		change(&bad)
		if c.Judge(bad).Passed {
			t.Errorf("%s: it passes", why)
		}
	}
}

func TestFiguresAgreeToTheLastDigitThatIsPrinted(t *testing.T) {
	for _, c := range []struct {
		claim    string
		measured Figure
		agrees   bool
	}{
		{"495 [468, 498]", Figure{494.6, 467.7, 497.7}, true},
		{"495 [468, 498]", Figure{494.4, 467.7, 497.7}, false},
		{"495 [468, 498]", Figure{494.6, 469.7, 497.7}, false},
		{"9.38", Figure{Mean: 9.384}, true},
		{"9.38", Figure{Mean: 9.386}, false},
		{"14 of 24", Figure{Mean: 14}, true},
		{"14 of 24", Figure{Mean: 13}, false},
		{"−0.5", Figure{Mean: -.5}, true},
		{"nothing", Figure{}, false},
	} {
		if Agrees(c.claim, c.measured) != c.agrees {
			t.Errorf("%q and %v: want %t", c.claim, c.measured, c.agrees)
		}
	}
}

func TestABrokenFileIsRefusedByName(t *testing.T) {
	head := "---\nname: x\ntitle: X\n---\n\n## Step\n\nProse.\n\n"
	for _, c := range []struct{ text, want string }{
		{"no head", "begins with its head"},
		{"---\nname: x\nnmae: y\n---\n", "nmae"},
		{head + "```predict\nask: what?\n", "not closed"},
		{head + "```guess\nask: what?\n```\n", "no such block"},
		{head + "```predict\nask: what?\nbar: {from: 0, to: 1, answer: nowhere}\n```\n", `row "nowhere"`},
		{head + "```predict\nask: what?\nchoose:\n - {say: a}\n - {say: b}\n```\n", "0 of the answers"},
		{head + "```evidence\nrows:\n - {exact: destination rho=1, iss: 2}\n```\n", "iss"},
	} {
		if _, err := Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

// A lesson says every word that it introduces. A symbol behind a word may stand apart.
func TestALessonSaysTheWordsItIntroduces(t *testing.T) {
	for _, l := range All() {
		text := strings.ToLower(strings.NewReplacer("\n", " ", "*", "", "$", "").Replace(all(l)))
		for _, word := range l.Words {
			name, symbol, _ := strings.Cut(strings.ToLower(word), " ")
			if len([]rune(symbol)) != 1 {
				name = strings.ToLower(word)
			}
			if !strings.Contains(text, name) {
				t.Errorf("%s does not say %q", l.Name, word)
			}
		}
	}
}

// A plot computes its lines, finds their jumps, and covers each line that answers a question.
func TestAPlotComputesItsLinesAndCoversAnswers(t *testing.T) {
	l, err := Find("from-ppo")
	if err != nil {
		t.Fatal(err)
	}
	p := l.Steps[0].Plot
	at := p.Index()
	vtrace, good, bad := &p.Panels[0].Lines[0], &p.Panels[0].Lines[1], &p.Panels[0].Lines[2]
	if p.Xs()[at] != 1.5 || vtrace.Values[at] != 1 || good.Values[at] != 0 || bad.Values[at] != 1.5 {
		t.Errorf("at %v: V-trace %v, PPO %v for a good step and %v for a bad one; want 1.5: 1, 0 and 1.5", p.Xs()[at],
			vtrace.Values[at], good.Values[at], bad.Values[at])
	}
	edge := slices.Index(p.Xs(), 1.2)
	if edge < 0 || good.Values[edge] != 1.2 {
		t.Errorf("the clip's edge, 1.2, is no place of the lens, or no longer counts there")
	}
	jump := -1
	for i := 1; i < len(good.Curve); i++ {
		if good.Curve[i].X == good.Curve[i-1].X {
			jump = i
		}
	}
	if jump < 0 || math.Abs(good.Curve[jump].X-1.2) > 1e-9 || good.Curve[jump-1].Y < 1.1 || good.Curve[jump].Y != 0 {
		t.Error("PPO's curve has no jump from 1.2 to 0 at a ratio of 1.2")
	}
	plots := 0
	for _, l := range All() {
		for i, s := range l.Steps {
			if s.Plot == nil {
				continue
			}
			plots++
			covered := s.Plot.After == i+1
			for _, panel := range s.Plot.Panels {
				for _, line := range panel.Lines {
					if long := len([]rune(line.Name)); s.Plot.Lens() && len(s.Plot.Panels) == 1 && long > 11 {
						t.Errorf("%s, %s: %q has %d letters; 11 fit beside a curve", l.Name, s.Title, line.Name, long)
					}
					covered = covered || line.After == i+1
				}
			}
			if !covered && s.Plot.Batch == "" {
				t.Errorf("%s, %s: its plot shows the answer before the guess", l.Name, s.Title)
			}
		}
	}
	if plots < 25 {
		t.Errorf("%d plots, want 25 and more", plots)
	}
}

// The chance that a figure of draws states is the share of its runs that have fallen.
func TestTheChanceOfADrawIsTheShareOfFallenRuns(t *testing.T) {
	draws := 0
	for _, l := range All() {
		for _, s := range l.Steps {
			if s.Plot == nil || s.Plot.Draw == nil {
				continue
			}
			draws++
			d := s.Plot.Draw
			share := 1 - float64(d.Fallen())/float64(len(d.Ends))
			for _, x := range []float64{1, 8, 22} {
				is, err := s.Plot.Panels[0].Lines[0].At(x)
				if want := math.Pow(share, x); err != nil || math.Abs(is-want) > 1e-12 {
					t.Errorf("%s: with %v runs the figure states %v, and %d of %d runs make %v (%v)", l.Name, x, is,
						d.Fallen(), len(d.Ends), want, err)
				}
			}
		}
	}
	if draws == 0 {
		t.Error("no figure draws from runs")
	}
}

func TestABadPlotIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"places: 4":     "an axis x with places",
		"choose: [one]": "an axis x with places",

		"x: {from: 1, to: 3}\nplaces: 2\ndraw: {row: nowhere, below: 60}":      `ends of row "nowhere"`,
		"x: {from: 0, to: 3}\nplaces: 3\nrace: {act: 40, learn: 10, queue: 4}": "axis of one actor and more",

		"choose: [one, two]\npictures: [map none]": "1 pictures and 2 positions",

		"x: {from: 0, to: 2}\nplaces: 4\npanels: [{lines: [{name: a, of: nonsense, along: ratio}]}]":         "no quantity",
		"x: {from: 0, to: 2}\nplaces: 4\npanels: [{lines: [{name: a, of: ppo-factor, along: nonsense}]}]":    "no argument",
		"x: {from: 0, to: 2}\nplaces: 4\npanels: [{lines: [{name: a, of: knob, along: z, want: nonsense}]}]": "no quantity",
	} {
		_, err := Parse("---\nname: a\n---\n## Step\nProse\n```plot\n" + text + "\n```\n")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want an error with %q", text, err, want)
		}
	}
}
