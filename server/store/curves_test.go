package store

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func curve(t *testing.T, s *Store, id, series string) []Point {
	t.Helper()
	return get(t, s, func(tx *Tx) ([]Point, error) { return tx.Curve(id, series, 0, math.MaxInt64) })
}

// equal compares by bits: NaN is a value like any other.
func equal(a, b []Point) bool {
	return slices.EqualFunc(a, b, func(a, b Point) bool {
		return a.Step == b.Step && math.Float64bits(a.Value) == math.Float64bits(b.Value)
	})
}

// line makes n points with uneven steps from a seed.
func line(seed uint64, n int) []Point {
	r := rand.New(rand.NewPCG(seed, 0))
	points := make([]Point, n)
	step := int64(0)
	for i := range points {
		points[i] = Point{step, r.NormFloat64()}
		step += 1 + r.Int64N(300)
	}
	points[n/2].Value = math.NaN()
	return points
}

func TestACurveIsTheSameHoweverItWasSent(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		want := line(1, 3000)
		for _, size := range []int{1, 101, 1024, 1025, 3000} {
			if size == 1 {
				want := want[:50]
				id := added(t, s)
				do(t, s, func(tx *Tx) error {
					for _, p := range want {
						if err := tx.AppendCurves(id, map[string][]Point{"loss": {p}}); err != nil {
							return err
						}
					}
					return nil
				})
				if got := curve(t, s, id, "loss"); !equal(got, want) {
					t.Errorf("point by point: %d points", len(got))
				}
				continue
			}
			id := added(t, s)
			do(t, s, func(tx *Tx) error {
				for part := range slices.Chunk(want, size) {
					if err := tx.AppendCurves(id, map[string][]Point{"loss": part, "entropy": part[:1]}); err != nil {
						return err
					}
				}
				return nil
			})
			if got := curve(t, s, id, "loss"); !equal(got, want) {
				t.Errorf("%d at a time: %d points of %d, or others", size, len(got), len(want))
			}
			rows := get(t, s, func(tx *Tx) (int, error) {
				return read[int](tx, "SELECT COUNT(*) FROM curves WHERE run = $1 AND series = 'loss'", id)
			})
			if rows != 3 {
				t.Errorf("%d at a time: %d chunks", size, rows)
			}
			all := get(t, s, func(tx *Tx) ([]Series, error) { return tx.Curves(id) })
			first, last := want[0].Step, want[len(want)-1].Step
			if len(all) != 2 || all[1] != (Series{"loss", first, last, int64(len(want))}) || all[0].Name != "entropy" {
				t.Errorf("series %v", all)
			}
		}
	})
}

func TestAWindowOfACurveHoldsItsPointsAndNoOthers(t *testing.T) {
	t.Parallel()
	s := opened(t, newSQLite(t))
	id, points := added(t, s), line(2, 2500)
	do(t, s, func(tx *Tx) error { return tx.AppendCurves(id, map[string][]Point{"loss": points}) })
	rapid.Check(t, func(t *rapid.T) {
		last := points[len(points)-1].Step
		from, to := rapid.Int64Range(0, last+10).Draw(t, "from"), rapid.Int64Range(0, last+10).Draw(t, "to")
		var want, got []Point
		for _, p := range points {
			if p.Step >= from && p.Step < to {
				want = append(want, p)
			}
		}
		err := s.View(t.Context(), func(tx *Tx) (err error) { got, err = tx.Curve(id, "loss", from, to); return err })
		if err != nil || !equal(got, want) {
			t.Fatalf("%d points in [%d, %d), want %d; %v", len(got), from, to, len(want), err)
		}
	})
}

// A run that was killed resumes from its last snapshot, and sends the later points again.
func TestPointsSentAgainAreKeptOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, points := added(t, s), line(3, 2000)
		add := func(p []Point) {
			t.Helper()
			do(t, s, func(tx *Tx) error { return tx.AppendCurves(id, map[string][]Point{"loss": p}) })
		}
		add(points[:1500])
		bytes := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) }).Bytes
		add(points[100:1400])
		if got := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) }).Bytes; got != bytes {
			t.Errorf("%d bytes, then %d", bytes, got)
		}
		add(points[700:])
		if got := curve(t, s, id, "loss"); !equal(got, points) {
			t.Errorf("%d points", len(got))
		}
	})
}

func TestACurveIsNeverRewritten(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		do(t, s, func(tx *Tx) error {
			return tx.AppendCurves(id, map[string][]Point{"loss": {{10, 1}, {20, 2}, {30, math.NaN()}}})
		})
		for _, try := range []struct {
			points []Point
			want   error
		}{
			{[]Point{{20, 2.5}}, ErrConflict}, {[]Point{{15, 2}}, ErrConflict}, {[]Point{{5, 2}}, ErrConflict},
			{[]Point{{20, 2}, {25, 4}}, ErrConflict}, {[]Point{{30, 3}}, ErrConflict},
			{[]Point{{40, 4}, {40, 4}}, ErrInvalid}, {[]Point{{50, 4}, {40, 4}}, ErrInvalid},
			{[]Point{{-1, 4}}, ErrInvalid},
		} {
			sent := map[string][]Point{"loss": try.points}
			err := s.Do(t.Context(), func(tx *Tx) error { return tx.AppendCurves(id, sent) })
			if !errors.Is(err, try.want) {
				t.Errorf("%v: %v, want %v", try.points, err, try.want)
			}
		}
		if got := curve(t, s, id, "loss"); len(got) != 3 {
			t.Errorf("the curve is %v", got)
		}
	})
}

