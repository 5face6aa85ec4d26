package client

import (
	"context"
	"net/url"
)

// Board is a track of the board with its rows, the best first.
type Board struct {
	Track    string            `json:"name"`
	Title    string            `json:"title"`
	Preset   string            `json:"preset"`
	Settings map[string]string `json:"settings"` // of all rows, beside the preset's
	Steps    uint64            `json:"steps"`
	Rows     []BoardRow        `json:"-"`
}

// BoardRow is one configuration.
type BoardRow struct {
	Rank     string            `json:"-"` // 2, or 2–4 where intervals overlap
	Name     string            `json:"-"`
	Settings map[string]string `json:"-"` // the differences from the track
	Seeds    []string          `json:"seeds"`
	Score    Estimate          `json:"return_mean_run"`
	End      Estimate          `json:"return_mean_100"`
	Params   []string          `json:"params_sha256"` // of each public seed
	Made     string            `json:"arithmetic"`
}

// Estimate is an interquartile mean over seeds with its 95 % bootstrap interval.
type Estimate struct{ IQM, Low, High float64 }

// Board reads a track. The figures of its rows rank them.
func (c *Client) Board(ctx context.Context, track string) (Board, error) {
	var got struct {
		Of      Board
		Entries []struct {
			Rank, Baseline, Nickname string
			Settings                 map[string]string
			RankedOn                 string `json:"ranked_on"`
			Public, Secret           BoardRow
		}
	}
	err := c.json(ctx, "GET", "/board/"+url.PathEscape(track)+"/entries", "", nil, &got)
	for _, e := range got.Entries {
		row := e.Public
		if e.RankedOn == "secret" {
			row = e.Secret
		}
		row.Rank, row.Name, row.Settings = e.Rank, e.Baseline+e.Nickname, e.Settings
		got.Of.Rows = append(got.Of.Rows, row)
	}
	return got.Of, err
}
