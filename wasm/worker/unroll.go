//go:build js && wasm

package main

import "impalab/web/watch"

// unrollsToJS returns unrolls as a server's API would. encoding/json would be 60 kB more to download.
func unrollsToJS(all []watch.Unroll) []any {
	return listOf(all, func(u watch.Unroll) any {
		settings := map[string]any{}
		for key, value := range u.Settings {
			settings[key] = value
		}
		return map[string]any{
			"run": u.Run, "world": u.World, "update": u.Update, "age": u.Age, "trajectory": u.Trajectory, "of": u.Of,
			"replayed": u.Replayed, "actor": u.Actor, "settings": settings, "bootstrap": u.Bootstrap,
			"actions": listOf(u.Actions, itself[string]),
			"steps":   listOf(u.Steps, stepToJS),
		}
	})
}

func stepToJS(s watch.UnrollStep) any {
	out := map[string]any{
		"action": s.Action, "reward": s.Reward, "end": s.End, "final": s.Final, "value": s.Value, "ratio": s.Ratio,
		"inside": s.Inside,
	}
	if s.Density != nil {
		out["real"] = listOf(s.Real, itself[float32])
		out["density"] = map[string]any{"pi": s.Density.Pi, "mu": s.Density.Mu}
	} else {
		out["pi"], out["mu"] = listOf(s.Pi, itself[float64]), listOf(s.Mu, itself[float64])
	}
	if s.Relevance != nil {
		out["relevance"] = *s.Relevance
	}
	return out
}

func listOf[T any](all []T, of func(T) any) []any {
	list := make([]any, len(all))
	for i, one := range all {
		list[i] = of(one)
	}
	return list
}

func itself[T any](v T) any { return v }
