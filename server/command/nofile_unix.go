//go:build unix

package command

import "golang.org/x/sys/unix"

// openFiles is how many files and connections this process may have open; Go has raised it to the most allowed.
func openFiles() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return manyFiles
	}
	return int(min(uint64(limit.Cur), manyFiles))
}
