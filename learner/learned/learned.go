// Package learned has the parameters of agents that have learned for a long time. A run with init=learned starts from
// them, so a visitor sees an agent that can do its task. Start with Agents.
package learned

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// Agent is an agent without its parameters.
type Agent struct {
	World   string // with its options
	Network string // hyper.Config.NetworkKey
	Steps   uint64 // from which it has learned
}

// Lookup returns the agent of a world and a network, or nil.
func Lookup(world, network string) *Agent {
	for i := range Agents {
		if a := &Agents[i]; a.World == world && a.Network == network {
			return a
		}
	}
	return nil
}

// name is the file of the agent's parameters.
func (a *Agent) name() string { return FileName(a.World) }

// Parameters returns the n parameters of the agent. In a browser it returns an error for an agent that only the server
// has.
func (a *Agent) Parameters(n int) ([]float32, error) {
	packed, err := files.ReadFile(a.name())
	if err != nil { // on a server never: a test reads every agent
		return nil, errors.New("init=learned: the parameters are on the server; train there, or set init=random")
	}
	return Unpack(packed, n)
}

// FileName returns the name of the file of a world's agent.
func FileName(world string) string {
	plain, _, _ := strings.Cut(world, ":")
	return "agents/" + plain + ".gz"
}

// lowBits are the bits of a float32 that a file leaves out: 11 bits of the fraction remain.
const lowBits = 12

// Pack encodes parameters, rounded to 12 significant bits. The file has the highest byte of every parameter, then the
// next byte of every parameter, and so on, in gzip.
func Pack(theta []float32) []byte {
	n := len(theta)
	planes := make([]byte, 4*n)
	var four [4]byte
	for i, x := range theta {
		bits := math.Float32bits(x) + 1<<(lowBits-1) // to the nearest: a carry goes into the exponent
		binary.BigEndian.PutUint32(four[:], bits>>lowBits<<lowBits)
		for k, b := range four {
			planes[k*n+i] = b
		}
	}
	var out bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid, and a buffer takes every byte
	zip.Write(planes)
	zip.Close()
	return out.Bytes()
}

// Unpack decodes n parameters.
func Unpack(packed []byte, n int) ([]float32, error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("the parameters of the learned agent: %w", err)
	}
	planes, err := io.ReadAll(io.LimitReader(zip, int64(4*n)+1))
	if err != nil {
		return nil, fmt.Errorf("the parameters of the learned agent: %w", err)
	}
	if len(planes) != 4*n {
		return nil, fmt.Errorf("the learned agent has other than %d parameters", n)
	}
	theta := make([]float32, n)
	for i := range theta {
		var bits uint32
		for k := range 4 {
			bits = bits<<8 | uint32(planes[k*n+i])
		}
		theta[i] = math.Float32frombits(bits)
	}
	return theta, nil
}
