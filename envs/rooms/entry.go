package rooms

import "impalab/envs/world"

// Each task is an entry of the table of worlds; options after its name choose its picture and its speed.

// Options returns the options of every task.
func (task *Task) Options() []world.Option { return options }

var options = []world.Option{
	{Key: "height", Sentence: "Rows of the observation.", Min: 12, Max: 96, Usual: 36, Whole: true},
	{Key: "width", Sentence: "Columns of the observation.", Min: 16, Max: 128, Usual: 48, Whole: true},
	{Key: "repeat", Sentence: "Ticks for which an action is repeated; an episode keeps its ticks.", Min: 1, Max: 8,
		Usual: 4, Whole: true},
}

// Sized is a task's world with the rows and columns of its picture and the ticks of a step, in the order of
// Options: its spec, and how to make a copy.
func (task *Task) Sized(values []float64) (spec *world.Spec, fresh func() world.World) {
	tall, wide, repeat := int(values[0]), int(values[1]), int(values[2])
	channels := 3
	if task.words {
		channels = 4
	}
	spec = &world.Spec{
		Name:    task.name,
		Title:   task.title,
		Summary: task.summary,
		Source: "rules of our own, after IMPALA (Espeholt et al., 2018), Table 2 and Table D.2, and DeepMind Lab (Beattie " +
			"et al., 2016)",
		Obs:     []int{tall, wide, channels},
		Actions: roomActions,
		Limit:   task.ticks / repeat,
		Random:  task.random[repeat-1],
		Solved:  task.solved,
		View:    roomView,
		Rate:    60 / float32(repeat),
	}
	lens := newLens(wide, tall)
	return spec, func() world.World {
		return &room{spec: spec, task: task, lens: lens, repeat: repeat, frame: newFrame(lens)}
	}
}
