package command

// static-site: the pages that need no server, for any host of files.

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"impalab/server/board"
	"impalab/server/site"
	"impalab/static"
	"impalab/web"
	"impalab/web/staticsite"
)

// StaticSite is the command.
type StaticSite struct {
	Dir    string `arg:"" help:"Folder to write; it must not exist yet, or be empty." type:"path"`
	Worker string `help:"The learner for browsers." default:"bin/worker.wasm" placeholder:"FILE"`
	Server string `help:"Address of a server's pages, like https://example.org/lab/, which runs may go on at. (none)" placeholder:"URL"`
}

// Help is printed under static-site --help.
func (StaticSite) Help() string {
	return `Writes the first experiment, the Lab, the lessons and the board with its baselines as files. Runs train in the
visitor's browser, on the small worlds; after the first visit the pages open without a network too. Every address is
relative: the folder may be put below any path.

  make static-site                    # builds what it takes, and writes bin/static-site
  impalab static-site /srv/www/impalab
  impalab static-site --server https://example.org/ /srv/www/impalab    # a run may go on on that server, from where
                                                                        # it stands in the browser`
}

// Run writes the folder.
func (s *StaticSite) Run(ctx context.Context, prog *Program) error {
	server, err := serverAddress(s.Server)
	if err != nil {
		return err
	}
	assets, err := static.Embedded()
	if err != nil {
		return err
	}
	worker, err := os.ReadFile(s.Worker)
	if err != nil {
		return fmt.Errorf("the learner for browsers is not built (make static-site does): %w", err)
	}
	build := buildName(assets)
	err = staticsite.Write(s.Dir, staticsite.Options{Build: build, Assets: assets, Worker: worker, Server: server,
		Board: func(of func(up string) web.Data, write func(name string, body []byte) error) error {
			return site.ExportBoard(ctx, site.BoardCopy{Tracks: board.Own(), Assets: assets, Build: build, Write: write,
				Site: of})
		}})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(prog.Stdout, "%s is written: put it on any host of files\n", s.Dir)
	return err
}

// serverAddress is the address of a server's pages with a slash at its end; "" stays.
func serverAddress(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" ||
		u.User != nil {
		return "", UsageError{fmt.Errorf("--server %s: must be the address of a server's pages, like "+
			"https://example.org/lab/",
			text)}
	}
	return strings.TrimSuffix(u.String(), "/") + "/", nil
}
