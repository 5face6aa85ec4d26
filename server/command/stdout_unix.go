//go:build unix

package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// discards says whether a file is /dev/null opened for reading and writing. That is what the Go runtime puts in place
// of a standard output that is closed (runtime/fds_unix.go), so that no write can fail; some programs that start
// others, Python for one, discard their output in the same way. A shell's > /dev/null opens it for writing alone.
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
