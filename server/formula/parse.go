package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// parser reads equations: a line each, and more lines where one cannot be at its end.
type parser struct {
	program *Program
	words   []word
	at      int
	nested  int
	inside  int // brackets that are open: in them a line goes on
	letters []string
}

func (p *parser) peek() word {
	if p.inside > 0 {
		for p.at < len(p.words)-1 && p.words[p.at].kind == endOfLine {
			p.at++
		}
	}
	return p.words[p.at]
}

func (p *parser) next() word {
	w := p.peek()
	if p.at < len(p.words)-1 {
		p.at++
	}
	return w
}

// goOn skips ends of lines where an expression has to come.
func (p *parser) goOn() {
	for p.at < len(p.words)-1 && p.words[p.at].kind == endOfLine {
		p.at++
	}
}

func (p *parser) takes(text string) bool {
	if w := p.peek(); w.kind != endOfLine && w.text == text {
		p.next()
		return true
	}
	return false
}

func (w word) String() string {
	if w.kind == endOfLine {
		return "the end of the line"
	}
	return strconv.Quote(w.text)
}

func wrong(line int, format string, args ...any) error {
	return &Error{line, fmt.Sprintf(format, args...)}
}

func (p *parser) equations() error {
	n := 0
	for {
		p.goOn()
		if p.at == len(p.words)-1 {
			break
		}
		if n++; n > MaxEquations {
			return wrong(p.peek().line, "more than %d equations", MaxEquations)
		}
		if err := p.equation(); err != nil {
			return err
		}
	}
	if n == 0 {
		return wrong(0, "there is no equation yet: begin with one like vs[T] = V[T]")
	}
	return nil
}

// equation reads name[places] = expression.
func (p *parser) equation() error {
	name := p.next()
	if name.kind != ofName {
		return wrong(name.line, "an equation begins with a name, like vs[t] = …, and not with %s", name)
	}
	if words[name.text] {
		return wrong(name.line, "%s is a word of the language: choose another name", name.text)
	}
	if p.known(name.text) {
		return wrong(name.line, "%s is given: choose another name for yours", name.text)
	}
	e := equation{line: name.line}
	p.letters = nil
	if closing, has := p.opens(); has {
		for {
			h, err := p.head()
			if err != nil {
				return err
			}
			e.heads = append(e.heads, h)
			if p.takes(closing) {
				p.inside--
				break
			}
			if w := p.next(); w.text != "," {
				return wrong(w.line, "after a place comes , or %s, and not %s", closing, w)
			}
		}
	}
	if len(e.heads) > maxPlaces {
		return wrong(name.line, "%s has %d places; %d are the most", name.text, len(e.heads), maxPlaces)
	}
	if w := p.next(); w.text != "=" {
		return wrong(w.line, "after the left side comes =, and not %s", w)
	}
	p.goOn()
	body, err := p.expression()
	if err != nil {
		return err
	}
	if w := p.next(); w.kind != endOfLine {
		return wrong(w.line, "%s stands where the equation could end: a sign, like *, is missing before it", w)
	}
	e.body = body
	return p.keep(name.text, e)
}

// keep puts an equation to the others of its name.
func (p *parser) keep(name string, e equation) error {
	for _, v := range p.program.values {
		if v.name != name {
			continue
		}
		if v.places != len(e.heads) {
			return wrong(e.line, "%s has %s here, and %s in line %d", name, places(len(e.heads)), places(v.places),
				v.equations[0].line)
		}
		for i := range v.equations {
			if v.equations[i].same(&e) {
				return wrong(e.line, "line %d says already what this is", v.equations[i].line)
			}
		}
		v.equations = append(v.equations, e)
		return nil
	}
	p.program.values = append(p.program.values, &value{name, len(e.heads), []equation{e}})
	return nil
}

// places counts them in words.
func places(n int) string {
	if n == 1 {
		return "one place"
	}
	return fmt.Sprintf("%d places", n)
}

// same reports whether two equations are about the same places.
func (e *equation) same(o *equation) bool {
	return slices.EqualFunc(e.heads, o.heads, func(a, b head) bool {
		if a.only == nil || b.only == nil {
			return a.only == b.only
		}
		return a.only.op == b.only.op && a.only.x == b.only.x && a.only.index == b.only.index
	})
}

