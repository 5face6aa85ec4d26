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
	rows   map[string][]Row
}

// order is the order of impalab's tracks, from the easiest to understand.
var order = []string{"late-pole", "long-and-late", "catch-in-a-hurry", "somebody-elses-data", "a-late-memory",
	"the-crowded-cliff"}

// Own returns impalab's tracks.
var Own = sync.OnceValue(func() *Tracks {
	tracks, err := fs.Sub(own, "tracks")
	measured, err2 := fs.Sub(own, "measured")
	if err := errors.Join(err, err2); err != nil {
		panic(err) // the folders are embedded
	}
	t := &Tracks{rows: map[string][]Row{}}
	t.read(tracks, "the built-in ")
	slices.SortStableFunc(t.All, func(a, b *Track) int {
		return slices.Index(order, a.Name) - slices.Index(order, b.Name)
	})
	t.measure(measured)
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
	t.read(os.DirFS(folder), folder+"/")
	return &t, nil
}

// mostTrack is the size of the largest track file, in bytes.
const mostTrack = 1 << 20

// read adds the tracks of a folder; faults begin with where.
func (t *Tracks) read(from fs.FS, where string) {
	names, err := fs.Glob(from, "*.yaml")
	if err != nil {
		t.Faults = append(t.Faults, err)
	}
	for _, name := range names {
		track, err := readTrack(from, name)
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

func readTrack(from fs.FS, name string) (*Track, error) {
	info, err := fs.Stat(from, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostTrack {
		return nil, fmt.Errorf("the file has more than %d bytes", mostTrack)
	}
	text, err := fs.ReadFile(from, name)
	if err != nil {
		return nil, err
	}
	return Parse(strings.TrimSuffix(name, path.Ext(name)), text)
}

// Find returns a track by its name. The error names the nearest.
func (t *Tracks) Find(name string) (*Track, error) {
	names := make([]string, len(t.All))
	for i, track := range t.All {
		if track.Name == name {
			return track, nil
		}
		names[i] = track.Name
	}
	return nil, hyper.Unknown("track", name, names, "impalab board tracks lists all")
}

// Rows returns the measured rows of a track's baselines, unsorted.
func (t *Tracks) Rows(track *Track) []Row { return t.rows[track.Name] }

// measure reads the baselines' rows.
func (t *Tracks) measure(from fs.FS) {
	for _, track := range t.All {
		text, err := fs.ReadFile(from, track.Name+".json")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var rows []Row
		if err == nil {
			err = json.Unmarshal(text, &rows)
		}
		for i := range rows {
			at := slices.IndexFunc(track.Baselines, func(b Baseline) bool { return b.Hash == rows[i].Hash })
			if at < 0 || track.Baselines[at].Name != rows[i].Name {
				err = errors.Join(err, fmt.Errorf("%s, %s: the track has no such baseline; measure it again", track.Name,
					rows[i].Name))
				continue
			}
			rows[i].Entry = track.Baselines[at].Entry
		}
		if err != nil {
			t.Faults = append(t.Faults, fmt.Errorf("the rows of %s: %w", track.Name, err))
			continue
		}
		t.rows[track.Name] = rows
	}
}

// Study returns a track's baselines as a study of impalab reproduce.
func (t *Track) Study() trial.Study {
	s := trial.Study{Name: StudyName + "/" + t.Name, Title: "Board: " + t.Title, Claim: t.Sentence,
		Preset: t.Preset, Budget: fmt.Sprint(t.Start.Steps), Seeds: t.PublicText}
	fixed := Entry{Settings: t.Fixed}
	for i := range t.Baselines {
		b := &t.Baselines[i]
		s.Variants = append(s.Variants, trial.Variant{Label: b.Name,
			Settings: strings.TrimSpace(fixed.Text() + " " + b.Text())})
	}
	return s
}

// StudyName means all tracks to reproduce; StudyName/TRACK means one.
const StudyName = "board"
