package program

import (
	"errors"
	"slices"
)

// Programs of one network differ only in their T and B. The operations are the same. Every size is a·T·B + b·T + c·B +
// d, and so is every place if B is a multiple of Line. So two programs determine the programs for every B, and four
// those for every T and B.

// Line is the number of float32 in a cache line. If B is a multiple of Line, everything in an arena begins at a cache
// line.
const Line = 16

// between makes the program for t steps of b trajectories from stored programs of the same network. It returns an error
// if they do not suffice.
func (s Stored) between(network string, t, b int, tangent bool) (*Program, error) {
	var of Stored
	for _, p := range s {
		if p.Network == network && (p.Tangent != nil) == tangent && p.B%Line == 0 {
			of = append(of, p)
		}
	}
	one, err := of.atB(b, t)
	if err == nil || len(of) == 0 {
		return one, err
	}
	var ends Stored // for b trajectories, one for each number of steps
	for _, p := range of {
		if slices.ContainsFunc(ends, func(have *Program) bool { return have.T == p.T }) {
			continue
		}
		if end, err := of.atB(b, p.T); err == nil {
			ends = append(ends, end)
		}
	}
	if len(ends) < 2 {
		return nil, errNotBetween
	}
	made, err := mix(ends[0], ends[1], ends[0].T, ends[1].T, t, t)
	if err != nil {
		return nil, err
	}
	made.T = t
	return made, made.Validate()
}

var errNotBetween = errors.New("program: two for other trajectories, or four for other steps too, make another")

// atB makes the program for b trajectories out of two for the same number of steps.
func (s Stored) atB(b, t int) (*Program, error) {
	var ends Stored
	for _, p := range s {
		if p.T == t && (len(ends) == 0 || ends[0].B != p.B) {
			ends = append(ends, p)
		}
	}
	if len(ends) < 2 {
		return nil, errNotBetween
	}
	made, err := mix(ends[0], ends[1], ends[0].B, ends[1].B, b, (b+Line-1)/Line*Line)
	if err != nil {
		return nil, err
	}
	made.B = b
	return made, made.Validate()
}

// mix interpolates two programs: size 0 gives the sizes of p and size 1 the sizes of q; place does the same for the
// places.
func mix(p, q *Program, from, to, size, place int) (*Program, error) {
	made := *p
	made.Forward, made.Backward, made.Tangent = slices.Clone(p.Forward), slices.Clone(p.Backward), slices.Clone(p.Tangent)
	made.Cores = slices.Clone(p.Cores)
	fits := true
	at := func(n *int, other, where int) {
		if *n != other {
			rise := (other - *n) * (where - from)
			fits = fits && rise%(to-from) == 0
			*n += rise / (to - from)
		}
	}
	for i := range made.Segments {
		at(&made.Segments[i].N, q.Segments[i].N, size)
		at(&made.Segments[i].At, q.Segments[i].At, place)
	}
	work := &made.Segments[Work] // its end is a place
	work.N = p.Segments[Work].N
	at(&work.N, q.Segments[Work].N, place)
	lists := [...][2][]Step{{made.Forward, q.Forward}, {made.Backward, q.Backward}, {made.Tangent, q.Tangent}}
	for _, list := range lists {
		if len(list[0]) != len(list[1]) {
			return nil, errApart
		}
		for i := range list[0] {
			mine, other := &list[0][i], &list[1][i]
			if mine.Op != other.Op || mine.Add != other.Add || mine.Act != other.Act {
				return nil, errApart
			}
			for k := range mine.Size {
				at(&mine.Size[k], other.Size[k], size)
			}
			for k := range mine.At {
				at(&mine.At[k], other.At[k], place)
			}
		}
	}
	if len(made.Cores) != len(q.Cores) {
		return nil, errApart
	}
	for i := range made.Cores {
		mine, other := &made.Cores[i], q.Cores[i]
		at(&mine.At, other.At, place)
		fits = fits && mine.Width == other.Width && mine.Units == other.Units && mine.State == other.State &&
			mine.Memory == other.Memory
	}
	if !fits {
		return nil, errApart
	}
	return &made, nil
}

var errApart = errors.New("program: two of one network are not made alike")
