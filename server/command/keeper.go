package command

// What reproduce --keep holds in a folder: each run as it ended, so that a study of hours that was interrupted goes on
// where it stopped.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

// keeper holds finished runs of one build; another may train to other figures.
type keeper struct {
	folder string
	build  string // digest of this program
	beside string // what is done to a run and at its end, beside its settings
}

// keptRun is all that a report is made of, beside what --json shows.
type keptRun struct {
	Run        trial.Report      `json:"run"`
	Curve      []trial.Number    `json:"curve"`
	Evaluation *trial.Evaluation `json:"evaluation"`
}

// newKeeper is nil, which keeps nothing, without a folder.
func newKeeper(folder, beside string) (trial.Keeper, error) {
	if folder == "" {
		return nil, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("--keep %q: %w", folder, err)
	}
	if err := atomicfile.Check(folder); err != nil {
		return nil, fmt.Errorf("--keep %q: %w", folder, err)
	}
	build, err := ownDigest()
	if err != nil {
		return nil, fmt.Errorf("--keep %q: which build this is cannot be told: %w", folder, err)
	}
	return &keeper{folder, build, beside}, nil
}

// ownFile is that of this program: where there is no /proc, as in an empty root, the one that it was called by.
func ownFile() (string, error) {
	name, err := os.Executable()
	if err == nil {
		return name, nil
	}
	called, missing := exec.LookPath(os.Args[0])
	if missing != nil {
		return "", err
	}
	return filepath.Abs(called)
}

// ownDigest identifies this build of the program: the SHA-256 of its file.
func ownDigest() (string, error) {
	name, err := ownFile()
	if err != nil {
		return "", err
	}
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// path names a run by all that decides it.
func (k *keeper) path(cfg *hyper.Config) string {
	text := fmt.Sprint(k.build, k.beside, cfg.Settings())
	sum := sha256.Sum256([]byte(text))
	return filepath.Join(k.folder, fmt.Sprintf("%s-%d-%s.json", cfg.World, cfg.Seed, hex.EncodeToString(sum[:8])))
}

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
