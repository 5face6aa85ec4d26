package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/web/page"
)

// storeCorrections writes the returns over the run of the studies that the page of the corrections shows, and the maps
// of the lessons, as RESULTS.md has them. A row that is not yet run has none.
func storeCorrections(source string) error {
	for file, figures := range figuresOf {
		text, err := figures(source)
		if err == nil {
			err = atomicfile.WriteFile(filepath.Join(source, file), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// figuresOf are the files that pages read in place of RESULTS.md, and the functions that make them.
var figuresOf = map[string]func(source string) ([]byte, error){
	page.MeasuredFile: correctionFigures, page.FallenFile: fallenFigures,
}

// fallenFigures returns the file of the lessons' maps of lag and rate. A line with a row that is not yet run has none.
func fallenFigures(source string) ([]byte, error) {
	results, err := os.ReadFile(filepath.Join(source, "RESULTS.md"))
	if err != nil {
		return nil, err
	}
	study, err := trial.LookupStudy(page.FallenStudy)
	if err != nil {
		return nil, err
	}
	tables, rates, lags := trial.ReadTables(sectionOf(string(results), study.Title)), study.Each[0], study.Each[1]
	all := map[string]*page.Fallen{}
	for i := 0; i < len(study.Variants); i += len(rates.Values) * len(lags.Values) {
		name, _, _ := strings.Cut(study.Variants[i].Label, ", "+rates.Key)
		m := &page.Fallen{Rates: rates.Values, Lags: lags.Values, Fell: make([][]int, len(rates.Values))}
		for k, v := range study.Variants[i : i+len(rates.Values)*len(lags.Values)] {
			var fell int
			if _, err := fmt.Sscanf(tables.Cell(v.Label, "ended at chance"), "%d of %d", &fell, &m.Of); err != nil {
				m = nil
				break
			}
			m.Fell[k/len(lags.Values)] = append(m.Fell[k/len(lags.Values)], fell)
		}
		if m == nil {
			continue
		}
		if f, ok := figureOf(tables.Cell(name, "all rates")); ok { // no words: the border is on the map
			m.Border = [3]float64{f.Mean, f.Low, f.High}
		}
		all[name] = m
	}
	text, err := json.MarshalIndent(all, "", "\t")
	return append(text, '\n'), err
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
