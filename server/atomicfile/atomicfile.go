// Package atomicfile writes files whole or not at all: after a full disk, a crash or a power cut, the name has either
// its old content or all of the new content.
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// Write replaces the file at path. fill writes into a temporary file beside it, PATH.RANDOM.part, which Write syncs and
// renames. After an error the old file is there and the temporary file is not. perm is before the umask. If path is a
// symbolic link, Write replaces its target.
func Write(path string, perm os.FileMode, fill func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	part := path + "." + rand.Text()[:8] + ".part"
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(part)
		}
	}()
	buffered := bufio.NewWriterSize(file, 64<<10)
	if err = fill(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err = os.Rename(part, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// WriteFile is Write with the whole content.
func WriteFile(path string, content []byte, perm os.FileMode) error {
	return Write(path, perm, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Check returns why files cannot be made in a folder, or nil. It leaves nothing behind.
func Check(folder string) (err error) {
	file, err := os.CreateTemp(folder, "check.*.part")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	if _, err = file.Write(make([]byte, 4096)); err != nil { // a full disk may have room for the name and no block
		return err
	}
	return file.Sync()
}

// syncFolder makes a rename survive a power cut. Windows has no such call.
func syncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
