package api

// What a room is asked and answers, and what comes of it: plans, answers, reports and files.

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"impalab/server/class"
	"impalab/server/exercise"
)

// SendAnswer is the body of a guess, a try or what is handed in.
type SendAnswer struct {
	Kind     string           `json:"kind" enum:"guess,try,hand-in,sentence"`
	Task     string           `json:"task" doc:"Name of the task, from the view."`
	Settings map[string]Value `json:"settings,omitempty"`
	Number   *float64         `json:"number,omitempty"`
	Numbers  []float64        `json:"numbers,omitempty"`
	Choice   *int             `json:"choice,omitempty" doc:"A place in choose, from 0."`
	Second   *int             `json:"second,omitempty" doc:"A place in second, from 0."`
	Text     string           `json:"text,omitempty" doc:"A sentence of up to 200 letters."`

	Draw    string             `json:"draw,omitempty" doc:"Of the unrolls that the targets are of."`
	Targets []exercise.Targets `json:"targets,omitempty" doc:"What a program has computed of GET /rooms/CODE/unrolls/TASK: one for each unroll, in its order."`
}

// Sent is the number of an answer.
type Sent struct {
	Number int64 `json:"number"`
}

// Plan is a plan that a room may have.
type Plan struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	For      string   `json:"for"`
	Aim      string   `json:"aim"`
	Minutes  int      `json:"minutes" doc:"0: at one's own pace."`
	Steps    []string `json:"steps"`
	Homework []string `json:"homework"`
}

// Plans are all there are.
func Plans() (all []Plan) {
	for _, p := range exercise.Plans() {
		plan := Plan{p.Name, p.Title, p.For, p.Aim, p.Minutes, []string{}, append([]string{}, p.Homework...)}
		for _, s := range p.Steps {
			plan.Steps = append(plan.Steps, s.Title)
		}
		all = append(all, plan)
	}
	return all
}

func (a *api) sendAnswer(ctx context.Context, in *struct {
	Caller
	InRoom
	Body SendAnswer
}) (*body[Sent], error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	said := exercise.Answer{Number: b.Number, Numbers: b.Numbers, Choice: b.Choice, Second: b.Second,
		Text: b.Text, Draw: b.Draw, Targets: b.Targets}
	if len(b.Settings) > 0 {
		said.Settings = map[string]string{}
	}
	for key, value := range b.Settings {
		said.Settings[key] = string(value)
	}
	number, err := r.Answer(ctx, who.Member, b.Kind, b.Task, said)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(Sent{number}), nil
}

func (a *api) unrolls(ctx context.Context, in *struct {
	Caller
	InRoom
	Task string `path:"task" doc:"Name of the task, from the view."`
	Kind string `query:"kind" enum:"try,hand-in" default:"hand-in" doc:"try: unrolls to check a program with; hand-in: unrolls of an answer."`
}) (*body[exercise.Inputs], error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	inputs, err := r.Unrolls(who.Member, in.Task, in.Kind)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(inputs), nil
}

func (a *api) readAnswer(ctx context.Context, in *struct {
	Caller
	InRoom
	Number int64 `path:"number" doc:"Number of the answer."`
}) (*body[class.Given], error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	given, err := r.Given(who, in.Number)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(given), nil
}

func (a *api) report(ctx context.Context, in *struct {
	Caller
	OfMember
}) (*body[class.Report], error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	report, err := r.Report(who, in.Number)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(report), nil
}

func (a *api) verify(ctx context.Context, in *struct {
	Caller
	InRoom
	Receipt string `path:"receipt" maxLength:"40" doc:"Receipt of the answer, as the student has it."`
}) (*body[class.Receipted], error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	is, err := r.Verify(in.Receipt)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(is), nil
}

func (a *api) credits(ctx context.Context, in *struct {
	Caller
	InRoom
	Form string `query:"form" enum:"plain,canvas,moodle" default:"plain" doc:"Headings of the file: plain, or those that Canvas or Moodle import."`
}) (*huma.StreamResponse, error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", csvType)
		c.SetHeader("Content-Disposition", `attachment; filename="`+r.Code()+`.csv"`)
		r.Credits(c.BodyWriter(), in.Form) // nobody may read on
	}}, nil
}

func (a *api) roomFile(ctx context.Context, in *struct {
	Caller
	InRoom
}) (*struct {
	Disposition string `header:"Content-Disposition"`
	Body        class.File
}, error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	return &struct {
		Disposition string `header:"Content-Disposition"`
		Body        class.File
	}{`attachment; filename="room-` + r.Code() + `.json"`, r.File()}, nil
}

func (a *api) script(ctx context.Context, in *struct {
	Caller
	InRoom
}) (*body[class.Script], error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	script, err := r.Script()
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(script), nil
}
