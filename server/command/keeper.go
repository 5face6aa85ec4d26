package command

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

// keeper stores finished runs in a folder, so that an interrupted study continues. It returns only runs of this build.
type keeper struct {
	folder string
	build  string // digest of this program
	beside string // besides its settings, all that decides a run's report
}

// keptRun is a stored report: its JSON, and the parts that its JSON leaves out.
type keptRun struct {
	Run        trial.Report      `json:"run"`
	Curve      []trial.Number    `json:"curve"`
	Evaluation *trial.Evaluation `json:"evaluation"`
}

// newKeeper returns nil, which stores nothing, without a folder.
func newKeeper(folder, beside string) (trial.Keeper, error) {
	if folder == "" {
		return nil, nil
	}
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		err = atomicfile.Check(folder)
	}
	build := ""
	if err == nil {
		build, err = ownDigest()
	}
	if err != nil {
		return nil, fmt.Errorf("--keep %q: %w", folder, err)
	}
	return &keeper{folder, build, beside}, nil
}

// path returns the file of a run. Its name depends on all that decides the run.
func (k *keeper) path(cfg *hyper.Config) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(k.build, k.beside, cfg.Settings())))
	return filepath.Join(k.folder, fmt.Sprintf("%s-%d-%s.json", cfg.World, cfg.Seed, hex.EncodeToString(sum[:8])))
}

// Load implements trial.Keeper.
func (k *keeper) Load(cfg *hyper.Config) (trial.Report, bool) {
	text, err := os.ReadFile(k.path(cfg))
	if err != nil {
		return trial.Report{}, false
	}
	var kept keptRun
	if err := json.Unmarshal(text, &kept); err != nil {
		return trial.Report{}, false
	}
	r := kept.Run
	r.Evaluation, r.Curve = kept.Evaluation, trial.Curve{Budget: cfg.Steps}
	for _, v := range kept.Curve {
		r.Curve.At = append(r.Curve.At, float64(v))
	}
	return r, true
}

// Save implements trial.Keeper.
func (k *keeper) Save(cfg *hyper.Config, r *trial.Report) error {
	if r.Interrupted {
		return nil
	}
	kept := keptRun{Run: *r, Evaluation: r.Evaluation}
	for _, v := range r.Curve.At {
		kept.Curve = append(kept.Curve, trial.Number(v))
	}
	text, err := json.Marshal(&kept)
	if err != nil {
		return fmt.Errorf("keeping seed %d: %w", cfg.Seed, err)
	}
	return atomicfile.WriteFile(k.path(cfg), text, 0o644)
}
