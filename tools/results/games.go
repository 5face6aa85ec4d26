package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
	"impalab/server/command"
	"impalab/server/picture"
	"impalab/web/chart"
)

// docs/minatar.md lays the studies of MinAtar's games side by side: a row for each algorithm, a column for each game.
// Its figures are of the runs in docs/runs.

const (
	gamesPage  = "docs/minatar.md"
	gamesChart = "minatar.svg"
)

// games are the studies of the games, and what the files know of them.
type games struct {
	published *trial.Study // has others' results of each game
	studies   []*trial.Study
	rows      []trial.Variant             // of all studies, each label once
	runs      []map[string][]trial.Report // by game, then by label
}

// readGames reads the runs of all studies that store theirs. A row has the runs that the study of a game has of it. If
// that study lacks the row, the row has the runs of its settings, whatever they are called there.
func readGames(source string) (*games, error) {
	published, err := trial.LookupStudy("grid-games")
	if err != nil {
		return nil, err
	}
	g := games{published: published}
	for _, s := range command.Studies() {
		if !s.EveryRun {
			continue
		}
		g.studies = append(g.studies, s)
		for _, v := range s.Variants {
			if !slices.ContainsFunc(g.rows, func(row trial.Variant) bool { return row.Label == v.Label }) {
				g.rows = append(g.rows, v)
			}
		}
	}
	for _, s := range g.studies {
		seeds, err := trial.ParseSeeds(s.SeedList())
		if err != nil {
			return nil, err
		}
		stored, err := readRuns(source, s)
		if err != nil {
			return nil, err
		}
		runs := map[string][]trial.Report{}
		for i := range g.rows {
			row := &g.rows[i]
			if own := rowOf(s, row.Label); own != nil {
				row = own
			}
			if runs[row.Label], err = runsOf(stored, s, row, seeds); err != nil {
				return nil, err
			}
		}
		g.runs = append(g.runs, runs)
	}
	return &g, nil
}

// rowOf returns the row of a study with a label; nil: the study lacks it.
func rowOf(s *trial.Study, label string) *trial.Variant {
	if i := slices.IndexFunc(s.Variants, func(v trial.Variant) bool { return v.Label == label }); i >= 0 {
		return &s.Variants[i]
	}
	return nil
}

// name is the game of a study.
func (g *games) name(k int) string {
	game, _, _ := strings.Cut(g.studies[k].Title, ",")
	return game
}

// others returns the results of others under a heading of the study of published figures, by game; "–": there is none.
func (g *games) others(heading string) (all []string) {
	for _, game := range g.studies {
		value := "–"
		for i := range g.published.Variants {
			v := &g.published.Variants[i]
			if preset, _ := g.published.Changes(v); preset == game.Preset {
				value = v.Beside[slices.Index(g.published.Beside, heading)]
			}
		}
		all = append(all, value)
	}
	return all
}

// table returns a table over rows and games. cell returns the text of a trained row for game k.
func (g *games) table(cell func(k int, runs []trial.Report) string) string {
	head := []string{""}
	for k := range g.studies {
		head = append(head, g.name(k))
	}
	text := trial.TableHead(head)
	for i := range g.rows {
		cells := []string{g.rows[i].Label}
		for k := range g.studies {
			in := "–"
			if runs := g.runs[k][g.rows[i].Label]; runs != nil {
				in = cell(k, runs)
			}
			cells = append(cells, in)
		}
		text += trial.TableRow(cells)
	}
	return text
}

// beside returns a table with the results of others in its last row. A cell is bold if its whole interval is above
// theirs.
func (g *games) beside(of func([]trial.Report) trial.Estimate, heading, name string) string {
	others := g.others(heading)
	return g.table(func(k int, runs []trial.Report) string {
		e := of(runs)
		if other, err := strconv.ParseFloat(others[k], 64); err == nil && float64(e.Low) > other {
			return "**" + e.Words() + "**"
		}
		return e.Words()
	}) + trial.TableRow(append([]string{"*" + name + "*"}, others...))
}

