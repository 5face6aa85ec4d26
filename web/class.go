package web

// classPath is the path of rooms below the base.
const classPath = "class"

// Class is the part of the rooms' pages that differs between servers.
type Class struct {
	Plans []ClassPlan
	Days  int  // days that a room is stored after its last use
	Asks  bool // whether opening a room needs the host's token
}

// ClassPlan is a plan of a lesson as a handout, without answers.
type ClassPlan struct {
	Name, Title, For, Aim string
	Minutes               int
	Steps                 []ClassStep
}

// ClassStep is a step of a plan.
type ClassStep struct {
	Title, Say, Ask string
	Choose          []string
	From, To        string // ends of an axis to mark a guess on; "": none
	Unit            string
	Lines           int // empty lines to write on
}
