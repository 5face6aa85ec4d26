package page

import (
	"encoding/json"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/exercise"
)

// classPath is the path of rooms below the base.
const classPath = "class"

// Class is the part of the rooms' pages that differs between servers.
type Class struct {
	Days int  // days that a room is stored after its last use
	Asks bool // whether opening a room needs the host's token
}

// settingKeys are the keys of all settings, separated by commas: the Lab in a student's page hides their controls.
func settingKeys() string {
	var keys []string
	for i := range hyper.Table {
		keys = append(keys, hyper.Table[i].Key)
	}
	return strings.Join(keys, ",")
}

// ExercisePath returns the path of an exercise below the base, on a copy of the site without a server.
func ExercisePath(e *exercise.Exercise) string { return classPath + "/exercise/" + e.Name }

// taskJSON returns an exercise as its page reads it.
func taskJSON(e *exercise.Exercise) (string, error) {
	text, err := json.Marshal(exercise.TaskOf(&exercise.Step{Exercise: e.Name}))
	return string(text), err
}

// reachWords names the settings that an exercise may change.
func reachWords(keys []exercise.Key) string {
	var words []string
	for _, k := range keys {
		if row, err := hyper.Lookup(k.Key); err == nil {
			words = append(words, row.Words)
		}
	}
	return strings.Join(words, ", ")
}
