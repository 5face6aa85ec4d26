//go:build amd64.v3

package kernel

// compilerFuses: with GOAMD64=v3 or more a product and a sum become one instruction, which rounds once.
const compilerFuses = true
