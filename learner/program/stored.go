package program

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Stored is programs that were made before, for other configurations too.
type Stored []*Program

// Find returns the program of a network for t steps of b trajectories, with Tangent or without: a stored program, or
// one that follows from the stored ones (family.go).
func (s Stored) Find(network string, t, b int, tangent bool) (*Program, error) {
	for _, p := range s {
		if p.Network == network && p.T == t && p.B == b && (p.Tangent != nil) == tangent {
			return p, nil
		}
	}
	if p, err := s.between(network, t, b, tangent); err == nil {
		return p, nil
	}
	return nil, fmt.Errorf("this network needs a program that only a server makes: none of %d stored programs computes "+
		"it for %d steps of %d trajectories", len(s), t, b)
}

// Append adds all of s to b, as bytes: each program's length, as a varint, before its own.
func (s Stored) Append(b []byte) []byte {
	for _, p := range s {
		one := p.Append(nil)
		b = append(binary.AppendUvarint(b, uint64(len(one))), one...)
	}
	return b
}

// ParseStored reads programs that Append wrote.
func ParseStored(b []byte) (s Stored, err error) {
	for len(b) > 0 {
		n, width := binary.Uvarint(b)
		if width <= 0 || n > uint64(len(b)-width) {
			return nil, errors.New("program: stored programs end too early")
		}
		p, err := Parse(b[width : width+int(n)])
		if err != nil {
			return nil, err
		}
		s, b = append(s, p), b[width+int(n):]
	}
	return s, nil
}
