package algo

import (
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/program"
)

// Stored finds the programs that Programs made; it makes none.
func Stored(s program.Stored) Lower {
	return func(spec net.Spec, t, b int, tangent bool) (*program.Program, error) {
		return s.Find(spec.Text(), t, b, tangent)
	}
}

// Programs returns the programs of cfg's machine, made by lower. With them a learner of the same settings needs no
// graph.
func Programs(lower Lower, cfg *hyper.Config) (made program.Stored, err error) {
	m, err := NewMachine(func(spec net.Spec, t, b int, tangent bool) (*program.Program, error) {
		p, err := lower(spec, t, b, tangent)
		made = append(made, p)
		return p, err
	}, cfg)
	if err != nil {
		return nil, err
	}
	m.Close()
	return made, nil
}
