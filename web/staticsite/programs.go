package staticsite

import (
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/program"
)

// small is the programs of every preset of the small worlds, those without a picture, with each algorithm, and what
// their networks are called.
func small() (stored []byte, networks []string, err error) {
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
			if cfg.Torso != hyper.FlatTorso || cfg.Mode == hyper.Live || cfg.Validate() != nil {
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

// Programs are those of one configuration's network, as bytes: a browser has no graph to make them with.
func Programs(cfg *hyper.Config) ([]byte, error) {
	few, err := family(cfg)
	return few.Append(nil), err
}

// family is as many programs of a configuration's network as make all others for other unrolls and batches.
func family(cfg *hyper.Config) (few program.Stored, err error) {
	spec, err := cfg.Network()
	if err != nil {
		return nil, err
	}
	lengths := []int{1} // a network without memory sees rows
	if spec.LSTM > 0 {
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
