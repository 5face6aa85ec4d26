package lab

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"fmt"

	"impalab/server/store"
)

// A snapshot in the store is the learner's, which knows nothing of points, and before it how far these had come:
//
//	packed  length of what was reported, 4 bytes, the lowest first  what was reported, as gob  the learner
//
// Snapshots of builds before this one are the learner's alone.
const packed = "impalab with report 1\n"

func (s *snapshot) pack() []byte {
	var aside bytes.Buffer
	if err := gob.NewEncoder(&aside).Encode(&s.reported); err != nil {
		panic(err) // numbers
	}
	out := append(make([]byte, 0, len(packed)+4+aside.Len()+len(s.blob)), packed...)
	out = binary.LittleEndian.AppendUint32(out, uint32(aside.Len()))
	return append(append(out, aside.Bytes()...), s.blob...)
}

func (s *snapshot) unpack(data []byte) error {
	rest, ok := bytes.CutPrefix(data, []byte(packed))
	if !ok {
		s.blob = data
		return nil
	}
	if len(rest) < 4 || uint64(len(rest)-4) < uint64(binary.LittleEndian.Uint32(rest)) {
		return fmt.Errorf("%w: the snapshot of update %d is cut short", store.ErrDamaged, s.update)
	}
	n := int(binary.LittleEndian.Uint32(rest))
	s.blob = rest[4+n:]
	if err := gob.NewDecoder(bytes.NewReader(rest[4 : 4+n])).Decode(&s.reported); err != nil {
		return fmt.Errorf("%w: the snapshot of update %d: %w", store.ErrDamaged, s.update, err)
	}
	return nil
}