func TestADamagedChunkGivesWhatCameBefore(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, points := added(t, s), line(4, 2500)
		do(t, s, func(tx *Tx) error {
			if err := tx.AppendCurves(id, map[string][]Point{"loss": points}); err != nil {
				return err
			}
			return tx.change("UPDATE curves SET blob = $2 WHERE run = $1 AND first_step = $3",
				id, []byte("no zstd"), points[1024].Step)
		})
		var got []Point
		err := s.View(t.Context(), func(tx *Tx) (err error) {
			got, err = tx.Curve(id, "loss", 0, math.MaxInt64)
			return err
		})
		if !errors.Is(err, ErrDamaged) || !equal(got, points[:1024]) {
			t.Errorf("%d points, %v", len(got), err)
		}
	})
}

// These bytes are in databases that people have: they stay readable.
func TestVersion1OfAChunkStaysReadable(t *testing.T) {
	t.Parallel()
	raw := []byte("\x01" + "\x02\x00\x00\x00" +
		"\x05\x00\x00\x00\x00\x00\x00\x00" + "\x00\x01\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x00\x00\x00\x00\xf0\x3f" + "\x00\x00\x00\x00\x00\x00\x00\xc0")
	want := []Point{{5, 1}, {261, -2}}
	if got, err := parsePoints(raw); err != nil || !equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	got, err := unchunker.DecodeAll(packPoints(want), make([]byte, 0, chunkLimit))
	if err != nil || string(got) != string(raw) {
		t.Errorf("written as %x, %v", got, err)
	}
}

func TestSteadyStepsCostNextToNothing(t *testing.T) {
	t.Parallel()
	points := make([]Point, chunkPoints)
	for i := range points {
		points[i] = Point{int64(i) * 640, 1}
	}
	if n := len(packPoints(points)); n > 100 {
		t.Errorf("%d bytes for %d steady points", n, len(points))
	}
}

func TestOtherBytesAreADamagedChunk(t *testing.T) {
	t.Parallel()
	u64 := func(all ...uint64) (raw string) {
		for _, x := range all {
			raw += string(binary.LittleEndian.AppendUint64(nil, x))
		}
		return raw
	}
	for name, raw := range map[string]string{
		"nothing":              "",
		"no count":             "\x01\x01\x00\x00",
		"version 2":            "\x02\x01\x00\x00\x00" + u64(1, 2),
		"no points":            "\x01\x00\x00\x00\x00",
		"too many points":      "\x01\x01\x04\x00\x00" + strings.Repeat(u64(1), 2*1025),
		"fewer bytes":          "\x01\x02\x00\x00\x00" + u64(1, 2, 3),
		"more bytes":           "\x01\x01\x00\x00\x00" + u64(1, 2) + "x",
		"steps that stand":     "\x01\x02\x00\x00\x00" + u64(1, 0, 3, 4),
		"steps that fall":      "\x01\x02\x00\x00\x00" + u64(5, 1<<64-1, 3, 4),
		"steps without end":    "\x01\x02\x00\x00\x00" + u64(math.MaxInt64, 1, 3, 4),
		"a step below nothing": "\x01\x01\x00\x00\x00" + u64(1<<63, 1),
	} {
		if points, err := unpackPoints(packer.EncodeAll([]byte(raw), nil)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, %v", name, points, err)
		}
	}
}

// A few kilobytes may claim to be gigabytes.
func TestAChunkThatWouldFillTheMemoryIsNotUnpacked(t *testing.T) { // alone: it measures
	bomb := packer.EncodeAll(make([]byte, 64<<20), nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := unpackPoints(bomb)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrDamaged) || grown > 4<<20 {
		t.Errorf("%d bytes for %d, %v", grown, len(bomb), err)
	}
}

func FuzzChunk(f *testing.F) {
	f.Add(packPoints(line(5, 100)), false)
	f.Add(packPoints([]Point{{math.MaxInt64, 1}}), false)
	f.Add([]byte("\x01\x01\x00\x00\x00aaaaaaaabbbbbbbb"), true)
	f.Add([]byte("\x02\x01\x00\x00\x00aaaaaaaabbbbbbbb"), true)
	f.Fuzz(func(t *testing.T, blob []byte, raw bool) {
		var points []Point
		var err error
		if raw {
			points, err = parsePoints(blob)
		} else {
			points, err = unpackPoints(blob)
		}
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("error %v", err)
			}
			return
		}
		for i, p := range points {
			if p.Step < 0 || i > 0 && p.Step <= points[i-1].Step {
				t.Fatalf("step %d after %v", p.Step, points[:i])
			}
		}
		again, err := unpackPoints(packPoints(points))
		if err != nil || !equal(again, points) {
			t.Fatalf("%v came back as %v, %v", points, again, err)
		}
	})
}
