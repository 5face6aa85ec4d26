//go:build slow

package lab

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"impalab/learner/hyper"
	"impalab/server/store"
)

// A run of 500 000 steps, whose moments can be come back to, takes 2 MB of the disk at most.
func TestARunOf500000StepsTakesTwoMegabytes(t *testing.T) {
	for _, text := range []string{"p=lag-cliff", "p=break-and-mend", "p=catch"} {
		t.Run(text, func(t *testing.T) {
			dir := t.TempDir()
			size := func() (total int64) { // of a store that is closed: all of it is in its file
				files, err := filepath.Glob(filepath.Join(dir, "*"))
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range files {
					if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
						total += info.Size()
					}
				}
				return total
			}
			kept, err := store.Open(t.Context(), store.Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			kept.Close()
			empty := size()
			kept = openStore(t, dir)
			l := newLab(t, Options{Store: kept})
			var settings []hyper.Setting
			text += " steps=500000 speed=inf seed=1101 t=200000:rho=0.5,300000:rho=1,400000:lag=2"
			for _, s := range link(text).Settings {
				settings = append(settings, hyper.Setting(s))
			}
			spec, err := Watched(settings)
			if err != nil {
				t.Fatal(err)
			}
			spec.Purpose = Batch
			r, _, err := l.Start(t.Context(), spec, "")
			if err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(5 * time.Minute); !r.State().Over(); time.Sleep(50 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("after five minutes it has come to step %d", r.record.Position().Steps)
				}
			}
			if i := ended(t, l, r.ID); i.Steps < 500_000 {
				t.Fatalf("it came to step %d: %s", i.Steps, i.Reason)
			}
			l.Close()
			kept.Close()
			if took := size() - empty; took <= 0 || took > 2<<20 {
				t.Errorf("it takes %d bytes", took)
			} else {
				t.Logf("it takes %d bytes, beside an empty store's %d", took, empty)
			}
		})
	}
}
