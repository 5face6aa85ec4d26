package main

import "math"

// The elementary functions, operation for operation as in learner/kernel/elementary.go, which explains them.

const (
	ln2Hi      = 0.693145751953125
	ln2Lo      = 1.4286068203094173e-06
	roundMagic = 12582912
)

// reduced returns n as four i32s, and expm1(r). A NaN has no n, and makes the results NaN with any.
func (p pass) reduced(x local) (n, q local) {
	sum := p.let(add(mul(x.get(), four(math.Log2E)), four(roundMagic)))
	n = p.let(subWords(sum.get(), fourWords(math.Float32bits(roundMagic))))
	p.f.set(sum, sub(sum.get(), four(roundMagic)))
	r := p.let(sub(x.get(), mul(sum.get(), four(ln2Hi))))
	p.f.set(r, sub(r.get(), mul(sum.get(), four(ln2Lo))))
	poly := four(0.0013814538048359485)
	for _, c := range []float64{0.008368745323895328, 0.04166839082873499, 0.1666652039672944, 0.49999993431900736} {
		poly = add(mul(poly, r.get()), four(c))
	}
	return n, p.let(add(mul(mul(r.get(), r.get()), poly), r.get()))
}

// power is 2ⁿ.
func power(n expr) expr { return left(addWords(n, fourWords(127)), 23) }

func (p pass) exp(x local) expr {
	p.f.set(x, less(greater(x.get(), four(-105)), four(89)))
	n, q := p.reduced(x)
	low := p.let(halved(n.get()))
	return mul(mul(add(four(1), q.get()), power(low.get())), power(subWords(n.get(), low.get())))
}

func (p pass) tanh(x local) expr {
	n, q := p.reduced(p.let(less(mul(four(2), abs(x.get())), four(20))))
	s := p.let(power(n.get()))
	t := p.let(add(mul(s.get(), q.get()), sub(s.get(), four(1))))
	return either(div(t.get(), add(t.get(), four(2))), both(x.get(), fourWords(1<<31)))
}

func elementary() []*function {
	unary := func(name string, value func(p pass, x local) expr) *function {
		return elementwise(name, "dst src", "", func(p pass, by map[string]local) {
			p.set(by["dst"], value(p, p.get(by["src"])))
		})
	}
	return []*function{
		unary("exp", pass.exp),
		unary("tanh", pass.tanh),
		unary("sigmoid", func(p pass, x local) expr {
			return div(four(1), add(four(1), p.exp(p.let(negated(x.get())))))
		}),
	}
}
