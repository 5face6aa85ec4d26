package hyper

import (
	"errors"
	"fmt"
	"strings"

	"impalab/envs"
)

// rule refuses a combination of settings that makes no sense. It stands with the setting or the algorithm that excludes
// the other.
type rule struct {
	when   func(*Config) bool
	refuse string              // names what excludes each other and the way out; {key} is written as key=value
	args   func(*Config) []any // for the verbs in refuse; nil: it has none
}

func (r *rule) check(c *Config) error {
	if !r.when(c) {
		return nil
	}
	said := r.refuse
	if r.args != nil {
		said = fmt.Sprintf(said, r.args(c)...)
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(said, "{")
		out.WriteString(before)
		if !found {
			return errors.New(out.String())
		}
		key, after, _ := strings.Cut(rest, "}")
		out.WriteString(key + "=" + c.Get(key))
		said = after
	}
}

// Validate refuses combinations that make no sense, naming both settings and the way out. Single values were checked
// when they were set.
func (c *Config) Validate() error {
	var errs []error
	for i := range Table {
		row := &Table[i]
		for k := range row.rules {
			errs = append(errs, row.rules[k].check(c))
		}
	}
	algorithm := c.Algorithm()
	for k := range algorithm.rules {
		errs = append(errs, algorithm.rules[k].check(c))
	}
	return errors.Join(errs...)
}

// hasNoControls is a policy of real numbers in a world whose actions are names.
func hasNoControls(c *Config) bool {
	world, _, err := envs.Describe(c.World)
	return c.Policy != Softmax && err == nil && len(world.Controls) == 0
}

// tasksOf is how many tasks the world has: one, or a suite's.
func tasksOf(c *Config) int {
	_, tasks, err := envs.Describe(c.World)
	if err != nil {
		return 1
	}
	return len(tasks)
}

// dealtUnevenly is a batch that gives the tasks of a suite unequal shares (IMPALA §5.3: a fixed number of actors per
// task).
func dealtUnevenly(c *Config) bool {
	tasks, fresh := tasksOf(c), c.BatchSize-c.Replayed()
	return tasks > 1 && (fresh < 1 || fresh%tasks != 0)
}

// noTable is a start from the optimal policy in a network that is more than a table.
func noTable(c *Config) bool {
	table := c.Hidden == None && c.HeadHidden == None && c.Torso == FlatTorso && c.LSTM == 0 && c.Feedback == Off &&
		c.Torsos == Shared
	return c.Init == SoftOptimal && !table
}
