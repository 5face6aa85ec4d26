package program

import "runtime"

// teamRows is how many trajectories suffice for a time step: with fewer, a core waits for the recurrent weights.
// Twice as many gained nothing more.
const teamRows = 8

// teamSize returns how many of n shards of a recurrent network one core computes together: enough trajectories, and no
// more shards than leave some for every core.
func teamSize(n, trajectories int) int {
	cores := runtime.GOMAXPROCS(0)
	return max(1, min(teamRows/trajectories, (n+cores-1)/cores))
}

// team is shards that one core computes together. It does the steps shard by shard, except an LSTM's: there the
// trajectories of all shards take each time step at once. No number depends on this: a row of a product does not depend
// on the rows beside it, and each shard sums over its own rows.
type team struct {
	shards                     []shard
	forward, backward, tangent march
}

func newTeam(shards []shard) team {
	t := team{shards: shards}
	join := func(m *march, steps []Step, calls func(h *Host) Calls) {
		for i := range shards {
			m.calls = append(m.calls, calls(shards[i].host))
		}
		m.join(steps)
	}
	p := shards[0].Program
	join(&t.forward, p.Forward, func(h *Host) Calls { return h.forward })
	join(&t.backward, p.Backward, func(h *Host) Calls { return h.backward })
	join(&t.tangent, p.Tangent, func(h *Host) Calls { return h.tangent })
	return t
}

// march is the same list of steps of several hosts.
type march struct {
	calls []Calls // of each host
	joint []int   // the steps that the first does for all
}

// join finds the joint steps.
func (m *march) join(steps []Step) {
	for i := range steps {
		switch steps[i].Op {
		case LSTM, LSTMBack, LSTMTangent:
			all := make([]*call, len(m.calls))
			for j, calls := range m.calls {
				all[j] = &calls[i]
				all[j].core = nil
			}
			all[0].core = newRecurrent(all[0].kernels, all...)
			m.joint = append(m.joint, i)
		}
	}
}

func (m *march) run() {
	from := 0
	for _, at := range m.joint {
		for _, calls := range m.calls {
			calls[from:at].Run()
		}
		m.calls[0][at : at+1].Run()
		from = at + 1
	}
	for _, calls := range m.calls {
		calls[from:].Run()
	}
}
