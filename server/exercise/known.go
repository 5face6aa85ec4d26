package exercise

// Known answers with the results of their runs and their verdicts. A different result or verdict is a bug. Only tests
// and impalab reproduce read them.

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// Known is an answer, the results of its runs, and its verdict.
type Known struct {
	Exercise string    `json:"exercise"`
	Good     bool      `json:"good"`
	Answer   Answer    `json:"answer"`
	Sets     []Runs    `json:"sets"`   // of an exercise that runs decide
	Credit   []float64 `json:"credit"` // possible ones; a good answer has 1
	Says     string    `json:"says"`   // part of its sentence
}

// Runs are the results of seeds.
type Runs struct {
	Seeds   string    `json:"seeds"`   // like 2101-2116
	Returns []float64 `json:"returns"` // the mean return of each seed's last hundred episodes, to .01
}

//go:embed known/answers.json
var knownAnswers []byte

// KnownAnswers returns all known answers, in the order of the exercises.
var KnownAnswers = sync.OnceValue(func() (all []Known) {
	if err := json.Unmarshal(knownAnswers, &all); err != nil {
		panic(err) // tests read it
	}
	return all
})
