//go:build linux && amd64 && !purego && !noopencl

package opencl

import "impalab/learner/program"

// group is a step and later steps that its kernel does too. A launch takes a device longer than most steps of a small
// network. The group writes the same bits as its steps.
type group struct {
	*program.Step
	also []*program.Step
}

// ahead is how many later steps are tried.
const ahead = 16

// fuse groups steps. A step moves up only past steps that share no memory with it.
func fuse(steps []program.Step) (groups []group) {
	done := make([]bool, len(steps))
	for i := range steps {
		if done[i] {
			continue
		}
		g := group{Step: &steps[i]}
		for j := i + 1; j < min(len(steps), i+1+ahead); j++ {
			if t := &steps[j]; !done[j] && g.canFuse(t) && g.apart(t) && passes(t, steps[i+1:j], done[i+1:j]) {
				g.also, done[j] = append(g.also, t), true
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// canFuse reports whether g's kernel can do t too.
func (g *group) canFuse(t *program.Step) bool {
	s, z, one := g.Step, &g.Size, len(g.also) == 0 // most take one
	switch {
	case s.Op == program.Dense && t.Op == program.Columns: // columns of the layer's result
		return len(g.also) < 2 && t.At[1] == s.At[0] && t.Size[0] == z[0] && t.Size[1] == z[1]
	case s.Op == program.Copy && t.Op == program.Copy: // a sum of two
		return one && !s.Add && t.Add && t.At[0] == s.At[0] && t.Size[0] == z[0]
	case s.Op == program.Copy && t.Op == program.Activate: // and its activation
		return len(g.also) == 1 && t.At[1] == s.At[0] && t.Size[0] == z[0]
	case s.Op == program.Place && t.Op == program.Place: // two matrices side by side
		return one && !s.Add && t.Add && t.At[0] == s.At[0] && t.Size[0] == z[0] && t.Size[1] == z[1] &&
			(t.Size[2] >= z[2]+z[3] || z[2] >= t.Size[2]+t.Size[3])
	case (s.Op == program.ProductBT || s.Op == program.ConvInput) && t.Op == program.ActGrad: // back through a layer
		const stride = 6 // of ConvInput; a launch for each of its phases would apply the slope again
		return one && t.At[0] == s.At[0] && t.At[1] == s.At[0] && t.Size[0] == s.Extents()[0] &&
			(s.Op == program.ProductBT || z[stride] == 1)
	case (s.Op == program.ProductAT || s.Op == program.ConvWeights) && t.Op == program.ColSum: // weights and their bias
		written := s.Extents()
		return one && t.Add == s.Add && t.At[0] == s.At[0]+written[0] && t.At[1] == s.At[2] &&
			t.Size[0]*t.Size[1] == written[2] && t.Size[1] == columnsOf(s)
	}
	return false
}

// apart reports whether t and g may run at once: neither writes memory that the other reads or writes, except the input
// of t that g computes, number by number.
func (g *group) apart(t *program.Step) bool {
	mine := t.Extents()
	from := 0 // the input that g computes
	if t.Op == program.Columns || t.Op == program.ActGrad || t.Op == program.Activate {
		from = 1
	}
	for _, s := range append([]*program.Step{g.Step}, g.also...) {
		theirs := s.Extents()
		if t.At[0] != g.At[0] && meet(t.At[0], mine[0], s.At[0], theirs[0]) {
			return false
		}
		for j, n := range theirs[1:] {
			if meet(s.At[1+j], n, t.At[0], mine[0]) {
				return false
			}
		}
		for j, n := range mine[1:] {
			if 1+j != from && meet(t.At[1+j], n, s.At[0], theirs[0]) {
				return false
			}
		}
	}
	return true
}

// columnsOf returns the columns of a gradient of weights.
func columnsOf(s *program.Step) int {
	if s.Op == program.ConvWeights {
		_, g := convOf(s)
		return g.Out
	}
	return s.Size[1]
}

// passes reports whether t may run before the remaining steps.
func passes(t *program.Step, steps []program.Step, done []bool) bool {
	mine := t.Extents()
	for i := range steps {
		if done[i] {
			continue
		}
		s := &steps[i]
		theirs := s.Extents()
		for j, n := range mine {
			if meet(t.At[j], n, s.At[0], theirs[0]) {
				return false
			}
		}
		for j, n := range theirs {
			if meet(s.At[j], n, t.At[0], mine[0]) {
				return false
			}
		}
	}
	return true
}

// meet reports whether n numbers from a and m numbers from b overlap.
func meet(a, n, b, m int) bool { return a < b+m && b < a+n }
