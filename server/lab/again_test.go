package lab

import (
	"bytes"
	"strings"
	"testing"

	"impalab/server/errcode"
	"impalab/web/wire"
)

// bytesOf is a message as it travels.
func bytesOf(t *testing.T, m wire.Message) []byte {
	t.Helper()
	frame, err := wire.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// Whatever a page was shown live of an update it is shown again, byte for byte: histograms, figures and the gauge. A
// turn was made in between.
func TestMomentsAreMadeAgainByteForByte(t *testing.T) {
	t.Parallel()
	l := newLab(t, Options{})
	v, w := visit(t, l, link("p=destination speed=16000"))
	live := map[uint64]*wire.XRay{}
	var gauges []*wire.Gauge
	newest := uint64(0)
	see := func(until uint64) {
		t.Helper()
		for newest < until {
			m, err := v.next()
			if err != nil {
				t.Fatal(err)
			}
			switch m := m.(type) {
			case *wire.XRay:
				live[m.Update], newest = m, m.Update
			case *wire.Gauge:
				gauges = append(gauges, m)
			}
		}
	}
	see(30)
	v.set("rho", "2")
	await(v, func(c *wire.Changed) bool { return c.To == "2" })
	see(newest + 25)
	from := newest - min(newest, 64) + 1
	made, err := l.Moments(t.Context(), w.Run, from, newest, true)
	if err != nil {
		t.Fatal(err)
	}
	seen, compared := uint64(0), 0
	solved := map[string]bool{}
	for _, m := range made {
		switch m := m.(type) {
		case *wire.XRay:
			if seen++; m.Update != from+seen-1 {
				t.Fatalf("moment %d is update %d, asked from %d", seen, m.Update, from)
			}
			if was := live[m.Update]; was != nil {
				compared++
				m.StepsPerSecond = was.StepsPerSecond // the clock's, and not the run's
				if !bytes.Equal(bytesOf(t, m), bytesOf(t, was)) {
					t.Errorf("update %d is made again as\n%+v, was\n%+v", m.Update, m, was)
				}
			}
		case *wire.Gauge:
			solved[string(bytesOf(t, m))] = true
		}
	}
	if seen != newest-from+1 || compared < 3 || len(gauges) < 2 {
		t.Fatalf("%d updates from %d to %d, of which %d were shown live, and %d gauges", seen, from, newest, compared,
			len(gauges))
	}
	if last := gauges[len(gauges)-1]; !solved[string(bytesOf(t, last))] { // the first may have been told earlier
		t.Errorf("a gauge that was shown live, %+v, was not made again", last)
	}
}

// The last update of a run that is over is there too, and the watched world takes a step with each.
func TestTheEndOfARunIsMadeAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t, Options{})
	r, _ := start(t, l, "p=catch steps=4000 speed=inf lag=4")
	last := uint64(ended(t, l, r.ID).Updates)
	made, err := l.Moments(t.Context(), r.ID, last-2, last+9, false)
	if err != nil {
		t.Fatal(err)
	}
	var updates, frames []uint64
	for _, m := range made {
		switch m := m.(type) {
		case *wire.XRay:
			updates = append(updates, m.Update)
		case *wire.Frame:
			frames = append(frames, m.Number)
		default:
			t.Errorf("a %T came, and neither parameters nor a gauge were wanted", m)
		}
	}
	if len(updates) != 3 || updates[2] != last || len(frames) != 3 || frames[2] != 3 {
		t.Errorf("updates %d, frames %d; want the last three, up to %d", updates, frames, last)
	}
	for window, want := range map[[2]uint64]string{{0, 3}: "from must be 1 or more", {9, 8}: "to must be from or more",
		{1, 65}: "at most 64", {last + 1, last + 2}: "the run has reached"} {
		_, err := l.Moments(t.Context(), r.ID, window[0], window[1], false)
		if errcode.Of(err) != errcode.Refused || !strings.Contains(err.Error(), want) {
			t.Errorf("updates %d: %v, want %q", window, err, want)
		}
	}
	if _, err := l.Moments(t.Context(), "nobody", 1, 2, false); errcode.Of(err) != errcode.NotFound {
		t.Errorf("a run that is not there: %v", err)
	}
}
