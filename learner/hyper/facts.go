package hyper

import (
	"fmt"
	"slices"
	"strings"

	"impalab/envs"
	"impalab/learner/correct"
	"impalab/learner/loss"
)

// facts are the conditions of settings.txt that are not a comparison of two numbers or texts.
var facts = map[string]condition{
	"corrects":      func(c *Config) bool { return !c.Algorithm().OnPolicy },
	"tunes-itself":  func(c *Config) bool { return c.Algorithm().TunesItself },
	"several-heads": func(c *Config) bool { return c.Algorithm().SeveralHeads },
	"imitates":      func(c *Config) bool { return c.Algorithm().Imitates },
	"surprised":     func(c *Config) bool { return c.Algorithm().Surprised },

	"cuts-rho":      func(c *Config) bool { return correcting(c).rho },
	"cuts-traces":   func(c *Config) bool { return correcting(c).trace },
	"leaks":         func(c *Config) bool { return correcting(c).leak },
	"decays-traces": func(c *Config) bool { return correcting(c).lambda },
	"trusts":        func(c *Config) bool { return correcting(c).trust },
	"log-epsilon":   func(c *Config) bool { return c.correction().LogEpsilon > 0 },
	"never-leaky": func(c *Config) bool {
		now := c.correction()
		return now.NStep || now.TrustRegion || now.Leak == correct.LeakFull
	},

	"forms":     func(c *Config) bool { return c.correction().Forms() || c.correction().Centred },
	"levels":    func(c *Config) bool { return !c.Algorithm().OnPolicy && c.correction().Levels },
	"levelled":  func(c *Config) bool { return c.Level != correct.LevelStep },
	"clips":     func(c *Config) bool { return c.uses(correct.MethodClip) },
	"bands":     func(c *Config) bool { return c.uses(correct.MethodBand) },
	"tapers":    func(c *Config) bool { return c.uses(correct.MethodTaper) },
	"shifts":    func(c *Config) bool { return c.uses(correct.MethodShift) },
	"moments":   func(c *Config) bool { return c.uses(correct.MethodMoment) },
	"centres":   func(c *Config) bool { return c.uses(correct.MethodCentred) },
	"owns":      func(c *Config) bool { return c.uses(correct.MethodOwn) },
	"centred":   func(c *Config) bool { return c.correction().Centred },
	"halved":    func(c *Config) bool { return c.Centre != correct.CentreAll },
	"lifts":     func(c *Config) bool { a := c.Algorithm(); return !a.OnPolicy && !a.TunesItself && !a.Imitates },
	"densities": func(c *Config) bool { return c.correction().Probabilities && c.Policy != Softmax },

	"suite":             func(c *Config) bool { return c.Tasks() > 1 },
	"image":             showsImage,
	"image-or-suite":    func(c *Config) bool { return single(c, func(s *envs.Spec) bool { return len(s.Obs) > 1 }) },
	"controls-or-suite": func(c *Config) bool { return single(c, func(s *envs.Spec) bool { return len(s.Controls) > 0 }) },
	"no-controls": func(c *Config) bool {
		world, _, err := envs.Describe(c.World)
		return err == nil && len(world.Controls) == 0
	},

	"core":    (*Config).HasCore,
	"learned": func(c *Config) bool { return c.Learned() != nil },
	"table": func(c *Config) bool { // the network is a row of numbers for each state
		return c.Hidden == None && c.HeadHidden == None && c.Torso == FlatTorso && !c.HasCore() && c.Feedback == Off &&
			c.Torsos == Shared && c.PixelControl == 0
	},
	"unequal-heads": func(c *Config) bool { return c.TrXL%max(1, c.CoreHeads) != 0 },
	"large-memory":  func(c *Config) bool { return c.TrXL*c.CoreLayers*c.CoreMemory > 130000 },

	// The batch gives the tasks of a suite unequal shares (IMPALA §5.3: a fixed number of actors per task).
	"unequal-tasks":    func(c *Config) bool { return c.Tasks() > 1 && (c.online() < 1 || c.online()%c.Tasks() != 0) },
	"unequal-learners": func(c *Config) bool { return c.Learners > 0 && c.BatchSize%c.Learners != 0 },
	"loses-starts":     func(c *Config) bool { return c.ReplaySize < c.longest() },
}

// figures are the numbers and lists, beside the settings' values, in the sentences of refusals.
var figures = map[string]func(*Config) string{
	"fresh":   func(c *Config) string { return fmt.Sprint(c.online()) },
	"tasks":   func(c *Config) string { return fmt.Sprint(c.Tasks()) },
	"longest": func(c *Config) string { return fmt.Sprint(c.longest()) },
	"driven":  func(*Config) string { return strings.Join(drivenWorlds(), ", ") },
}

// lists are the choices that another table has, and what people call them.
var lists = map[string]func() (values []string, words map[string]string){
	"{worlds}": func() ([]string, map[string]string) { return worldNames(), nil },
	"{algorithms}": func() ([]string, map[string]string) {
		return titled(Algorithms, func(a Algorithm) (string, string) { return string(a.Name), a.Title })
	},
	"{corrections}": func() ([]string, map[string]string) {
		return titled(correct.Corrections[:], func(c correct.Correction) (string, string) { return c.Name, c.Title })
	},
	"{levels}":     func() ([]string, map[string]string) { return correct.LevelNames, nil },
	"{halves}":     func() ([]string, map[string]string) { return correct.HalfNames, nil },
	"{centres}":    func() ([]string, map[string]string) { return correct.CentreOfNames, nil },
	"{moments}":    func() ([]string, map[string]string) { return correct.MomentOfNames, nil },
	"{relevances}": func() ([]string, map[string]string) { return correct.RelevanceNames[:], nil },
	"{advantages}": func() ([]string, map[string]string) { return correct.AdvantageNames[:], nil },
	"{rewards}": func() ([]string, map[string]string) {
		return names(loss.Rewards[:], func(r loss.RewardRow) string { return r.Name }), nil
	},
}

// checks decide about the values of settings that are texts.
var checks = map[string]func(string) error{
	"world":       knownWorld,
	"tune":        func(s string) error { _, err := ParseTune(s); return err },
	"hidden":      func(s string) error { _, err := ParseWidths("hidden", s); return err },
	"head-hidden": func(s string) error { _, err := ParseWidths("head-hidden", s); return err },
}

func worldNames() []string {
	worlds := names(envs.Table, func(e envs.Entry) string { return e.Spec.Name })
	return append(worlds, names(envs.Suites, func(s envs.Suite) string { return s.Name })...)
}

// titled returns the names of a table's entries, and what people call them.
func titled[T any](table []T, of func(T) (name, title string)) (all []string, titles map[string]string) {
	titles = map[string]string{}
	for _, entry := range table {
		name, title := of(entry)
		all, titles[name] = append(all, name), title
	}
	return all, titles
}

func drivenWorlds() (out []string) {
	for _, e := range envs.Table {
		if len(e.Spec.Controls) > 0 {
			out = append(out, e.Spec.Name)
		}
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
