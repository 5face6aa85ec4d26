package client

import (
	"context"
	"encoding/json"
	"net/url"
)

// Board is a track of the board with its rows, the best first.
type Board struct {
	Track    string            `json:"track"`
	Title    string            `json:"title"`
	Preset   string            `json:"preset"`
	Settings map[string]string `json:"settings"` // of all rows, beside the preset's
	Steps    uint64            `json:"steps"`
	Rows     []BoardRow        `json:"rows"`
}

// BoardRow is one configuration.
type BoardRow struct {
	Rank     string            `json:"rank"` // 2, or 2–4 where intervals overlap
	Name     string            `json:"name"`
	Settings map[string]string `json:"settings"` // the differences from the track
	Seeds    []string          `json:"seeds"`
	Score    Estimate          `json:"return_mean_run"`
	End      Estimate          `json:"return_mean_100"`
	Params   []string          `json:"params_sha256"` // of each public seed
	Made     string            `json:"arithmetic"`
}

// Estimate is an interquartile mean over seeds with its 95 % bootstrap interval.
type Estimate struct{ IQM, Low, High float64 }

// Board reads a track.
func (c *Client) Board(ctx context.Context, track string) (b Board, err error) {
	text, err := c.bytes(ctx, "/board/"+url.PathEscape(track)+"/rows.json")
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	return b, err
}
