//go:build unix

package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// openFiles returns how many files and connections this process may open. Go has raised the limit to the maximum.
func openFiles() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return manyFiles
	}
	return int(min(uint64(limit.Cur), manyFiles))
}

// discards reports whether a file is /dev/null opened for reading and writing. The Go runtime opens it in place of a
// standard output that is closed (runtime/fds_unix.go), so that no write fails. Some programs, like Python, discard the
// output of their children in the same way. A shell's > /dev/null opens it only for writing.
func discards(file *os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	info, err := file.Stat()
	if err != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
