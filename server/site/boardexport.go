package site

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"impalab/server/atomicfile"
	"impalab/server/board"
	"impalab/server/lab"
	"impalab/server/picture"
	"impalab/server/site/api"
	"impalab/server/store"
	"impalab/static"
	"impalab/web/page"
)

// BoardCopy configures ExportBoard.
type BoardCopy struct {
	Tracks *board.Tracks
	Kept   *store.Store // has the entries; nil: only the baselines
	Season int64        // whose rows are written; 0: the newest
	Build  string
	Lab    string                               // address of a Lab to link to; "": none
	Write  func(name string, text []byte) error // writes a file; its name has slashes
	Left   func(row string, why error)          // is called for each row whose agent cannot be played; may be nil

	// Site returns the data of a site that contains the board, for a page at up ("" or "../") from the board's folder.
	// nil: the board is a site of its own.
	Site func(up string) page.Data
}

// copied are the files that the pages of an exported board need, beside the fonts.
var copied = []string{"palette.css", "page.css", "instrument.css", "columns.css", "board.css", "favicon.svg"}

// ExportBoard writes the board as files: a page for each track and each row, which also open from a disk. The page of a
// row is TRACK/ID.html. Beside it are its figures, and an episode of its agent if a run of it is stored. All addresses
// are relative.
func ExportBoard(ctx context.Context, b BoardCopy) error {
	for _, t := range b.Tracks.All {
		if err := b.track(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", t.Title, err)
		}
	}
	if b.Site != nil {
		return nil
	}
	assets := static.Embedded()
	for _, name := range assets.Names() {
		if slices.Contains(copied, name) || strings.HasPrefix(name, "stix-") {
			if err := b.Write("static/"+name, []byte(assets.Text(name))); err != nil {
				return err
			}
		}
	}
	return nil
}

// Into returns a function that writes files below a folder, with their folders.
func Into(folder string) func(name string, text []byte) error {
	return func(name string, text []byte) error {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return atomicfile.WriteFile(path, text, 0o644)
	}
}

// links returns the addresses for a page at up ("" or "../") from the board's folder.
func (b *BoardCopy) links(up string) (page.BoardLinks, page.Data) {
	data := page.Data{Base: up, Build: b.Build, Bare: true,
		Asset: func(name string) string { return up + "static/" + name }}
	lab := b.Lab
	if b.Site != nil {
		data = b.Site(up)
		lab = data.Base + "lab/"
	}
	return page.BoardLinks{Lab: lab, Copy: true,
		Page: func(track string) string { return up + track + ".html" },
		Rows: func(track string) string { return up + track + ".json" },
		Row:  func(track, id string) string { return up + track + "/" + id + ".html" },
		JSON: func(track, id string) string { return up + track + "/" + id + ".json" },
	}, data
}

// track writes the page of a track, its rows for programs, and the pages of the rows that it shows.
func (b *BoardCopy) track(ctx context.Context, t *board.Track) error {
	all, err := b.standings(ctx, t)
	if err != nil {
		return err
	}
	links, data := b.links("")
	var html bytes.Buffer
	if err := page.BoardPage(data, *boardOf(all, b.Tracks.All, links)).Render(ctx, &html); err != nil {
		return err
	}
	names := []string{t.Name + ".html"}
	if t == b.Tracks.All[0] {
		names = append(names, "index.html")
	}
	for _, name := range names {
		if err := b.Write(name, html.Bytes()); err != nil {
			return err
		}
	}
	err = b.json(t.Name+".json", api.EntriesOf(all, func(id string) string { return links.Row(t.Name, id) }))
	for i := 0; i < min(board.PageRows, len(all.Rows)) && err == nil; i++ {
		err = b.row(ctx, all, &all.Rows[i])
	}
	return err
}

func (b *BoardCopy) standings(ctx context.Context, t *board.Track) (*board.Standings, error) {
	if b.Kept == nil {
		return t.Measured(), nil
	}
	return board.ReadStandings(ctx, b.Kept, t, b.Season, time.Now())
}

// row writes the page of a row, its figures, and an episode of its agent.
func (b *BoardCopy) row(ctx context.Context, all *board.Standings, s *board.Standing) error {
	links, data := b.links("../")
	e := entryPage(all, s, links)
	own := all.Track.Name + "/" + s.ID
	if s.Run != "" {
		switch film, err := b.episode(ctx, s.Run); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			e.Episode = s.ID + ".gif"
			if err := b.Write(own+".gif", film); err != nil {
				return err
			}
		case b.Left != nil:
			b.Left(s.Name(), err)
		}
	}
	var html bytes.Buffer
	if err := page.BoardEntryPage(data, e).Render(ctx, &html); err != nil {
		return err
	}
	if err := b.Write(own+".html", html.Bytes()); err != nil {
		return err
	}
	return b.json(own+".json", api.EntryOf(all.Track, s, links.Row(all.Track.Name, s.ID)))
}

func (b *BoardCopy) json(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	return b.Write(name, text)
}

// episode plays an episode of a run's agent with its newest snapshot.
func (b *BoardCopy) episode(ctx context.Context, run string) ([]byte, error) {
	var film bytes.Buffer
	err := lab.StoredPolicy(ctx, b.Kept, run, func(by *lab.Policy) error {
		_, err := picture.Episode(&film, &by.Config, by.Spec, &by.Policies, by.Going)
		return err
	})
	return film.Bytes(), err
}
