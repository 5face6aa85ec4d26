package learned

import "errors"

// Parameters returns an error: a page would have to load megabytes of agents that it may never show.
func (a *Agent) Parameters(int) ([]float32, error) {
	return nil, errors.New("init=learned: the parameters are on the server; train there, or set init=random")
}
