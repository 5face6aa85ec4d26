// Package view draws the watched worlds and, under each, what the two policies would do there. It is the only importer
// of Ebiten: stage.go runs the picture, cell.go is the part of it that one run has, layout.go where the cells stand and
// what has room in one, paint.go the canvas a world draws on, bars.go the policies, words.go the labels, mesh.go the
// smooth triangles they all end as.
//
// One client and one canvas draw every run of a page. The other way, a client in a frame for each run, was measured
// too, in headless Chromium on two cores that others used as well: with four CartPoles it took 22 to 24 % more memory
// in all, and was there after 15.4 s instead of 4.4 on a screen 390 wide, and 22.9 s instead of 13.1 at 1366. Frames a
// second and processor time were too unsteady to decide anything.
package view
