package command

// static-site: the pages that need no server, for any host of files.

import (
	"fmt"
	"os"

	"impalab/static"
	"impalab/web/folder"
)

// StaticSite is the command.
type StaticSite struct {
	Dir    string `arg:"" help:"Folder to write; it must not exist yet, or be empty." type:"path"`
	Worker string `help:"The learner for browsers." default:"bin/worker.wasm" placeholder:"FILE"`
}

// Help is printed under static-site --help.
func (StaticSite) Help() string {
	return `Writes the first experiment, the Lab and the lessons as files. Runs train in the visitor's browser, on the small
worlds; after the first visit the pages open without a network too. Every address is relative: the folder may be put
below any path.

  make static-site                    builds what it takes, and writes bin/static-site
  impalab static-site /srv/www/impalab`
}

// Run writes the folder.
func (s *StaticSite) Run(prog *Program) error {
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	worker, err := os.ReadFile(s.Worker)
	if err != nil {
		return fmt.Errorf("the learner for browsers is not built (make static-site does): %w", err)
	}
	if err := folder.Write(s.Dir, folder.Options{Build: buildName(assets), Assets: assets, Worker: worker}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(prog.Stdout, "%s is written: put it on any host of files\n", s.Dir)
	return err
}
