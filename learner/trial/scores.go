package trial

import (
	"math"
	"slices"

	"impalab/envs"
)

// Scores are the scores in each world of the suites: agents learned all worlds of one suite, experts one world each.
type Scores struct {
	Worlds []string
	Agents []AgentScores
}

// AgentScores are the scores of one column of the table.
type AgentScores struct {
	Name    string
	At      map[string]Estimate // by world
	experts [][]float64         // of each world, by seed
}

// Scores returns the scores if the first row is of a suite, else nil. Rows whose labels are equal up to the last comma
// are of one agent, or are its experts.
func (t *StudyTable) Scores() *Scores {
	if len(t.Rows) == 0 || t.Rows[0].Summary == nil || len(t.Rows[0].Summary.Tasks) == 0 {
		return nil
	}
	var s Scores
	for _, r := range t.Rows {
		name := t.agent(r)
		at := slices.IndexFunc(s.Agents, func(a AgentScores) bool { return a.Name == name })
		if at < 0 {
			at = len(s.Agents)
			s.Agents = append(s.Agents, AgentScores{Name: name, At: map[string]Estimate{}})
		}
		a, tasks := &s.Agents[at], r.Summary.Tasks
		if len(tasks) == 0 {
			scores := t.expert(r)
			a.experts = append(a.experts, scores)
			tasks = []TaskSummary{{r.Summary.World, NewEstimate(known(scores))}}
		}
		for _, task := range tasks {
			a.At[task.World] = task.Score
			if !slices.Contains(s.Worlds, task.World) {
				s.Worlds = append(s.Worlds, task.World)
			}
		}
	}
	if slices.ContainsFunc(s.Agents, func(a AgentScores) bool { return a.experts != nil }) {
		s.Worlds = append(s.Worlds, meanOfAll)
		s.Agents[0].At[meanOfAll] = t.Rows[0].Summary.Final
		for _, a := range s.Agents {
			if a.experts != nil {
				a.At[meanOfAll] = NewEstimate(known(means(a.experts)))
			}
		}
	}
	return &s
}

// meanOfAll stands in the place of a world, for the mean over the worlds.
const meanOfAll = "mean"

// means returns each seed's mean over the worlds.
func means(scores [][]float64) []float64 {
	all := make([]float64, len(scores[0]))
	for _, world := range scores {
		for seed, score := range world {
			all[seed] += score / float64(len(scores))
		}
	}
	return all
}

// agent returns the name of a row's column: its label, or what the label shares with other rows.
func (t *StudyTable) agent(r *StudyRow) string {
	name, _ := (&Chart{}).Cut(r.Label)
	for _, other := range t.Rows {
		if same, _ := (&Chart{}).Cut(other.Label); other != r && same == name {
			return name
		}
	}
	return r.Label
}

// expert returns each seed's score of a row of a single world, by the reference that the first row's suite has for this
// world. A score is NaN if the run has no hundred episodes.
func (t *StudyTable) expert(r *StudyRow) (scores []float64) {
	_, tasks, err := envs.Describe(t.Rows[0].Summary.World)
	at := slices.IndexFunc(tasks, func(task envs.Task) bool { return task.World == r.Summary.World })
	for i := range r.Runs {
		score := math.NaN()
		if err == nil && at >= 0 {
			score = tasks[at].Score(float64(r.Runs[i].ReturnMean100))
		}
		scores = append(scores, score)
	}
	return scores
}

// known returns the values that are numbers.
func known(values []float64) []float64 { return slices.DeleteFunc(slices.Clone(values), math.IsNaN) }

// markdown returns the table, with a line for each world.
func (s *Scores) markdown() string {
	if s == nil {
		return ""
	}
	columns := []string{"score at the end"}
	for _, a := range s.Agents {
		columns = append(columns, a.Name)
	}
	text := TableHead(columns)
	for _, world := range s.Worlds {
		cells := []string{world}
		for _, a := range s.Agents {
			cell := ""
			if e, ok := a.At[world]; ok {
				cell = e.Words()
			}
			cells = append(cells, cell)
		}
		text += TableRow(cells)
	}
	return text + "\n"
}