// hours returns how long runs took one after the other.
func hours(_ int, runs []trial.Report) string {
	sum := 0.0
	for i := range runs {
		sum += runs[i].Wall
	}
	return fmt.Sprintf("%.2f", sum/3600)
}

func greedy(runs []trial.Report) trial.Estimate { return trial.SummariseEvaluations(runs).Greedy }

func drawn(runs []trial.Report) trial.Estimate { return trial.SummariseEvaluations(runs).Drawn }

func atEnd(runs []trial.Report) trial.Estimate {
	return trial.Summarise(hyper.Config{}, runs, 0, nil).Final
}

// chart returns the returns at the end as multiples of the published ones, of each row that two studies or more have.
func (g *games) chart() picture.Chart {
	var places []string
	for k := range g.studies {
		places = append(places, g.name(k))
	}
	var lines []chart.LevelLine
	for i := range g.rows {
		label := g.rows[i].Label
		line := chart.LevelLine{Name: label, Tone: chart.LevelTone(len(lines))}
		studies := 0
		for k, public := range g.others("actor-critic") {
			l := chart.Level{Mean: math.NaN()}
			if runs := g.runs[k][label]; runs != nil {
				unit, _ := strconv.ParseFloat(public, 64)
				e := atEnd(runs)
				l = chart.Level{Mean: float64(e.Mean) / unit, Low: float64(e.Low) / unit, High: float64(e.High) / unit}
			}
			line.At = append(line.At, l)
			if rowOf(g.studies[k], label) != nil {
				studies++
			}
		}
		if studies >= 2 {
			lines = append(lines, line)
		}
	}
	return picture.Levels("MinAtar, five million steps",
		chart.Levels{Axis: "game", Places: places, Apart: true, Lines: lines})
}

// page returns the text of docs/minatar.md.
func (g *games) page() string {
	text := fmt.Sprintf(`<!-- Written by go -C tools run ./results games. -->

# MinAtar, five million steps

Each cell is the interquartile mean of eight seeds with its 95 %% bootstrap interval. A row has the preset of the game
and the same changes in every game; [RESULTS](../RESULTS.md) says which. A dash marks a row without runs.
The row of Breakout's settings has them in every game. Rows with equal settings share their runs: Asterix and Seaquest
have Breakout's settings anyway, and only the preset of Space invaders has PopArt.
Bold: the whole interval is above the figure of others in the table's last row, which is read off a plot.

![Return at the end as a multiple of the published actor-critic](../%[1]s/%[2]s)

## Greedy

The agent always takes its most probable action, for 100 episodes after training.

%[3]s
## End of training

The mean return of the last 100 episodes of training.

%[4]s
## Drawn

The agent draws its actions from its policy, for 100 episodes after training.

%[5]s
## Time

Hours of the wall clock for eight runs, each on one core. Other work ran beside them, and some runs waited for it.

%[6]s`, trial.PlotFolder, gamesChart, g.table(func(_ int, runs []trial.Report) string { return greedy(runs).Words() }),
		g.beside(atEnd, "actor-critic", "actor-critic, Young and Tian (2019)"),
		g.table(func(_ int, runs []trial.Report) string { return drawn(runs).Words() }), g.table(hours))
	for k, s := range g.studies {
		var rows []*trial.StudyRow
		for i := range s.Variants {
			label := s.Variants[i].Label
			rows = append(rows, &trial.StudyRow{Label: label, Runs: g.runs[k][label]})
		}
		text += fmt.Sprintf("\n## %s\n\n![%s: return over steps](../%s/%s)\n\n%s`impalab reproduce %s` · [every run](%s)\n",
			g.name(k), g.name(k), trial.PlotFolder, s.Chart.File, trial.Diverged(rows), s.Name,
			strings.TrimPrefix(trial.RunsFile(s), "docs/"))
	}
	return text
}

// storeGames writes the page and its chart below the top folder of the source.
func storeGames(source string) error {
	g, err := readGames(source)
	if err != nil {
		return err
	}
	if err := command.DrawChart(filepath.Join(source, trial.PlotFolder, gamesChart), g.chart(),
		"Return at the end as a multiple of the published actor-critic, 95 % interval over seeds"); err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(source, gamesPage), []byte(g.page()), 0o644)
}
