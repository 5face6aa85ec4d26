//go:build !unix

package main

import "os"

func discards(*os.File) bool { return false }
