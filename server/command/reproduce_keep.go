package command

import (
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

// keeper stores the runs of one row of a study in a folder, so that an interrupted study continues. It uses only runs
// of this build, and says so if it finds runs of another.
type keeper struct {
	folder string // "": it stores nothing
	row    string // the study and the variant
	build  string // digest of this program
	beside string // besides its settings, all that decides a run's result
	notes  io.Writer
	noted  sync.Once
}

// kept is a stored result with all that decides it.
type kept struct {
	Build, Beside string
	Settings      []hyper.Setting
	Result        []byte // a trial.Report or members, as gob
}

// newKeeper returns a keeper that stores nothing without a folder.
func newKeeper(folder, row, beside string, notes io.Writer) (k *keeper, err error) {
	k = &keeper{folder: folder, row: row, beside: beside, notes: notes}
	if folder == "" {
		return k, nil
	}
	if err = os.MkdirAll(folder, 0o755); err == nil {
		err = atomicfile.Check(folder)
	}
	if err == nil {
		k.build, err = ownDigest()
	}
	if err != nil {
		return nil, fmt.Errorf("--keep %q: %w", folder, err)
	}
	return k, nil
}

// train returns the reports of a trial's seeds. It trains only the seeds whose reports are not in the folder.
func (k *keeper) train(ctx context.Context, prog *Program, run *trial.Trial) ([]trial.Report, error) {
	if k.folder == "" {
		return prog.train(ctx, run, nil, func(trial.Report) {})
	}
	m := newMeter(prog.Stderr, run.Budget())
	defer m.clear()
	reports := make([]trial.Report, len(run.Seeds))
	var group errgroup.Group
	group.SetLimit(run.Jobs)
	for i, seed := range run.Seeds {
		if k.load(&run.Config, seed, &reports[i]) {
			continue
		}
		alone := *run
		alone.Seeds, alone.Jobs, alone.Hooks = []uint64{seed}, 1, m.hooks
		group.Go(func() error {
			all, err := k.resume(ctx, &alone)
			if err != nil || ctx.Err() != nil {
				return err
			}
			reports[i] = all[0]
			return k.save(&run.Config, seed, &all[0])
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = ErrInterrupted
	}
	return reports, err
}

// resume trains the trial of one seed. If it can, it continues from a state in the folder and stores one when ctx ends.
func (k *keeper) resume(ctx context.Context, run *trial.Trial) ([]trial.Report, error) {
	if run.Config.Mode != hyper.Reference || run.Script != nil || run.Falls || run.Thin {
		return run.Run(ctx, func(trial.Report) {})
	}
	file := strings.TrimSuffix(k.path(&run.Config, run.Seeds[0]), ".gob") + ".half"
	from, err := os.ReadFile(file)
	if err != nil {
		from = nil
	}
	reports, err := run.Resume(ctx, trial.Way{Engine: onCores, From: from, Every: time.Minute,
		Keep: func(state []byte) error { return atomicfile.WriteFile(file, state, 0o644) }})
	if err == nil {
		os.Remove(file)
	}
	return reports, err
}

// path returns the file of a run. The first part of its name is the row and the seed, the second all that decides the
// run.
func (k *keeper) path(cfg *hyper.Config, seed uint64) string {
	row, all := sha256.Sum256([]byte(k.row)), sha256.Sum256([]byte(fmt.Sprint(k.build, k.beside, k.settings(cfg, seed))))
	study, _, _ := strings.Cut(k.row, ", ")
	return filepath.Join(k.folder, fmt.Sprintf("%s.%s.%d.%s.gob", strings.ReplaceAll(study, "/", "-"),
		hex.EncodeToString(row[:4]), seed, hex.EncodeToString(all[:8])))
}

func (k *keeper) settings(cfg *hyper.Config, seed uint64) []hyper.Setting {
	seeded := *cfg
	seeded.Seed = seed
	return seeded.Settings()
}

// load reads the result of a seed into a report or members, and reports whether this build stored one.
func (k *keeper) load(cfg *hyper.Config, seed uint64, into any) bool {
	if k.folder == "" {
		return false
	}
	path := k.path(cfg, seed)
	if stored, err := readKept(path); err == nil {
		return gob.NewDecoder(strings.NewReader(string(stored.Result))).Decode(into) == nil
	}
	parts := strings.Split(path, ".")
	others, _ := filepath.Glob(strings.Join(parts[:len(parts)-2], ".") + ".*.gob")
	for _, other := range others {
		if stored, err := readKept(other); err == nil {
			k.noted.Do(func() { k.note(stored, k.settings(cfg, seed)) })
		}
	}
	return false
}

// note says that the folder has a run of another build or of other settings, and which settings differ.
func (k *keeper) note(stored *kept, now []hyper.Setting) {
	why := "Another build stored runs of this row"
	if stored.Build == k.build {
		why = "This build stored runs of this row with other settings"
	}
	differ := "their settings are the same"
	if list := differing(stored.Settings, now); len(list) > 0 {
		differ = "these settings differ: " + strings.Join(list, ", ")
	}
	fmt.Fprintf(k.notes, "%s: %s; their figures may differ, and %s. The row is trained again.\n", k.row, why, differ)
}

// differing lists the settings that two lists give different values.
func differing(was, now []hyper.Setting) (list []string) {
	value := func(of []hyper.Setting, key string) string {
		if i := slices.IndexFunc(of, func(s hyper.Setting) bool { return s.Key == key }); i >= 0 {
			return of[i].Value
		}
		return "missing"
	}
	for _, s := range now {
		if old := value(was, s.Key); old != s.Value {
			list = append(list, fmt.Sprintf("%s is %s, was %s", s.Key, s.Value, old))
		}
	}
	for _, s := range was {
		if value(now, s.Key) == "missing" {
			list = append(list, fmt.Sprintf("%s is missing, was %s", s.Key, s.Value))
		}
	}
	return list
}

func readKept(path string) (*kept, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var stored kept
	return &stored, gob.NewDecoder(file).Decode(&stored)
}

// save stores the result of a seed.
func (k *keeper) save(cfg *hyper.Config, seed uint64, result any) error {
	if k.folder == "" {
		return nil
	}
	var text strings.Builder
	if err := gob.NewEncoder(&text).Encode(result); err != nil {
		return err
	}
	stored := kept{k.build, k.beside, k.settings(cfg, seed), []byte(text.String())}
	return atomicfile.Write(k.path(cfg, seed), 0o644, func(to io.Writer) error {
		return gob.NewEncoder(to).Encode(&stored)
	})
}
