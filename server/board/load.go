package board

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"impalab/learner/hyper"
	"impalab/learner/trial"
)

//go:embed tracks/*.yaml measured
var own embed.FS

// Tracks are the tracks of impalab in the order of their difficulty, followed by a host's own.
type Tracks struct {
	All    []*Track
	Faults []error // errors of files that could not be read; the other tracks are there
}

// order is the order of impalab's tracks, from the easiest to understand.
var order = []string{"late-pole", "long-and-late", "catch-in-a-hurry", "somebody-elses-data", "a-late-memory",
	"a-late-walker", "the-crowded-cliff", "write-a-correction", "write-for-words"}

// Own returns impalab's tracks.
var Own = sync.OnceValue(func() *Tracks {
	t := new(Tracks)
	t.read(own, "tracks", "the built-in ")
	slices.SortStableFunc(t.All, func(a, b *Track) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	t.measure()
	return t
})

// Load returns Own and the tracks of a folder: each *.yaml is one, named like its file. It records a fault for a file
// with a mistake. An empty name means no folder.
func Load(folder string) (*Tracks, error) {
	t := *Own()
	if folder == "" {
		return &t, nil
	}
	info, err := os.Stat(folder)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is no folder", folder)
	}
	t.All, t.Faults = slices.Clone(t.All), slices.Clone(t.Faults)
	t.read(os.DirFS(folder), ".", folder+"/")
	return &t, nil
}

// read adds the tracks of a folder; faults begin with where.
func (t *Tracks) read(from fs.FS, folder, where string) {
	names, err := fs.Glob(from, path.Join(folder, "*.yaml"))
	if err != nil {
		t.Faults = append(t.Faults, err)
	}
	for _, name := range names {
		var track *Track
		text, err := fs.ReadFile(from, name)
		if err == nil {
			track, err = Parse(strings.TrimSuffix(path.Base(name), ".yaml"), text)
		}
		if err == nil && slices.ContainsFunc(t.All, func(have *Track) bool { return have.Name == track.Name }) {
			err = errors.New("a track of this name is there already; call the file something else")
		}
		if err != nil {
			t.Faults = append(t.Faults, fmt.Errorf("the track %s%s: %w", where, name, err))
			continue
		}
		t.All = append(t.All, track)
	}
}

// Find returns a track by its name. The error names the nearest.
func (t *Tracks) Find(name string) (*Track, error) {
	return hyper.Find("track", name, "impalab board tracks lists all", t.All, func(t *Track) string { return t.Name })
}

// Rows returns the measured rows of the baselines.
func (t *Track) Rows() (rows []Row) {
	for _, b := range t.Baselines {
		if b.Row != nil {
			rows = append(rows, *b.Row)
		}
	}
	return rows
}

// measure reads the baselines' rows.
func (t *Tracks) measure() {
	for _, track := range t.All {
		text, err := own.ReadFile("measured/" + track.Name + ".json")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var rows []Row
		if err == nil {
			err = json.Unmarshal(text, &rows)
		}
		for i := range rows {
			row := &rows[i]
			at := slices.IndexFunc(track.Baselines, func(b Baseline) bool { return b.Hash == row.Hash && b.Name == row.Name })
			if at < 0 {
				err = errors.Join(err, fmt.Errorf("%s: the track has no such baseline; measure it again", row.Name))
				continue
			}
			row.Entry, track.Baselines[at].Row = track.Baselines[at].Entry, row
		}
		if err != nil {
			t.Faults = append(t.Faults, fmt.Errorf("the rows of %s: %w", track.Name, err))
		}
	}
}

// Study returns a track's baselines as a study of impalab reproduce.
func (t *Track) Study() trial.Study {
	s := trial.Study{Name: StudyName + "/" + t.Name, Title: "Board: " + t.Title, Claim: t.Sentence,
		Preset: t.Preset, Budget: fmt.Sprint(t.Start.Steps), Seeds: t.Seeds.Public}
	for i := range t.Baselines {
		b := &t.Baselines[i]
		fixed := slices.DeleteFunc(slices.Clone(t.Fixed), func(s hyper.Setting) bool {
			return b.Config.Get(s.Key) != s.Value
		})
		s.Variants = append(s.Variants, trial.Variant{Label: b.Name,
			Settings: strings.TrimSpace(fixed.Text() + " " + b.Text())})
	}
	return s
}

// StudyName means all tracks to reproduce; StudyName/TRACK means one.
const StudyName = "board"
