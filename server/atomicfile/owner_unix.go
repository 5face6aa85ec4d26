//go:build unix

package atomicfile

import (
	"os"
	"syscall"
)

// handOver gives a file the owner and the group of an older one where the system allows it, and returns its mode. Where
// it has to keep another group, this group may do no more than everybody could.
func handOver(file *os.File, old os.FileInfo) os.FileMode {
	mode, from := old.Mode().Perm(), old.Sys().(*syscall.Stat_t)
	if file.Chown(int(from.Uid), int(from.Gid)) == nil || file.Chown(-1, int(from.Gid)) == nil {
		return mode
	}
	return mode&^0o070 | mode&0o007<<3
}
