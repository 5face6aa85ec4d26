package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// again builds the commit a second time and compares. It uses a clone in another folder and an empty cache, for the
// client too.
func (d *dist) again(chosen []target) error {
	if changed, err := d.tool(nil, "git", "status", "--porcelain"); err != nil || len(changed) > 0 {
		return errors.Join(fmt.Errorf("what is not committed cannot be built elsewhere:\n%s", changed), err)
	}
	room, err := os.MkdirTemp("", "dist")
	if err != nil {
		return err
	}
	defer os.RemoveAll(room)
	other := &dist{root: filepath.Join(room, "another-folder"), say: d.say,
		env: []string{"GOCACHE=" + filepath.Join(room, "cache")}}
	other.to = filepath.Join(other.root, "bin", "dist")
	if _, err := d.tool(nil, "git", "clone", "-q", "--no-local", d.root, other.root); err != nil {
		return err
	}
	if _, err := other.tool(nil, "make", "-s", "wasm"); err != nil {
		return err
	}
	if err := other.build(chosen); err != nil {
		return err
	}
	return d.same(other)
}

// same compares the sums.
func (d *dist) same(other *dist) error {
	const sums = "SHA256SUMS"
	first, err := os.ReadFile(filepath.Join(d.to, sums))
	if err != nil {
		return err
	}
	second, err := os.ReadFile(filepath.Join(other.to, sums))
	if err != nil {
		return err
	}
	if bytes.Equal(first, second) {
		fmt.Fprintln(d.say, "the same bytes from another folder, with nothing cached")
		return nil
	}
	return fmt.Errorf("built again, the archives are others:\n%s\n%s", first, second)
}
