package algo

// Several heads on one torso (STACX, §3.2). The plan knows one wide head (net.Spec.Flat): columns of logits, each
// head's value among them, and the last head's value by itself. split and join convert between the two.

// heads is how many policies and values the network has.
func (m *Machine) heads() int { return max(1, m.Spec.Heads) }

// split takes head h out of wide [rows, W−1] and last [rows]: logits [rows, A] and values [rows].
func (m *Machine) split(logits, values, wide, last []float32, h int) {
	actions, from, width := m.Spec.Actions, h*(m.Spec.Actions+1), m.Spec.Flat().Actions
	for r := range last {
		copy(logits[r*actions:][:actions], wide[r*width+from:])
	}
	m.valuesOf(values, wide, last, h)
}

// join adds share of head h's derivatives to the derivatives of the wide head.
func (m *Machine) join(dWide, dLast, dLogits, dValues []float32, h int, share float32) {
	actions, from, width := m.Spec.Actions, h*(m.Spec.Actions+1), m.Spec.Flat().Actions
	for r, dv := range dValues {
		row := dWide[r*width:][:width]
		for j, d := range dLogits[r*actions:][:actions] {
			row[from+j] += share * d
		}
		if at := from + actions; at < width {
			row[at] += share * dv
		} else {
			dLast[r] += share * dv
		}
	}
}

// valuesOf takes head h's values out of the outputs.
func (m *Machine) valuesOf(values, wide, last []float32, h int) {
	at, width := h*(m.Spec.Actions+1)+m.Spec.Actions, m.Spec.Flat().Actions
	for r := range last {
		values[r] = last[r]
		if at < width {
			values[r] = wide[r*width+at]
		}
	}
}
