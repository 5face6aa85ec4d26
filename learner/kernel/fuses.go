//go:build !amd64.v3

package kernel

const compilerFuses = false
