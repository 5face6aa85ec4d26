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

// store writes a table into RESULTS.md, its curves and its chart into static/plots, its runs into docs/runs, the
// baselines of a track into the folder from which the program embeds them, and the returns of corrections into theirs.
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
		if err := command.DrawCurves(file, title, command.CurvesOf(r)); err != nil {
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
	if err := atomicfile.WriteFile(page, []byte(replaceSection(string(old), t)), 0o644); err != nil {
		return err
	}
	return storeCorrections(source)
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

// storeWords writes the words of all studies into RESULTS.md: all that no run decides. It keeps the figures of each row
// whose label and settings are as before, and shows every other row as not yet run.
func storeWords(source string) error {
	file := filepath.Join(source, "RESULTS.md")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	page := string(text)
	for _, s := range command.Studies() {
		old := sectionOf(page, s.Title)
		t := &trial.StudyTable{Study: s, Seeds: s.SeedList(), Found: foundIn(old)}
		page = insertSection(page, s.Title, withFigures(t, old))
	}
	return atomicfile.WriteFile(file, []byte(page), 0o644)
}

// withFigures returns the section of a study with the figures of an older section.
func withFigures(t *trial.StudyTable, old string) string {
	lines, last := strings.SplitAfter(old, "\n"), -1
	same := func(row string) int {
		cells := strings.Split(row, " | ")
		return slices.IndexFunc(lines, func(line string) bool {
			was := strings.Split(line, " | ")
			return len(was) == len(cells) && was[0] == cells[0] && was[len(was)-1] == cells[len(cells)-1]
		})
	}
	text := t.Head()
	for i := range t.Study.Variants {
		row := t.Waiting(&t.Study.Variants[i])
		if at := same(row); at >= 0 {
			row, last = lines[at], max(last, at)
		}
		text += row
	}
	rest, _, _ := strings.Cut(strings.Join(lines[last+1:], ""), trial.ComparedWord)
	text += rest
	if said := t.Study.Compared(text); said != "" {
		text = strings.TrimRight(text, "\n") + "\n\n" + said
	}
	return text
}

// replaceSection returns the page with this section. It keeps the paragraph that a person wrote in the section.
func replaceSection(page string, t *trial.StudyTable) string {
	t.Found = foundIn(sectionOf(page, t.Study.Title))
	return insertSection(page, t.Study.Title, t.Markdown())
}

// foundIn returns the paragraph that a person wrote in a section.
func foundIn(section string) (found string) {
	for _, paragraph := range strings.Split(section, "\n\n") {
		if text, ok := strings.CutPrefix(paragraph, trial.FoundWord); ok {
			found = text
		}
	}
	return found
}

// sectionOf returns the section under a heading; "" if the page has none.
func sectionOf(page, heading string) string {
	_, section, _ := strings.Cut("\n"+page, "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return strings.TrimLeft(section, "\n")
}

// insertSection returns the page with this section, and with all sections in the order of the studies.
func insertSection(page, title, section string) string {
	intro, list, _ := strings.Cut("\n"+page, "\n## ")
	sections := map[string]string{} // by heading
	var headings []string
	for _, text := range strings.Split(list, "\n## ") {
		if heading, _, ok := strings.Cut(text, "\n"); ok {
			sections[heading] = "## " + text
			headings = append(headings, heading)
		}
	}
	sections[title] = section
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
