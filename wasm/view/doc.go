// Package view draws the watched worlds and, under each, what the two policies would do there. It is the only importer
// of Ebiten: stage.go runs the picture, cell.go is the part of it that one run has, layout.go where the cells stand and
// what has room in one, paint.go the canvas a world draws on, bars.go the policies, words.go the labels, mesh.go the
// smooth triangles they all end as.
//
// One client and one canvas draw every run of a page. Measured in headless Chromium, which draws in software, on two
// busy cores, with four CartPoles in cells of two by two on a screen 390 wide: one client took 324 MiB and was there
// after 4.4 s, four clients in a frame each 400 MiB and 15.4 s; a frame of the page cost 26 ms of processor time
// against 39 ms. The memory is that of the whole browser. One run alone costs about the same either way.
package view
