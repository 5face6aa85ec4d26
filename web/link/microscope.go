package link

import "impalab/learner/hyper"

// MicroscopeKeys are the settings that the microscope and its links may change.
var MicroscopeKeys = append([]string{"rho", "c", "lambda", "alpha", "gamma", "correction"},
	hyper.KeysOf(hyper.Forms)...)
