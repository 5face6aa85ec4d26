//go:build js && wasm

package page

import (
	"syscall/js"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/wasm/microscope"
)

// readUnroll is the API's answer as a scope needs it.
func readUnroll(a js.Value) (*microscope.Unroll, error) {
	numbers := func(v js.Value) (out []float64) {
		if !v.Truthy() {
			return nil
		}
		for i := range v.Length() {
			out = append(out, v.Index(i).Float())
		}
		return out
	}
	u := &microscope.Unroll{
		World: a.Get("world").String(), Update: uint64(a.Get("update").Float()), Age: uint64(a.Get("age").Float()),
		Column: a.Get("trajectory").Int(), Of: a.Get("of").Int(), Replayed: a.Get("replayed").Bool(),
		Actor: a.Get("actor").Int(), Bootstrap: a.Get("bootstrap").Float(), NamedActions: a.Get("actions").Length() > 0,
	}
	var settings []hyper.Setting
	keys := js.Global().Get("Object").Call("keys", a.Get("settings"))
	for i := range keys.Length() {
		key := keys.Index(i).String()
		settings = append(settings, hyper.Setting{Key: key, Value: a.Get("settings").Get(key).String()})
	}
	var err error
	if u.Config, err = hyper.FromRecord(settings); err != nil {
		return nil, err
	}
	steps := a.Get("steps")
	for i := range steps.Length() {
		s := steps.Index(i)
		one := microscope.Step{
			Reward: s.Get("reward").Float(), Final: s.Get("final").Float(), Value: s.Get("value").Float(),
			Ratio: s.Get("ratio").Float(), Inside: s.Get("inside").Bool(),
		}
		switch s.Get("end").String() {
		case "terminated":
			one.End = envs.Terminated
		case "truncated":
			one.End = envs.Truncated
		}
		if u.NamedActions {
			action := s.Get("action").Int()
			one.Probabilities(action, numbers(s.Get("pi")), numbers(s.Get("mu")))
			one.Act = a.Get("actions").Index(action).String()
		} else if density := s.Get("density"); density.Truthy() {
			one.Densities(numbers(s.Get("real")), density.Get("pi").Float(), density.Get("mu").Float())
		}
		u.Steps = append(u.Steps, one)
	}
	return u, nil
}
