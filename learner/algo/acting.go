package algo

import "impalab/learner/device"

// Acting is the policy's forward pass on the device of a machine's plan. It has its own memory and queue there, so
// actors get answers while the machine learns. It belongs to one goroutine.
type Acting struct {
	device.Rows
	actions, width int       // of the policy; columns of a row
	own            []float32 // the first head's columns, where there are more
}

// Acting makes a forward pass for up to n rows, and its caller closes it. It returns nil if the plan is on the cores,
// where net.Forward is faster.
func (m *Machine) Acting(n int) (*Acting, error) {
	if m.onDevice == nil {
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

// Run does the same as net.Forward.Run. With several heads the values are not the first head's.
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
