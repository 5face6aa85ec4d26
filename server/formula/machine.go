package formula

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Machine computes the values of a program on one input. Each is computed once: a value is a function of its places.
type Machine struct {
	program *Program
	numbers []float64
	series  [][]float64
	steps   *int // that are left, of this and of all that share them
	depth   int
	known   map[key]float64
	waiting map[key]bool
	err     error
}

// key is a value at its places.
type key struct {
	value int
	at    [maxPlaces]float64
}

// On is a machine for an input: numbers and series in the order in which they are given. steps says how many steps it
// may take, and is counted down.
func (p *Program) On(numbers []float64, series [][]float64, steps *int) *Machine {
	if len(numbers) != len(p.given.Numbers) || len(series) != len(p.given.Series) {
		panic("formula: the input is not what is given")
	}
	return &Machine{program: p, numbers: numbers, series: series, steps: steps, known: map[key]float64{},
		waiting: map[key]bool{}}
}

// valueSteps is what a value costs beside its computation: it is looked up and kept.
const valueSteps = 8

// ErrSteps is the error of a machine that has taken all its steps.
var ErrSteps = errors.New("this takes too many steps: it may ask for the same in ever other places")

// At is a value of the text's at its places.
func (m *Machine) At(name string, at ...float64) (float64, error) {
	for i, v := range m.program.values {
		if v.name == name && v.places == len(at) {
			m.depth, m.err = 0, nil
			clear(m.waiting)
			var places [maxPlaces]float64
			copy(places[:], at)
			x := m.value(i, places)
			return x, m.err
		}
	}
	return 0, &Error{0, fmt.Sprintf("nothing says what %s is", asked(name, at))}
}

func asked(name string, at []float64) string {
	if len(at) == 0 {
		return name
	}
	var places []string
	for _, x := range at {
		places = append(places, strconv.FormatFloat(x, 'g', 6, 64))
	}
	return name + "[" + strings.Join(places, ", ") + "]"
}

func (m *Machine) fail(line int, format string, args ...any) float64 {
	if m.err == nil {
		m.err = &Error{line, fmt.Sprintf(format, args...)}
	}
	return 0
}

// value computes what the first equation says that is about these places.
func (m *Machine) value(i int, at [maxPlaces]float64) float64 {
	v := m.program.values[i]
	k := key{i, at}
	for j := range at {
		if at[j] == 0 {
			k.at[j] = 0 // −0 is the same place
		}
	}
	if x, has := m.known[k]; has {
		return x
	}
	first := v.equations[0].line
	if m.waiting[k] {
		return m.fail(first, "%s asks for itself: a recursion goes on to another place", asked(v.name, at[:v.places]))
	}
	if m.depth == maxDepth {
		return m.fail(first, "%s goes on and on: the recursion needs an end, like vs[T] = V[T]", v.name)
	}
	*m.steps -= valueSteps
	for j := range v.equations {
		e := &v.equations[j]
		if !m.about(e, at) {
			continue
		}
		m.depth++
		m.waiting[k] = true
		x := m.compute(e.body, &at)
		delete(m.waiting, k)
		m.depth--
		if m.err == nil {
			m.known[k] = x // a place that is NaN is never found again, and only costs steps
		}
		return x
	}
	return m.fail(first, "no line says what %s is", asked(v.name, at[:v.places]))
}

// about reports whether an equation is about these places.
func (m *Machine) about(e *equation, at [maxPlaces]float64) bool {
	for i, h := range e.heads {
		if h.only == nil {
			continue
		}
		x := h.only.x
		if h.only.op == given {
			x = m.numbers[h.only.index]
		}
		if x != at[i] {
			return false
		}
	}
	return true
}

func (m *Machine) compute(n *node, at *[maxPlaces]float64) float64 {
	if m.err != nil {
		return 0
	}
	if *m.steps--; *m.steps < 0 {
		m.err = ErrSteps
		return 0
	}
	switch n.op {
	case constant:
		return n.x
	case place:
		return at[n.index]
	case given:
		return m.numbers[n.index]
	case series:
		return m.of(n, m.compute(n.of[0], at))
	case call:
		var places [maxPlaces]float64
		for i, one := range n.of {
			places[i] = m.compute(one, at)
		}
		if m.err != nil {
			return 0
		}
		return m.value(n.index, places)
	case choose:
		left, right := m.compute(n.of[0], at), m.compute(n.of[1], at)
		if holds(n.index, left, right) {
			return m.compute(n.of[2], at)
		}
		return m.compute(n.of[3], at)
	}
	x := m.compute(n.of[0], at)
	switch n.op {
	case negate:
		return -x
	case absolute:
		return math.Abs(x)
	}
	for _, one := range n.of[1:] {
		y := m.compute(one, at)
		switch n.op {
		case add:
			x += y
		case subtract:
			x -= y
		case multiply:
			x *= y
		case divide:
			x /= y
		case least:
			x = math.Min(x, y)
		case most:
			x = math.Max(x, y)
		}
	}
	return x
}

// of is a series at a place.
func (m *Machine) of(n *node, at float64) float64 {
	if m.err != nil {
		return 0
	}
	s := m.series[n.index]
	if at != math.Trunc(at) || !(at >= 0 && at < float64(len(s))) {
		return m.fail(n.line, "%s was asked for; there are %s[0] to %s[%d]", asked(n.name, []float64{at}), n.name, n.name,
			len(s)-1)
	}
	return s[int(at)]
}

func holds(comparison int, a, b float64) bool {
	switch comparison {
	case less:
		return a < b
	case lessEqual:
		return a <= b
	case greater:
		return a > b
	case greaterEqual:
		return a >= b
	case equal:
		return a == b
	}
	return a != b
}
