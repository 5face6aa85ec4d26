// Package atomicfile writes files that are whole or not there: after a full disk, a crash or a power cut, the name
// holds either what it held before or all of the new content.
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

// Write makes the file at path hold what fill writes: into a temporary file beside it, PATH.RANDOM.part, which is
// synced and then renamed. When anything fails, path is as it was and the temporary file is gone. perm is before the
// umask. Where path is a symbolic link, what it points to is replaced.
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

// WriteFile is Write with the content at hand.
func WriteFile(path string, content []byte, perm os.FileMode) error {
	return Write(path, perm, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Check tries to write into a folder: the error says why files cannot be made there. It leaves nothing behind.
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

// syncFolder makes a rename last through a power cut. Windows has no such call.
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
