package replay

// tree is a sum tree: its leaves hold weights, and every other node holds the sum of its two children. Changing a leaf,
// or finding one by its share of the whole, takes O(log n). A sum is recomputed from both children and never corrected
// by a difference, so the tree is a function of its leaves, to the bit.
type tree struct {
	sum []float64 // sum[1] is the whole; leaf i is sum[len/2+i]; len is twice a power of two
}

// leaves is how many leaves there is room for.
func (t *tree) leaves() int { return len(t.sum) / 2 }

// total is the sum of all weights.
func (t *tree) total() float64 {
	if len(t.sum) == 0 {
		return 0
	}
	return t.sum[1]
}

// weight returns the weight of leaf i.
func (t *tree) weight(i int) float64 { return t.sum[t.leaves()+i] }

// set changes leaf i and grows the tree if the leaf is new. Weights are finite and not negative.
func (t *tree) set(i int, weight float64) {
	if i >= t.leaves() {
		t.grow(i + 1)
	}
	at := t.leaves() + i
	t.sum[at] = weight
	for at /= 2; at >= 1; at /= 2 {
		t.sum[at] = t.sum[2*at] + t.sum[2*at+1]
	}
}

// grow doubles the leaves until there are n; new ones weigh 0, so no sum changes.
func (t *tree) grow(n int) {
	room := max(1, t.leaves())
	for room < n {
		room *= 2
	}
	grown := make([]float64, 2*room)
	copy(grown[room:], t.sum[t.leaves():])
	for at := room - 1; at >= 1; at-- {
		grown[at] = grown[2*at] + grown[2*at+1]
	}
	t.sum = grown
}

// find is the leaf in which x falls when the weights lie end to end, 0 ≤ x < total. A leaf of weight 0 is
// never found, rounding or not: where the right half weighs nothing, the way is left.
func (t *tree) find(x float64) int {
	at := 1
	for at < t.leaves() {
		left, right := t.sum[2*at], t.sum[2*at+1]
		if x < left || right == 0 {
			at = 2 * at
		} else {
			x -= left
			at = 2*at + 1
		}
	}
	return at - t.leaves()
}
