package store

// Chunks of curves: all numbers are little-endian, and zstd compresses the whole.
//
//	byte      version, 1
//	uint32    n, the number of points, 1 to chunkPoints
//	n uint64  steps: the first, then the distance of each from the one before
//	n uint64  the bits of the values, float64
//
// Steps come before values because distances are mostly equal, and equal neighbours compress to nearly nothing.

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/klauspost/compress/zstd"
)

const (
	chunkVersion = 1
	chunkPoints  = 1024 // 16 KiB before compression: the row that is written again for a few more points
	chunkHeader  = 5
	chunkLimit   = chunkHeader + 16*chunkPoints // bytes
)

// Point is one value of a curve.
type Point struct {
	Step  int64 // of the environment; rises from point to point
	Value float64
}

// The codecs of curves and snapshots. Each call has one goroutine: learners want the other cores. These options are
// valid, so neither call can fail.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(snapshotLimit))
	// unchunker refuses a blob before it becomes larger than a chunk.
	unchunker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecodeAllCapLimit(true))
)

// packPoints packs 1 to chunkPoints points with rising steps.
func packPoints(points []Point) []byte {
	raw := binary.LittleEndian.AppendUint32([]byte{chunkVersion}, uint32(len(points)))
	before := int64(0)
	for _, p := range points {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(p.Step-before))
		before = p.Step
	}
	for _, p := range points {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(p.Value))
	}
	return packer.EncodeAll(raw, nil)
}

// unpackPoints unpacks points. If packPoints did not make the blob, the error is ErrDamaged.
func unpackPoints(blob []byte) ([]Point, error) {
	raw, err := unchunker.DecodeAll(blob, make([]byte, 0, chunkLimit)) // fails beyond that
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return parsePoints(raw)
}

func parsePoints(raw []byte) ([]Point, error) {
	if len(raw) < chunkHeader || raw[0] != chunkVersion {
		return nil, fmt.Errorf("%w: %d bytes are not a chunk of a curve of version %d", ErrDamaged, len(raw), chunkVersion)
	}
	n := int(binary.LittleEndian.Uint32(raw[1:]))
	if raw = raw[chunkHeader:]; n == 0 || n > chunkPoints || len(raw) != 16*n {
		return nil, fmt.Errorf("%w: a chunk of a curve says %d points in %d bytes", ErrDamaged, n, len(raw))
	}
	points := make([]Point, n)
	step := int64(0)
	for i := range points {
		ahead := int64(binary.LittleEndian.Uint64(raw[8*i:]))
		if ahead < 0 || ahead == 0 && i > 0 || step > math.MaxInt64-ahead {
			return nil, fmt.Errorf("%w: the steps of a chunk of a curve do not rise", ErrDamaged)
		}
		step += ahead
		points[i] = Point{step, math.Float64frombits(binary.LittleEndian.Uint64(raw[8*(n+i):]))}
	}
	return points, nil
}
