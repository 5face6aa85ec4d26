package algo

import "impalab/learner/device"

// Acting is the policy's forward pass on the device that a machine's plan is on, with memory and a queue of its own:
// actors are answered while the machine learns. It belongs to one goroutine.
type Acting struct {
	device.Rows
	actions, width int       // of the policy, and columns that a row has
	own            []float32 // the first head's columns, where there are more
}

// Acting makes one for up to n rows, to be closed by its caller; nil where the plan is on the cores, which net.Forward
// does best.
func (m *Machine) Acting(n int) (*Acting, error) {
	if m.apart == nil {
		return nil, nil
	}
	rows, err := m.rows(n, true)
	if err != nil {
		return nil, err
	}
	rows.On(m.cores)
	a := &Acting{Rows: rows, actions: m.Spec.Actions, width: m.Spec.Flat().Actions}
	if a.width > a.actions {
		a.own = make([]float32, n*a.actions)
	}
	return a, nil
}

// Run is net.Forward's; the values are of no use where there are several heads.
func (a *Acting) Run(theta, input, state []float32, n int) (logits, values []float32) {
	logits, values = a.Rows.Run(theta, input, state, n)
	if a.own == nil {
		return logits, values
	}
	for r := range n {
		copy(a.own[r*a.actions:][:a.actions], logits[r*a.width:])
	}
	return a.own[:n*a.actions], values
}
