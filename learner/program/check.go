package program

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"impalab/learner/kernel"
)

// The limits of a program's demands on its reader, besides its arena.
const (
	maxSteps   = 1 << 16 // of a list
	maxCores   = 16
	maxNetwork = 1 << 16 // bytes of Network
)

// Validate refuses a program that could reach outside its arena, write over its inputs, or read numbers that it was not
// given and did not compute. Every executor can run a valid program.
func (p *Program) Validate() error {
	if p.T < 1 || p.B < 1 || volume(p.T, p.B) > MaxArena {
		return fmt.Errorf("program: %d steps of %d trajectories: there must be at least 1 of each", p.T, p.B)
	}
	if len(p.Network) > maxNetwork {
		return fmt.Errorf("program: the network's description has %d bytes: at most %d", len(p.Network), maxNetwork)
	}
	if err := p.checkSegments(); err != nil {
		return err
	}
	if len(p.Forward) == 0 || len(p.Backward) == 0 {
		return errors.New("program: it has no forward pass, or no backward pass")
	}
	forward := computed{}
	for _, list := range []struct {
		name  string
		steps []Step
		segments
	}{
		{"forward", p.Forward, segments{reads: []Segment{Theta, Input, State, Keep}, writes: []Segment{Logits, Values}}},
		{"backward", p.Backward, segments{reads: []Segment{Theta, Input, State, Keep, DLogits, DValues},
			writes: []Segment{Grad}}},
		{"tangent", p.Tangent, segments{reads: []Segment{Theta, Input, State, Keep, Direction},
			writes: []Segment{TLogits, TValues}}},
	} {
		if len(list.steps) > maxSteps {
			return fmt.Errorf("program: %d steps %s: at most %d", len(list.steps), list.name, maxSteps)
		}
		// Tangent may follow any Forward, so it reads nothing that Backward left.
		has := maps.Clone(forward)
		for i := range list.steps {
			if err := p.checkStep(&list.steps[i], list.segments, has); err != nil {
				return fmt.Errorf("program: step %d of %s, %s: %w", i, list.name, list.steps[i].Op, err)
			}
		}
		if list.name == "forward" {
			forward = has
		}
	}
	return p.checkCores(forward)
}

// segments are a list's inputs from the caller and its results.
type segments struct{ reads, writes []Segment }

// computed maps the start of each written range to its length.
type computed map[int]int

func (p *Program) checkSegments() error {
	at := 0
	for s, span := range p.Segments {
		if span.At < at || span.N < 0 || span.At > MaxArena || span.N > MaxArena-span.At {
			return fmt.Errorf("program: segment %d lies at %d with %d numbers: segments follow each other, in at most %d",
				s, span.At, span.N, MaxArena)
		}
		at = span.At + span.N
	}
	rows := p.Rows()
	size := func(s Segment) int { return p.Segments[s].N }
	moves := 0 // 1 with Tangent
	if p.Tangent != nil {
		moves = 1
	}
	switch {
	case size(Theta) < 1 || size(Input) < 1 || size(Logits) < 1 || size(Values) < 1:
		return errors.New("program: it has no parameters, no input or no outputs")
	case size(Input)%rows != 0 || size(Logits)%rows != 0 || size(Values)%rows != 0 || size(State)%p.B != 0:
		return errors.New("program: a segment has no whole rows")
	case size(DLogits) != size(Logits) || size(DValues) != size(Values) || size(Grad) != size(Theta) ||
		size(TLogits) != moves*size(Logits) || size(TValues) != moves*size(Values) || size(Direction) != moves*size(Theta):
		return errors.New("program: a derivative has the wrong size")
	case (size(State) > 0) != (len(p.Cores) > 0) || (size(State) > 0) != (size(Keep) == rows) ||
		size(State) == 0 && size(Keep) != 0:
		return errors.New("program: a recurrent network has cores, a state, and a mark for each row; others have none")
	}
	return nil
}

func (p *Program) checkStep(s *Step, may segments, has computed) error {
	if err := s.Validate(); err != nil {
		return err
	}
	extents := s.Extents()
	for i, n := range extents {
		if s.At[i] < 0 || s.At[i] > MaxArena {
			return fmt.Errorf("there is no place %d", s.At[i])
		}
		in, ok := p.segment(s.At[i], n)
		switch {
		case !ok:
			return fmt.Errorf("no segment holds %d numbers from %d on", n, s.At[i])
		case i == 0 && in != Work && !slices.Contains(may.writes, in):
			return fmt.Errorf("it may not write to segment %d", in)
		case (i > 0 && !slices.Contains(may.reads, in) || i == 0 && s.Add) && has[s.At[i]] < n:
			return fmt.Errorf("nothing has computed the %d numbers from %d on, in segment %d", n, s.At[i], in)
		}
		if i == 0 || s.At[i] >= s.At[0]+extents[0] || s.At[0] >= s.At[i]+n {
			continue
		}
		if !(s.Op.InPlace() && i == 1 && s.At[1] == s.At[0]) {
			return fmt.Errorf("it writes over input %d", i)
		}
	}
	has[s.At[0]] = max(has[s.At[0]], extents[0])
	return nil
}

// Validate refuses an operation that does not exist, in a form that it has not, or of impossible sizes. Where it lies
// is the program's business.
func (s *Step) Validate() error {
	if s.Op == 0 || s.Op >= ops {
		return fmt.Errorf("operation %d is unknown: a newer build may know it", s.Op)
	}
	o := &operations[s.Op]
	if s.Add && !o.adds {
		return errors.New("it has no form that adds")
	}
	if s.Act > kernel.Sigmoid || s.Act != kernel.Identity && !o.acts {
		return fmt.Errorf("it has no activation %d", s.Act)
	}
	for i, n := range s.Size {
		if n < 0 || n > MaxArena || i >= o.sizes && n != 0 {
			return fmt.Errorf("size %d is %d", i, n)
		}
		if o.valid == nil && i < o.sizes && n == 0 {
			return fmt.Errorf("size %d is 0", i)
		}
	}
	if o.valid != nil && !o.valid(&s.Size) {
		return fmt.Errorf("its sizes %v do not fit each other", s.Size[:o.sizes])
	}
	for i, at := range s.At {
		if i > o.inputs && at != 0 {
			return fmt.Errorf("it has no input %d", i)
		}
	}
	return nil
}

func (p *Program) checkCores(forward computed) error {
	if len(p.Cores) > maxCores {
		return fmt.Errorf("program: %d cores: at most %d", len(p.Cores), maxCores)
	}
	for i, c := range p.Cores {
		if c.Memory < 0 || c.Memory > MaxArena || (c.Memory > 0) != (c.Width == c.Units) {
			return fmt.Errorf("program: core %d is neither an LSTM nor an attention", i)
		}
		if c.At < 0 || c.At > MaxArena || c.Units < 1 || c.Units > MaxArena || c.Width > MaxArena ||
			c.Memory == 0 && c.Width < 2*c.Units ||
			c.State < 0 || c.State > MaxArena || c.State+c.states() > p.Width(State) ||
			!p.Segments[Work].has(c.At, volume(p.Rows(), c.Width)) || forward[c.At] < p.Rows()*c.Width {
			return fmt.Errorf("program: core %d does not lie in the program's memory", i)
		}
	}
	return nil
}
