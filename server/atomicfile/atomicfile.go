// Package atomicfile writes files whole or not at all: after a full disk, a crash or a power cut, the name has either
// its old content or all of the new content.
package atomicfile

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Write replaces the file at path. fill writes into a temporary file beside it, PATH.RANDOM.part, which Write syncs and
// renames. After an error the old file is there and the temporary file is not. perm is the mode of a new file, before
// the umask; an old file keeps its mode, and its owner and group where the system allows it. Write refuses a file that
// this user may not write or whose mode allows nobody to write.
//
// If path is a symbolic link, Write writes the file at its end. fill writes directly into a device, a pipe, and the
// open standard output or error, which no file may replace.
func Write(path string, perm os.FileMode, fill func(io.Writer) error) error {
	p, err := find(path)
	if err != nil {
		return named(path, err)
	}
	if p.through() {
		return p.stream(fill)
	}
	return p.replace(perm, fill)
}

// stream writes into an open stream, or into the device or pipe at the place.
func (p *place) stream(fill func(io.Writer) error) (err error) {
	to := p.in
	if to == nil {
		if to, err = os.OpenFile(p.path, os.O_WRONLY, 0); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, to.Close()) }()
	}
	buffered := bufio.NewWriterSize(to, 64<<10)
	if err = fill(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}

// replace makes the file at the place, or puts another in its place.
func (p *place) replace(perm os.FileMode, fill func(io.Writer) error) (err error) {
	if p.old != nil {
		perm = 0o600 // until its owner and its group are known
	}
	part := p.path + "." + rand.Text()[:8] + ".part"
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
	if err == nil && p.old != nil {
		err = file.Chmod(handOver(file, p.old))
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err = os.Rename(part, p.path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(p.path))
}

// named adds a path to an error without one.
func named(path string, err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
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
