package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/server/board"
	"impalab/server/command"
)

// store writes a table into RESULTS.md, its curves and its chart into static/plots, its runs into docs/runs, and the
// baselines of a track into the folder from which the program embeds them.
func store(t *trial.StudyTable, source string) error {
	page := filepath.Join(source, "RESULTS.md")
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	for _, r := range t.Rows {
		if r.Variant.Plot == "" {
			continue
		}
		title := fmt.Sprintf("%s: %s, %d seeds", t.Study.Title, r.Label, len(r.Runs))
		file := filepath.Join(source, trial.PlotFolder, r.Variant.Plot)
		if err := command.DrawCurves(file, title, curvesOf(r)); err != nil {
			return err
		}
	}
	if err := draw(t, source); err != nil {
		return err
	}
	if t.Study.EveryRun {
		if err := storeRuns(t, source); err != nil {
			return err
		}
		if err := storeGames(source); err != nil {
			return err
		}
	}
	if err := storeBaselines(t, filepath.Join(source, "server/board/measured")); err != nil {
		return err
	}
	return atomicfile.WriteFile(page, []byte(replaceSection(string(old), t)), 0o644)
}

// storeBaselines writes the rows of a track's baselines, one per line. It ignores other studies and other seeds.
func storeBaselines(t *trial.StudyTable, folder string) error {
	name, of := strings.CutPrefix(t.Study.Name, board.StudyName+"/")
	if !of || t.Seeds != t.Study.SeedList() {
		return nil
	}
	track, err := board.Own().Find(name)
	if err != nil {
		return err
	}
	lines := make([]string, len(t.Rows))
	for i, r := range t.Rows {
		at := slices.IndexFunc(track.Baselines, func(b board.Baseline) bool { return b.Name == r.Label })
		row := board.NewRow(track, r.Label, track.Baselines[at].Entry, track.PublicSeeds(), r.Runs)
		text, err := json.Marshal(&row)
		if err != nil {
			return err
		}
		lines[i] = string(text)
	}
	text := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	return atomicfile.WriteFile(filepath.Join(folder, track.Name+".json"), []byte(text), 0o644)
}

// replaceSection returns the page with this section, and with all sections in the order of the studies. It keeps the
// paragraph that a person wrote in the section.
func replaceSection(page string, t *trial.StudyTable) string {
	intro, list, _ := strings.Cut("\n"+page, "\n## ")
	sections := map[string]string{} // by heading
	var headings []string
	for _, text := range strings.Split(list, "\n## ") {
		if heading, _, ok := strings.Cut(text, "\n"); ok {
			sections[heading] = "## " + text
			headings = append(headings, heading)
		}
	}
	for _, paragraph := range strings.Split(sections[t.Study.Title], "\n\n") {
		if found, ok := strings.CutPrefix(paragraph, trial.FoundWord); ok {
			t.Found = found
		}
	}
	sections[t.Study.Title] = t.Markdown()
	var order []string
	for _, s := range command.Studies() {
		order = append(order, s.Title)
	}
	out := strings.Trim(intro, "\n")
	for _, heading := range append(order, headings...) { // other sections follow
		if text := sections[heading]; text != "" {
			out += "\n\n" + strings.TrimRight(text, "\n")
			delete(sections, heading)
		}
	}
	return out + "\n"
}
