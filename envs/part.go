package envs

// Part returns copies from to to−1 of a vector as a vector of their own, which shares their state with v. Parts that do
// not overlap may step at the same time; v may not step meanwhile, and has no readable State. Parts are valid until v
// gets another State. Part returns nil if v is of a kind without parts.
func Part(v Vector, from, to int) Vector {
	var all *vector
	switch v := v.(type) {
	case *vector:
		all = v
	case *SuiteVector:
		all = &v.vector
	default:
		return nil
	}
	return &vector{
		spec: all.spec, fresh: all.fresh, size: all.size, endless: all.endless,
		worlds: all.worlds[from:to], rands: all.rands[from:to], last: all.last[from*all.size : to*all.size],
	}
}
