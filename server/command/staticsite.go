package command

import (
	"context"
	"fmt"
	"strings"

	"impalab/server/board"
	"impalab/server/site"
	"impalab/web/page"
	"impalab/web/staticsite"
)

// StaticSite writes the pages that need no server.
type StaticSite struct {
	Dir    string `arg:"" help:"Folder to write; it must not exist yet, or be empty."`
	Server string `help:"Address of a server's pages, like https://example.org/lab/, on which runs can continue. (none)" placeholder:"URL"`
}

func (StaticSite) Help() string {
	return `Writes the first experiment, the Lab, the lessons and the board with its baselines as files. Runs train in the
visitor's browser. After the first visit the pages open without a network too.
All addresses are relative: the folder works below any path.

  impalab static-site /srv/www/impalab
  impalab static-site --server https://example.org/ /srv/www/impalab    # a run can continue on that server`
}

func (s *StaticSite) Run(ctx context.Context, prog *Program) error {
	server, err := serverAddress(s.Server)
	if err != nil {
		return err
	}
	build := buildName()
	err = staticsite.Write(s.Dir, staticsite.Options{Build: build, Server: server,
		Board: func(of func(up string) page.Data, write func(name string, body []byte) error) error {
			return site.ExportBoard(ctx, site.BoardCopy{Tracks: board.Own(), Build: build, Write: write,
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
	u, err := pageURL("--server", text, "https://example.org/lab/")
	if err != nil {
		return "", UsageError{err}
	}
	return strings.TrimSuffix(u.String(), "/") + "/", nil
}
