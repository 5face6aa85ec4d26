//go:build slow

package bodies

// Ten million steps of each body, and a million on each other ground and at each level: they run in make check.
const randomSteps = 10_000_000
