package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"time"
)

// entry is a file in an archive, below the archive's own folder.
type entry struct {
	name string // with slashes
	text []byte
	runs bool
}

// ending returns the ending of an archive's name, for the form that the system opens without other programs.
func ending(t target) string {
	if t.os == "windows" {
		return ".zip"
	}
	return ".tar.gz"
}

// pack makes an archive whose bytes depend on its arguments only: files by name, without an owner, all of one date.
func pack(t target, folder string, files []entry, at time.Time) ([]byte, error) {
	files, at = slices.Clone(files), at.UTC()
	slices.SortFunc(files, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	var out bytes.Buffer
	var err error
	if ending(t) == ".zip" {
		err = zipped(&out, folder, files, at)
	} else {
		err = tarred(&out, folder, files, at)
	}
	return out.Bytes(), err
}

func tarred(out io.Writer, folder string, files []entry, at time.Time) error {
	packed, err := gzip.NewWriterLevel(out, gzip.BestCompression) // its header has no date and no name
	if err != nil {
		return err
	}
	w := tar.NewWriter(packed)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: folder + "/" + f.name, Size: int64(len(f.text)),
			Mode: int64(f.mode()), ModTime: at, Format: tar.FormatUSTAR})
		if err != nil {
			return err
		}
		if _, err := w.Write(f.text); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return packed.Close()
}

func zipped(out io.Writer, folder string, files []entry, at time.Time) error {
	w := zip.NewWriter(out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode())
		to, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := to.Write(f.text); err != nil {
			return err
		}
	}
	return w.Close()
}

func (f entry) mode() fs.FileMode {
	if f.runs {
		return 0o755
	}
	return 0o644
}
