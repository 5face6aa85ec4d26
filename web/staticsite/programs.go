package staticsite

import (
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/program"
)

// ofPresets returns the programs of all presets with each algorithm, and the names of their networks.
func ofPresets() (stored []byte, networks []string, err error) {
	var programs program.Stored
	has := map[string]bool{}
	for i := range hyper.Presets {
		preset, err := hyper.FromPreset(hyper.Presets[i].Name)
		if err != nil {
			return nil, nil, err
		}
		for _, algorithm := range hyper.Algorithms {
			cfg := preset
			cfg.Algo = algorithm.Name
			if cfg.Mode == hyper.Live || cfg.Init == hyper.InitLearned || cfg.Validate() != nil {
				continue
			}
			key, err := cfg.NetworkKey()
			if err != nil {
				return nil, nil, err
			}
			if has[key] {
				continue
			}
			has[key] = true
			networks = append(networks, key)
			few, err := family(&cfg)
			if err != nil {
				return nil, nil, err
			}
			programs = append(programs, few...)
		}
	}
	return programs.Append(nil), networks, nil
}

// Programs returns the programs of a configuration's network, encoded. A browser cannot make them.
func Programs(cfg *hyper.Config) ([]byte, error) {
	few, err := family(cfg)
	return few.Append(nil), err
}

// family returns the programs from which all other unroll lengths and batch sizes of a network follow.
func family(cfg *hyper.Config) (few program.Stored, err error) {
	spec, err := cfg.Network()
	if err != nil {
		return nil, err
	}
	lengths := []int{1} // a network without memory sees rows
	if spec.States() > 0 {
		lengths = []int{3, 5}
	}
	for _, t := range lengths {
		for _, b := range []int{3 * program.Line, 5 * program.Line} {
			p, err := graph.Lower(spec.Flat(), t, b, cfg.Algorithm().TunesItself)
			if err != nil {
				return nil, err
			}
			few = append(few, p)
		}
	}
	return few, nil
}
