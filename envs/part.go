package envs

// Part is copies from to to−1 of a vector, as a vector of their own: what happens to them happens to v's. Parts that
// do not overlap may step at once; v may not step meanwhile, and has no State that could be read. They are good until v
// is given another State, and nil where v is of a kind without parts.
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
