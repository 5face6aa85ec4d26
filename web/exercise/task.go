package exercise

import (
	"strings"

	"impalab/learner/hyper"
)

// Task is a step as students see it, without the right answer.
type Task struct {
	Name    string     `json:"name"`
	Kind    string     `json:"kind" enum:"read,predict,run,lab,reach,find,number,numbers,cause,program,sentence"`
	Title   string     `json:"title"`
	Say     string     `json:"say"`
	Ask     string     `json:"ask"`
	Choose  []string   `json:"choose"`
	Then    string     `json:"then"`
	Second  []string   `json:"second"`
	From    float64    `json:"from"`
	To      float64    `json:"to"`
	Log     bool       `json:"log"`
	Whole   bool       `json:"whole" doc:"A guess is a whole number."`
	Unit    string     `json:"unit"`
	Names   []string   `json:"names"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
	Keys    []Knob     `json:"keys"`
	Steps   uint64     `json:"steps"`
	Preset  string     `json:"preset"`
	Start   string     `json:"start" doc:"Settings of the start, as a link of the Lab has them."`
	Text    string     `json:"text" doc:"The program to begin with."`
	HandIns int        `json:"hand_ins" doc:"Allowed hand-ins; 0: it earns no credit."`
	Begins  string     `json:"begins" doc:"How a sentence of this task begins."`
	Starts  []string   `json:"starts" doc:"Ways to continue it."`
	Weights []float64  `json:"weights" doc:"Weights of old steps, from 0 to 1, to be drawn as poses."`
	Public  bool       `json:"public" doc:"It can be checked or tried before it is handed in."`
}

// Knob is a setting that students may change.
type Knob struct {
	Key
	Title string `json:"title"`
	Value string `json:"value" doc:"At the start."`
	Lines int    `json:"lines,omitempty" doc:"Most bytes of a text with lines; absent: a value of one word."`
}

// TaskOf returns a step as students see it.
func TaskOf(step *Step) *Task {
	t := &Task{Name: step.Name, Kind: "read", Title: step.Title, Say: step.Say, Choose: []string{}, Second: []string{},
		Starts: []string{}, Names: []string{}, Columns: []string{}, Rows: [][]string{}, Keys: []Knob{},
		Weights: append([]float64{}, step.Weights...)}
	switch {
	case step.Predict != nil:
		q := step.Predict
		t.Kind, t.Ask, t.Choose, t.From, t.To, t.Log, t.Unit = "predict", q.Ask, q.Choose.Texts(), q.From,
			q.To, q.Log, q.Unit
		t.Whole = q.Whole
	case step.Run != nil:
		t.Kind, t.Public = "run", true
		t.start(step.Run)
	case step.Lab != nil:
		t.Kind = "lab"
		t.start(step.Lab)
	case step.Sentence != "":
		t.Kind, t.Ask, t.Begins, t.Starts = "sentence", step.Sentence, step.Begins, append(t.Starts, step.Starts...)
	case step.Exercise != "":
		e, err := Named(step.Exercise)
		if err != nil {
			return t
		}
		t.Name, t.Title, t.Ask, t.HandIns = e.Name, e.Title, e.Ask, e.Tries
		switch {
		case e.Reach != nil:
			t.Kind, t.Public = "reach", true
			t.start(&e.Reach.Start)
		case e.Find != nil:
			t.Kind, t.Public = "find", true
			t.Keys = []Knob{{e.Find.Key, titleOf(e.Find.Key.Key), "", 0}}
		case e.Number != nil:
			t.Kind, t.Unit = "number", e.Number.Unit
		case e.Numbers != nil:
			t.Kind, t.Public, t.Names = "numbers", true, e.Numbers.Names
		case e.Program != nil:
			t.Kind, t.Public, t.Text = "program", true, e.Program.Start
		case e.Cause != nil:
			t.Kind, t.Columns, t.Rows = "cause", e.Cause.Columns, e.Cause.Rows
			t.Choose, t.Then, t.Second = e.Cause.Choose.Texts(), e.Cause.Then, e.Cause.Second.Texts()
		}
	}
	return t
}

func (t *Task) start(s *Start) {
	cfg := s.Base()
	t.Steps, t.Preset = s.Steps, s.Preset
	preset, _ := hyper.FromPreset(s.Preset) // a test reads every file
	t.Start = "p=" + s.Preset
	for _, d := range cfg.Diff(&preset) {
		t.Start += "&" + d.Key + "=" + d.Value
	}
	for _, k := range s.Keys {
		row, err := hyper.Lookup(k.Key)
		if err != nil {
			panic(err) // a test reads every file
		}
		t.Keys = append(t.Keys, Knob{k, titleOf(k.Key), cfg.Get(k.Key), row.Lines})
	}
}

func titleOf(key string) string {
	row, err := hyper.Lookup(key)
	if err != nil {
		return key
	}
	return strings.TrimSpace(row.Inline() + " " + row.Words)
}
