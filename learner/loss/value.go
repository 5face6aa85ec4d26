// The value term. IMPALA's baseline loss is ½·(v − V)² at scale 0.5, which is g_v = 0.25 here.
package loss

// Value is Σ m·(v − V)², with dValues [n] gaining cost·2·m·(V − v). target (v) and weight (m) are [n];
// a nil weight is 1 everywhere. Divided by the sum of m, the root is the value error.
func Value[F Float](dValues, value, target, weight []F, cost F) float64 {
	sameLen(len(dValues), len(value))
	sameLen(len(target), len(value))
	if weight != nil {
		sameLen(len(weight), len(value))
	}
	sum := 0.0
	for i, v := range value {
		m := 1.0
		if weight != nil {
			m = float64(weight[i])
		}
		if m == 0 {
			continue
		}
		gap := float64(v) - float64(target[i])
		sum += m * gap * gap
		// ∂(v − V)²/∂V = 2·(V − v)
		dValues[i] += F(finite(float64(cost) * 2 * m * gap))
	}
	return sum
}
