package correct

// Regret returns the loss from acting on Q^ω = Q·ω: max Q − Q(argmax Q^ω) (LASER §3).
func Regret[F Float](q, omega []F) F {
	actual := 0
	for a := range q {
		if q[a]*omega[a] > q[actual]*omega[actual] {
			actual = a
		}
	}
	return q[Best(q)] - q[actual]
}

// NStep is nStep for a whole unroll.
func NStep[F Float](out *Targets[F], in *Unroll[F], adv Advantage) { nStep(out, in, adv, 0, in.T*in.B) }
