package exercise

// Answers that are known to be good or bad, and what their runs came to: whatever is judged otherwise, or trains to
// something else, is a fault of this program's. The teacher has them, and no student.

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// Known is an answer, what its runs came to, and how it must be judged.
type Known struct {
	Exercise string    `json:"exercise"`
	Good     bool      `json:"good"`
	Answer   Answer    `json:"answer"`
	Sets     []Runs    `json:"sets"`   // of an exercise that is trained
	Credit   []float64 `json:"credit"` // those that it may have; a good one has 1
	Says     string    `json:"says"`   // part of its sentence
}

// Runs are what seeds came to.
type Runs struct {
	Seeds   string    `json:"seeds"`   // like 2101-2116
	Returns []float64 `json:"returns"` // the mean return of each seed's last hundred episodes, to .01
}

//go:embed known/answers.json
var knownAnswers []byte

// KnownAnswers are all of them, in the order of the exercises.
var KnownAnswers = sync.OnceValue(func() (all []Known) {
	if err := json.Unmarshal(knownAnswers, &all); err != nil {
		panic(err) // part of the program
	}
	return all
})
