// Package view draws the watched world and, under it, what the two policies would do there. It is the only importer of
// Ebiten: stage.go runs the picture, paint.go is the canvas a world draws on, bars.go the policies, words.go the
// labels, mesh.go the smooth triangles they all end as.
package view
