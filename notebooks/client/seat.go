package client

// A seat in a room of a class, from which a program hands in numbers: it gets new unrolls and sends back only the
// numbers that it computes from them.

import (
	"context"
	"fmt"
	"math"
)

// Seat is a student's place in a room.
type Seat struct {
	Code, Secret string
	client       *Client
}

// Seat returns the place of a browser: its page shows the code and the secret.
func (c *Client) Seat(code, secret string) *Seat { return &Seat{code, secret, c} }

// Join takes a new place in a room.
func (c *Client) Join(ctx context.Context, code, nickname string) (*Seat, error) {
	var seated struct{ Secret string }
	err := c.json(ctx, "POST", "/rooms/"+code+"/members", "", map[string]string{"nickname": nickname}, &seated)
	return &Seat{code, seated.Secret, c}, err
}

// Unroll is one trajectory with its correction: T steps, the value behind the last of them, and ceilings; +Inf cuts
// nothing.
type Unroll struct {
	Reward    []float64
	Discount  []float64 // γ_t: 0 where an episode ends
	Value     []float64
	Bootstrap float64
	Ratio     []float64
	RhoBar    float64
	CBar      float64
	Lambda    float64
}

// VTrace is the result of a program: the targets v_t and the advantages r_t + γ_t·v_{t+1} − V_t, both of T steps.
type VTrace func(u Unroll) (vs, adv []float64)

// Verdict is the server's judgement of an answer.
type Verdict struct {
	Credit  float64 // 0 to 1; a try has none
	Say     string
	Receipt string
}

// Try checks a program on public unrolls.
func (s *Seat) Try(ctx context.Context, task string, program VTrace) (Verdict, error) {
	return s.answer(ctx, "try", task, program)
}

// HandIn has a program judged on new unrolls, and costs a turn.
func (s *Seat) HandIn(ctx context.Context, task string, program VTrace) (Verdict, error) {
	return s.answer(ctx, "hand-in", task, program)
}

func (s *Seat) answer(ctx context.Context, kind, task string, program VTrace) (v Verdict, err error) {
	var in struct {
		Draw    string
		Unrolls []struct {
			R, Discount, V, IS []float64
			Bootstrap, Lambda  float64
			RhoBar             *float64 `json:"rho_bar"`
			CBar               *float64 `json:"c_bar"`
		}
	}
	at := "/rooms/" + s.Code
	if err := s.client.json(ctx, "GET", at+"/unrolls/"+task+"?kind="+kind, s.Secret, nil, &in); err != nil {
		return v, err
	}
	type targets struct {
		VS  []float64 `json:"vs"`
		Adv []float64 `json:"adv"`
	}
	var all []targets
	for i, u := range in.Unrolls {
		vs, adv := program(Unroll{u.R, u.Discount, u.V, u.Bootstrap, u.IS, ceiling(u.RhoBar), ceiling(u.CBar), u.Lambda})
		for name, series := range map[string][]float64{"vs": vs, "adv": adv} {
			if len(series) != len(u.R) {
				return v, fmt.Errorf("unroll %d has %d steps, and %s has %d; nothing was sent", i+1, len(u.R), name, len(series))
			}
			for t, x := range series {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					return v, fmt.Errorf("%s[%d] of unroll %d is %v; nothing was sent", name, t, i+1, x)
				}
			}
		}
		all = append(all, targets{vs, adv})
	}
	var sent struct{ Number int64 }
	body := map[string]any{"kind": kind, "task": task, "draw": in.Draw, "targets": all}
	if err := s.client.json(ctx, "POST", at+"/answers", s.Secret, body, &sent); err != nil {
		return v, err
	}
	var given struct {
		Credit       *float64
		Say, Receipt string
	}
	err = s.client.json(ctx, "GET", fmt.Sprint(at, "/answers/", sent.Number), s.Secret, nil, &given)
	if v.Say, v.Receipt = given.Say, given.Receipt; given.Credit != nil {
		v.Credit = *given.Credit
	}
	return v, err
}

func ceiling(x *float64) float64 {
	if x == nil {
		return math.Inf(1)
	}
	return *x
}
