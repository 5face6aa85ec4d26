// Package view draws the watched worlds and, below each, the probabilities of both policies. It is the only importer of
// Ebiten. stage.go runs the picture, cell.go is one run's part of it, layout.go places the cells, paint.go is the
// canvas of a world, policies.go draws the policies, words.go the labels, and mesh.go makes smooth triangles of shapes.
//
// One program and one canvas draw every run of a page. A program in a frame for each run used 22 to 24 % more memory
// with four CartPoles in headless Chromium, and started in 15.4 s instead of 4.4.
package view
