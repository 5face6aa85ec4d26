package command

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"impalab/server/board"
	"impalab/server/site"
	"impalab/static"
	"impalab/web"
	"impalab/web/staticsite"
)

// StaticSite writes the pages that need no server.
type StaticSite struct {
	Dir    string `arg:"" help:"Folder to write; it must not exist yet, or be empty." type:"path"`
	Server string `help:"Address of a server's pages, like https://example.org/lab/, on which runs can continue. (none)" placeholder:"URL"`
}

// Help is printed under static-site --help.
func (StaticSite) Help() string {
	return `Writes the first experiment, the Lab, the lessons and the board with its baselines as files. Runs train in the
visitor's browser, on the small worlds. After the first visit the pages open without a network too. All addresses are
relative: the folder works below any path.

  impalab static-site /srv/www/impalab
  impalab static-site --server https://example.org/ /srv/www/impalab    # a run can continue on that server`
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
	if !assets.Has(static.Worker) {
		return fmt.Errorf("this program was built without the learner for browsers: run %s, and try again", web.BuildClient)
	}
	worker, err := assets.Plain(static.Worker)
	if err != nil {
		return err
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
	_, err = fmt.Fprintf(prog.Stdout, "%s is written: copy it to any host of files\n", s.Dir)
	return err
}

// serverAddress returns the address of a server's pages with a slash at its end, or "" for "".
func serverAddress(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" ||
		u.User != nil {
		return "", usagef("--server %s: must be the address of a server's pages, like https://example.org/lab/", text)
	}
	return strings.TrimSuffix(u.String(), "/") + "/", nil
}
