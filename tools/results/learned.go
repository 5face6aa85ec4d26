package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/learned"
	"impalab/server/atomicfile"
)

// saveLearned writes the parameters of a snapshot's agent into the folder from which the program embeds them, and
// prints its row of learned.Agents.
func saveLearned(out io.Writer, snapshot, source string) error {
	l, err := resume(snapshot)
	if err != nil {
		return err
	}
	defer l.Close()
	key, err := l.Config().NetworkKey()
	if err != nil {
		return err
	}
	file := filepath.Join(source, "learner/learned", learned.FileName(l.Config().World))
	if err := atomicfile.WriteFile(file, learned.Pack(l.Machine().Plain()), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "{World: %q, Network: %q, Steps: %d},\n", l.Config().World, key, l.Steps())
	return err
}

// resume opens the run of a snapshot's file. The caller closes it.
func resume(snapshot string) (*learner.Learner, error) {
	blob, err := os.ReadFile(snapshot)
	if err != nil {
		return nil, err
	}
	l, err := learner.Engine{Lower: graph.Lower}.Resume(blob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", snapshot, err)
	}
	return l, nil
}
