//go:build !js

package learned

import "embed"

//go:embed agents
var files embed.FS

// Parameters returns the n parameters of the agent.
func (a *Agent) Parameters(n int) ([]float32, error) {
	packed, err := files.ReadFile(a.name())
	if err != nil {
		return nil, err // never: a test reads every agent
	}
	return Unpack(packed, n)
}
