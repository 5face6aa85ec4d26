package page

import (
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
