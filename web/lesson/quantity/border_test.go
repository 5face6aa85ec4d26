package quantity

// border are quantities of the model in late.go.
var border = []Quantity{
	// The k above which a small kick grows. Near z = 0 the slope of π is 1/4, and an update adds k/4 times the sum of the
	// last lag updates: it grows if and only if that factor times the lag is above 1.
	{"echo-border", args{"lag": 16}, plain(func(g args) float64 {
		const slope = 1. / 4
		return bisect(0, 8, func(k float64) float64 {
			sum := 0.0
			for range int(g["lag"]) {
				sum += k * slope
			}
			return sum - 1
		})
	})},
}