// opens takes an opening bracket and says what closes it.
func (p *parser) opens() (closing string, has bool) {
	switch {
	case p.takes("["):
		p.inside++
		return "]", true
	case p.takes("("):
		p.inside++
		return ")", true
	}
	return "", false
}

func (p *parser) head() (head, error) {
	w := p.next()
	switch {
	case w.kind == ofNumber:
		x, err := number(w)
		return head{only: &node{op: constant, x: x, line: w.line}}, err
	case w.kind != ofName || words[w.text]:
		return head{}, wrong(w.line, "a place on the left side is a letter or a number, and not %s", w)
	}
	if n := p.given(w); n != nil {
		if n.op == series {
			return head{}, wrong(w.line, "%s is given: choose another letter for a place", w.text)
		}
		return head{only: n}, nil
	}
	if slices.Contains(p.letters, w.text) {
		return head{}, wrong(w.line, "%s stands for two places", w.text)
	}
	p.letters = append(p.letters, w.text)
	return head{letter: w.text}, nil
}

// words that are no names.
var words = map[string]bool{"if": true, "then": true, "else": true, "min": true, "max": true, "abs": true, "inf": true}

func number(w word) (float64, error) {
	x, err := strconv.ParseFloat(w.text, 64)
	if err != nil {
		return 0, wrong(w.line, "%s is no number", w)
	}
	return x, nil
}

// deeper counts how deep expressions stand in each other.
func (p *parser) deeper(line int) (leave func(), err error) {
	if p.nested++; p.nested > maxNesting {
		return nil, wrong(line, "this is nested too deeply: give a part of it a name")
	}
	return func() { p.nested-- }, nil
}

func (p *parser) expression() (*node, error) {
	leave, err := p.deeper(p.peek().line)
	if err != nil {
		return nil, err
	}
	defer leave()
	if w := p.peek(); p.takes("if") {
		return p.condition(w.line)
	}
	return p.chain(p.product, map[string]op{"+": add, "-": subtract})
}

func (p *parser) product() (*node, error) {
	return p.chain(p.factor, map[string]op{"*": multiply, "/": divide})
}

// chain reads parts with signs between them, from the left.
func (p *parser) chain(part func() (*node, error), signs map[string]op) (*node, error) {
	left, err := part()
	for err == nil {
		w := p.peek()
		op, is := signs[w.text]
		if w.kind != ofSign || !is {
			return left, nil
		}
		p.next()
		p.goOn()
		var right *node
		right, err = part()
		left = &node{op: op, line: w.line, of: []*node{left, right}}
	}
	return nil, err
}

var comparisons = map[string]int{"<": less, "<=": lessEqual, ">": greater, ">=": greaterEqual, "=": equal,
	"==": equal, "!=": unequal}

// condition reads what follows if.
func (p *parser) condition(line int) (*node, error) {
	n := &node{op: choose, line: line}
	sum := func() (*node, error) { return p.chain(p.product, map[string]op{"+": add, "-": subtract}) }
	for i, then := range []string{"", "then", "else", "end"} {
		part := p.expression
		if i < 2 {
			part = sum
		}
		p.goOn()
		one, err := part()
		if err != nil {
			return nil, err
		}
		n.of = append(n.of, one)
		switch {
		case i == 0:
			w := p.next()
			which, is := comparisons[w.text]
			if w.kind != ofSign || !is {
				return nil, wrong(w.line, "after if comes a comparison, like t = T, and not %s", w)
			}
			n.index = which
		case i < 3:
			if p.inside == 0 && p.peek().kind == endOfLine {
				p.goOn() // then and else may begin a line
			}
			if w := p.next(); w.text != then {
				return nil, wrong(w.line, "here comes %s, and not %s: if a < b then c else d", then, w)
			}
		}
	}
	return n, nil
}

