package hyper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/loss"
)

var inf = math.Inf(1)

// Whose settings some are.
func tunesItself(a *Algorithm) bool     { return a.TunesItself }
func hasSeveralHeads(a *Algorithm) bool { return a.SeveralHeads }
func imitates(a *Algorithm) bool        { return a.Imitates }
func isSurprised(a *Algorithm) bool     { return a.Surprised }

// Table is every setting, in the order in which a person reads them. The rows stand in one file for each group:
// table_run.go, table_main.go and so on. A new setting is a field of Config and a row there.
var Table = slices.Concat(runRows, mainRows, targetRows, learningRows, vmpoRows, stacRows, networkRows, replayRows,
	actorRows)

func inGroup(group Group, rows []Row) []Row {
	for i := range rows {
		rows[i].Group = group
	}
	return rows
}

// replayedOf says how many trajectories of a batch are old.
func replayedOf(c *Config) string {
	if c.Mix == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d old", c.Replayed(), c.BatchSize)
}

func worldNames() []string {
	worlds := names(envs.Table, func(e envs.Entry) string { return e.Spec.Name })
	return append(worlds, names(envs.Suites, func(s envs.Suite) string { return s.Name })...)
}

func correctionNames() []string {
	return names(correct.Corrections[:], func(c correct.Correction) string { return c.Name })
}

// correctionTitles are what people call the corrections.
func correctionTitles() map[string]string {
	titles := map[string]string{}
	for _, c := range correct.Corrections {
		titles[c.Name] = c.Title
	}
	return titles
}

func algorithmTitles() map[string]string {
	titles := map[string]string{}
	for _, a := range Algorithms {
		titles[string(a.Name)] = a.Title
	}
	return titles
}

func rewardNames() []string {
	return names(loss.Rewards[:], func(r loss.RewardRow) string { return r.Name })
}

func drivenWorlds() (out []string) {
	for _, e := range envs.Table {
		if len(e.Spec.Controls) > 0 {
			out = append(out, e.Spec.Name)
		}
	}
	return out
}

func names[T any](table []T, name func(T) string) []string {
	out := make([]string, len(table))
	for i := range table {
		out[i] = name(table[i])
	}
	return out
}

// knownWorld takes every name that envs does, options and suites included.
func knownWorld(name string) error {
	if _, _, err := envs.Describe(name); err != nil {
		if plain, _, _ := strings.Cut(name, ":"); !slices.Contains(worldNames(), plain) {
			return Unknown("world", plain, worldNames(), "impalab worlds lists all")
		}
		return fmt.Errorf("world=%.64q: %w", name, err)
	}
	return nil
}
