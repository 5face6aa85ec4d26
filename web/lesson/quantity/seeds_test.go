package quantity

import (
	"math"
	"slices"
)

// surveyed are the quantities of the lessons on seeds, and on actors and learners.
var surveyed = []Quantity{
	// Eight agents, of which some have fallen to 9 steps and the others stand for 500.
	{"mean-of-eight", args{"fallen": 2}, plain(func(g args) float64 {
		sum := 0.0
		for _, x := range eight(g["fallen"]) {
			sum += x
		}
		return sum / 8
	})},
	{"iqm-of-eight", args{"fallen": 2}, plain(func(g args) float64 {
		all := eight(g["fallen"])
		slices.Sort(all)
		return (all[2] + all[3] + all[4] + all[5]) / 4
	})},
	{"seeds-to-see", args{"chance": 0.125, "sure": 0.95}, plain(func(g args) float64 {
		return math.Log(1-g["sure"]) / math.Log(1-g["chance"])
	})},

	// A learner and its actors: milliseconds for a batch of play and for an update.
	{"updates-in-turns", args{"act": 40, "learn": 10}, plain(func(g args) float64 {
		return 1000 / (g["act"] + g["learn"])
	})},
	{"updates-racing", args{"act": 40, "learn": 10, "actors": 1}, plain(func(g args) float64 {
		return 1000 / max(g["act"]/g["actors"], g["learn"])
	})},
	{"unrolls-behind", args{"waiting": 8, "playing": 8, "batch": 8}, plain(func(g args) float64 {
		return (g["waiting"] + g["playing"]) / g["batch"]
	})},
}

// eight returns the returns of eight agents.
func eight(fallen float64) []float64 {
	all := make([]float64, 8)
	for i := range all {
		all[i] = 500
		if float64(i) < fallen {
			all[i] = 9
		}
	}
	return all
}