func (p *parser) factor() (*node, error) {
	w := p.next()
	leave, err := p.deeper(w.line)
	if err != nil {
		return nil, err
	}
	defer leave()
	switch {
	case w.text == "-":
		one, err := p.factor()
		return &node{op: negate, line: w.line, of: []*node{one}}, err
	case w.text == "+":
		return p.factor()
	case w.kind == ofNumber:
		x, err := number(w)
		return &node{op: constant, line: w.line, x: x}, err
	case w.text == "inf":
		return &node{op: constant, line: w.line, x: math.Inf(1)}, nil
	case w.text == "(":
		p.inside++
		n, err := p.expression()
		if err != nil {
			return nil, err
		}
		if end := p.next(); end.text != ")" {
			return nil, wrong(end.line, "a ) is missing before %s", end)
		}
		p.inside--
		return n, nil
	case w.kind == ofName && (w.text == "if" || w.text == "then" || w.text == "else"):
		return nil, wrong(w.line, "%s stands where a value has to be: put brackets round if … then … else …", w.text)
	case w.kind == ofName:
		return p.named(w)
	}
	return nil, wrong(w.line, "%s stands where a value has to be", w)
}

// named reads a name with what stands behind it.
func (p *parser) named(w word) (*node, error) {
	n := &node{line: w.line, name: w.text}
	closing, has := p.opens()
	for has {
		one, err := p.expression()
		if err != nil {
			return nil, err
		}
		n.of = append(n.of, one)
		if p.takes(closing) {
			p.inside--
			break
		}
		if end := p.next(); end.text != "," {
			return nil, wrong(end.line, "after this comes , or %s, and not %s", closing, end)
		}
	}
	fits := func(want int) error {
		if len(n.of) == want {
			return nil
		}
		if want == 0 {
			return wrong(w.line, "%s is a number, and has no places", w.text)
		}
		return wrong(w.line, "%s wants %s in brackets, and not %d, like %s[t]", w.text, places(want), len(n.of), w.text)
	}
	switch w.text {
	case "min", "max":
		if n.op = least; w.text == "max" {
			n.op = most
		}
		if len(n.of) == 0 {
			return nil, wrong(w.line, "%s wants what to choose from, like %s(rhoBar, is[t])", w.text, w.text)
		}
		return n, nil
	case "abs":
		if n.op = absolute; len(n.of) != 1 {
			return nil, wrong(w.line, "abs wants one value in brackets, like abs(r[t])")
		}
		return n, nil
	}
	if i := slices.Index(p.letters, w.text); i >= 0 {
		n.op, n.index = place, i
		return n, fits(0)
	}
	if known := p.given(w); known != nil {
		n.op, n.index, n.name = known.op, known.index, known.name
		if n.op == series {
			return n, fits(1)
		}
		return n, fits(0)
	}
	n.op = call // it may be said what it is further down
	return n, nil
}

// given is what a name that is given means; nil for others.
func (p *parser) given(w word) *node {
	name := w.text
	if also, has := p.program.given.Also[name]; has {
		name = also
	}
	if i := slices.Index(p.program.given.Numbers, name); i >= 0 {
		return &node{op: given, line: w.line, index: i, name: name}
	}
	if i := slices.Index(p.program.given.Series, name); i >= 0 {
		return &node{op: series, line: w.line, index: i, name: name}
	}
	return nil
}

func (p *parser) known(name string) bool { return p.given(word{text: name}) != nil }

// resolve finds the values that equations ask for.
func (p *parser) resolve() error {
	for _, v := range p.program.values {
		for i := range v.equations {
			if err := p.program.find(v.equations[i].body); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Program) find(n *node) error {
	for _, one := range n.of {
		if err := p.find(one); err != nil {
			return err
		}
	}
	if n.op != call {
		return nil
	}
	n.index = slices.IndexFunc(p.values, func(v *value) bool { return v.name == n.name })
	if n.index < 0 {
		var own []string
		for _, v := range p.values {
			own = append(own, v.name)
		}
		return wrong(n.line, "%.40s is not known here; there are %s", n.name, strings.Join(slices.Concat(p.given.Numbers,
			p.given.Series, own), ", "))
	}
	if want := p.values[n.index].places; len(n.of) != want {
		return wrong(n.line, "%s has %s in line %d, and %s here", n.name, places(want),
			p.values[n.index].equations[0].line, places(len(n.of)))
	}
	return nil
}
