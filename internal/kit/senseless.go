package kit

// Senseless are settings of the weights since 2025 that make no sense, for the tests of the ways by which settings
// arrive: flag, link, API and Lab. Sentence is a part of the refusal with the next step.
var Senseless = []struct{ Preset, Settings, Sentence string }{
	{"lag-cliff", "correction=band floor=3 ceiling=2", "set a floor of at most the ceiling"},
	{"lag-cliff", "correction=clip clip-low=0", `clip-low="0": must be a number above 0 to inf`},
	{"lag-cliff", "correction=clip clip-high=0", `clip-high="0": must be a number above 0 to inf`},
	{"lag-cliff", "correction=moment moment=-1", `moment="-1": must be a number from 0 to inf`},
	{"lag-cliff", "correction=moment ratio=mean", "set ratio=step, or correction=one-step, taper, clip or band"},
	{"lag-cliff", "correction=band lag=0 mode=live inference=batched ratio=response", "set ratio=step, or inference=own"},
	{"lag-cliff", "correction=taper taper-low=2", "set a taper-low of at most taper-high"},
	{"lag-cliff", "correction=taper centre=bad", "set centre=all, or correction=centred"},
	{"impala-pendulum", "correction=shift", "set correction=one-step, or policy=softmax"},
	{"impala-pendulum", "correction=centred", "set correction=one-step, or policy=softmax"},
	{"stac", "correction=clip", "set correction=vtrace or leaky for its outer loss, or algo=impala"},
}
