package quantity

import "math"

// surveyed are the quantities of the lessons on seeds, and on actors and learners.
var surveyed = []Quantity{
	{"seeds-to-see", args{"fell": 4, "of": 24, "sure": 0.95}, plain(func(g args) float64 {
		return math.Log(1-g["sure"]) / math.Log(1-g["fell"]/g["of"])
	})},
	{"unrolls-behind", args{"waiting": 8, "playing": 8, "batch": 8}, plain(func(g args) float64 {
		return (g["waiting"] + g["playing"]) / g["batch"]
	})},
}
