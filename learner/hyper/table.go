package hyper

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"impalab/envs"
)

var inf = math.Inf(1)

// Whose settings some are.
func tunesItself(a *Algorithm) bool     { return a.TunesItself }
func hasSeveralHeads(a *Algorithm) bool { return a.SeveralHeads }
func imitates(a *Algorithm) bool        { return a.Imitates }
func isSurprised(a *Algorithm) bool     { return a.Surprised }

// Table is every setting, in the order in which a person reads them. The rows stand in one file for each group:
// table_run.go, table_main.go and so on. A new setting is a field of Config, with its key as a tag, and a row there.
var Table = slices.Concat(runRows, mainRows, targetRows, learningRows, vmpoRows, stacRows, networkRows, replayRows,
	actorRows)

// inGroup adds the group of rows and their fields of Config. of says which algorithms have the rows that do not say it.
func inGroup(group Group, of func(*Algorithm) bool, rows []Row) []Row {
	config := reflect.TypeFor[Config]()
	for i := range rows {
		r := &rows[i]
		r.Group = group
		if r.of == nil {
			r.of = of
		}
		for r.field = 0; config.Field(r.field).Tag.Get("key") != r.Key; { // panics at the end of Config
			r.field++
		}
		r.kind = config.Field(r.field).Type.Kind()
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

// titles maps the names of a table's entries to what people call them.
func titles[T any](table []T, of func(T) (name, title string)) map[string]string {
	all := map[string]string{}
	for _, entry := range table {
		name, title := of(entry)
		all[name] = title
	}
	return all
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
