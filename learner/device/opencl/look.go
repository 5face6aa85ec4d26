//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"bytes"
	"os"
	"path/filepath"
)

// The loader's folders for a library without a path, after LD_LIBRARY_PATH (ld.so(8)).
const loaderCache = "/etc/ld.so.cache" // the names that ldconfig has found, each with a zero after it

var loaderFolders = []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib",
	"/usr/lib"}

// there reports whether the loader would find one of the vendor's libraries. It opens none: an opened library runs code
// of its own.
func (v *vendor) there() bool {
	cache, _ := os.ReadFile(loaderCache) // without it the folders remain
	folders := append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), loaderFolders...)
	for _, name := range v.libraries {
		if filepath.IsAbs(name) {
			if isFile(name) {
				return true
			}
			continue
		}
		if bytes.Contains(cache, append([]byte(name), 0)) {
			return true
		}
		for _, folder := range folders {
			if isFile(filepath.Join(folder, name)) {
				return true
			}
		}
	}
	return false
}

func isFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
