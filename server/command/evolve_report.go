package command

// What evolve prints: a table of the members while they learn, and at the end the line of ancestors of the best one.

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"impalab/learner/evolve"
	"impalab/learner/hyper"
	"impalab/learner/trial"
)

// standingReport is one member after one round. The JSON keys never change their meaning.
type standingReport struct {
	Round    int                     `json:"round"`
	Member   int                     `json:"member"`
	Steps    uint64                  `json:"steps"`
	Return   trial.Number            `json:"return_mean_100"`
	Fitness  trial.Number            `json:"fitness"` // capped normalised score; null: none
	Settings map[string]trial.Number `json:"settings"`
	Parent   int                     `json:"parent"` // whose state it begins the next round with
	Reason   string                  `json:"reason,omitempty"`
}

func newStandingReport(genes []evolve.Gene, s evolve.Standing) standingReport {
	r := standingReport{
		Round: s.Round, Member: s.Member, Steps: s.Steps,
		Return: trial.Number(s.Return), Fitness: trial.Number(s.Fitness),
		Settings: map[string]trial.Number{}, Parent: s.Parent, Reason: s.Diverged,
	}
	for i, g := range genes {
		r.Settings[g.Key] = trial.Number(s.Genes[i])
	}
	return r
}

// evolveReport is what a population came to.
type evolveReport struct {
	World    string           `json:"world"`
	Algo     string           `json:"algo"`
	Seed     uint64           `json:"seed"`
	Members  int              `json:"members"`
	Rounds   int              `json:"rounds"`
	Final    trial.Estimate   `json:"return_mean_100"` // over the members
	Best     int              `json:"best"`
	Ancestry []standingReport `json:"ancestry"` // of the best, round by round
	Diverged int              `json:"diverged"` // members, at the end
	Wall     float64          `json:"wall_s"`
}

func newEvolveReport(cfg *hyper.Config, genes []evolve.Gene, p *evolve.Population, wall time.Duration) evolveReport {
	last := p.Last()
	r := evolveReport{World: cfg.World, Algo: string(cfg.Algo), Seed: cfg.Seed, Members: len(last), Best: p.Best(),
		Wall: wall.Seconds()}
	var final []float64
	for _, s := range last {
		if !math.IsNaN(s.Return) {
			final = append(final, s.Return)
		}
		if s.Diverged != "" {
			r.Diverged++
		}
	}
	r.Final = trial.NewEstimate(final)
	for _, s := range p.Ancestry(r.Best) {
		r.Ancestry = append(r.Ancestry, newStandingReport(genes, s))
	}
	r.Rounds = len(r.Ancestry)
	return r
}

func (r *evolveReport) print(w io.Writer, genes []evolve.Gene, p *evolve.Population) {
	fmt.Fprint(w, standings(genes, p.Last(), false))
	fmt.Fprintf(w, "\nmember %d is the best; its ancestors:\n%s", r.Best, standings(genes, p.Ancestry(r.Best), true))
	fmt.Fprintf(w, "\n%d members of %s, seed %d: interquartile mean of the return %s (95 %% interval over members %s to "+
		"%s) in %.1f s, %d diverged\n",
		r.Members, r.World, r.Seed, r.Final.Mean, r.Final.Low, r.Final.High, r.Wall, r.Diverged)
}

// standings is a table of members; rounds says that each line is another round.
func standings(genes []evolve.Gene, list []evolve.Standing, rounds bool) string {
	var text strings.Builder
	head := "MEMBER\tSTEPS\tRETURN\tFITNESS"
	if rounds {
		head = "ROUND\t" + head
	}
	for _, g := range genes {
		head += "\t" + strings.ToUpper(g.Key)
	}
	table(&text, head+"\tNEXT FROM", func(row func(...any)) {
		for _, s := range list {
			var cells []any
			if rounds {
				cells = append(cells, s.Round)
			}
			cells = append(cells, s.Member, s.Steps, trial.Number(s.Return), trial.Number(s.Fitness))
			for _, v := range s.Genes {
				cells = append(cells, trial.Number(v))
			}
			from := "itself"
			if s.Parent != s.Member {
				from = fmt.Sprintf("member %d", s.Parent)
			} else if s.Diverged != "" {
				from = "diverged"
			}
			row(append(cells, from)...)
		}
	})
	return text.String()
}

// progress keeps a table of the members up to date on a terminal; elsewhere it does nothing.
type progress struct {
	out   io.Writer // nil: nowhere
	genes []evolve.Gene
	lines int
}

func newProgress(w io.Writer, genes []evolve.Gene) *progress {
	b := &progress{genes: genes}
	if isTerminal(w) {
		b.out = w
	}
	return b
}

func (b *progress) show(round []evolve.Standing) {
	if b.out == nil {
		return
	}
	b.clear()
	text := standings(b.genes, round, false)
	b.lines = strings.Count(text, "\n")
	fmt.Fprint(b.out, text)
}

// clear takes the table away: up so many lines, then nothing to the end of the screen.
func (b *progress) clear() {
	if b.lines > 0 {
		fmt.Fprintf(b.out, "\x1b[%dA\x1b[J", b.lines)
		b.lines = 0
	}
}
