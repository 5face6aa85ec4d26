package run

import "impalab/learner/hyper"

// Has reports whether the algorithm in force has the setting at all; the page shows no others.
func (m *Run) Has(row *hyper.Row) bool { return row.Of(m.force.Algo) }

// Used reports whether a setting changes anything, given the others that are in force.
func (m *Run) Used(row *hyper.Row) bool { return row.InForce(&m.force) }
