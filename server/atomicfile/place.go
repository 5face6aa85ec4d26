package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// place is where the content of a path goes.
type place struct {
	path string      // without links
	old  os.FileInfo // the file there; nil: none
	in   *os.File    // the open stream that path names; nil: none
}

// through reports whether the content goes into a device, a pipe or an open stream, which no file may replace.
func (p *place) through() bool { return p.in != nil || p.old != nil && !p.old.Mode().IsRegular() }

// Writable returns why Write would refuse a path, or nil. It opens no device and no pipe, and leaves nothing behind.
func Writable(path string) error {
	p, err := find(path)
	if err != nil || p.through() {
		return err
	}
	folder := filepath.Dir(p.path)
	if err := Check(folder); err != nil {
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			err = failed.Err
		}
		return fmt.Errorf("the folder %s cannot be written: %w; name a file elsewhere", folder, err)
	}
	return nil
}

// find follows the links of path and refuses whatever cannot or must not be written.
func find(path string) (p place, err error) {
	p.old, err = os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		p.path, err = follow(path)
		return p, err
	}
	if err != nil {
		return p, err
	}
	p.path = path
	for _, stream := range []*os.File{os.Stdout, os.Stderr} {
		if info, err := stream.Stat(); err == nil && os.SameFile(info, p.old) {
			p.in = stream
			return p, nil
		}
	}
	mode := p.old.Mode()
	switch {
	case mode.IsDir():
		return p, errors.New("it is a folder: name a file in it")
	case mode&fs.ModeSocket != 0:
		return p, errors.New("it is a socket, which takes no files: name another file")
	case !mode.IsRegular():
		return p, nil
	case mode&0o222 == 0:
		return p, errors.New("it is read-only: allow writing with chmod u+w, or name another file")
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0) // a rename would not ask whether this user may write
	if err != nil {
		return p, err
	}
	if err := file.Close(); err != nil {
		return p, err
	}
	p.path, err = filepath.EvalSymlinks(path)
	return p, err
}

// follow returns the path to which a link leads that has no file at its end yet. Other paths it returns as they are.
func follow(path string) (string, error) {
	for range 40 { // as many as Linux follows
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return "", errors.New("it is a link that leads back to itself: remove the link, or name another file")
}
