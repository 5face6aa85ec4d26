//go:build !slow

package bodies

const randomSteps = 20_000
