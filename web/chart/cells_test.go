package chart

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"impalab/web/chart/charttest"
	"impalab/web/wire"
)

func TestTheSquareInACellHasTheShareOfItsReach(t *testing.T) {
	cells := []wire.Cell{{Light: 0}, {Light: 1, Reach: 2}, {Light: .5, Reach: .5}, {Light: 2, Reach: 9},
		{Reach: float32(math.NaN())}, {Reach: -1}}
	drawn := DrawCells(cells, 3, 2, 120, 80)
	if got := strings.Count(drawn, `class="light"`); got != len(cells) {
		t.Errorf("%d cells are drawn, want %d: %s", got, len(cells), drawn)
	}
	want := []float64{1, .25, 1} // more than the largest so far fills its cell; NaN and less than 0 draw nothing
	var sides []float64
	charttest.Elements(t, "cells", drawn, func(e xml.StartElement) {
		if charttest.Attribute(e, "class") != "reach" {
			return
		}
		side, err := strconv.ParseFloat(charttest.Attribute(e, "width"), 64)
		if err != nil {
			t.Fatal(err)
		}
		sides = append(sides, side)
	})
	if len(sides) != len(want) {
		t.Fatalf("%d squares, want %d: %s", len(sides), len(want), drawn)
	}
	for i, side := range sides {
		if share := side * side / (39 * 39); math.Abs(share-want[i]) > .01 {
			t.Errorf("square %d covers %.3f of its cell, want %.3f", i, share, want[i])
		}
	}
}

func TestNoCellsDrawNothing(t *testing.T) {
	if drawn := DrawCells(nil, 0, 0, 120, 80); drawn != "" {
		t.Errorf("it draws %s", drawn)
	}
}
