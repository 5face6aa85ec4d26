package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/web/page"
)

// storeCorrections writes the returns over the run of the studies that the page of the corrections shows, as RESULTS.md
// has them. A row that is not yet run has none.
func storeCorrections(source string) error {
	text, err := correctionFigures(source)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(source, page.MeasuredFile), text, 0o644)
}

// correctionFigures returns the file of these returns.
func correctionFigures(source string) ([]byte, error) {
	results, err := os.ReadFile(filepath.Join(source, "RESULTS.md"))
	if err != nil {
		return nil, err
	}
	all := page.Measured{}
	for _, name := range page.MeasuredStudies() {
		study, err := trial.LookupStudy(name)
		if err != nil {
			return nil, err
		}
		rows := map[string]page.Figure{}
		tables := trial.ReadTables(sectionOf(string(results), study.Title))
		for _, v := range study.Variants {
			if f, ok := figureOf(tables.Cell(v.Label, "over the run")); ok {
				rows[v.Label] = f
			}
		}
		if len(rows) > 0 {
			all[name] = rows
		}
	}
	text, err := json.MarshalIndent(all, "", "\t")
	return append(text, '\n'), err
}

// figureOf reads a mean with its interval: "428 [413, 432]".
func figureOf(cell string) (f page.Figure, ok bool) {
	fields := strings.Fields(strings.NewReplacer("−", "-", "[", " ", "]", " ", ",", " ").Replace(cell))
	if len(fields) != 3 {
		return f, false
	}
	for i, to := range []*float64{&f.Mean, &f.Low, &f.High} {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return f, false
		}
		*to = v
	}
	return f, true
}
