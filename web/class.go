package web

// classPath is where rooms are, below the base.
const classPath = "class"

// Class is what the pages of rooms say that differs from server to server.
type Class struct {
	Plans []ClassPlan
	Days  int  // that a room is kept after its last use
	Asks  bool // who makes a room must bring the host's token
}

// ClassPlan is a plan of a lesson as students may have it on paper: nothing in it tells an answer.
type ClassPlan struct {
	Name, Title, For, Aim string
	Minutes               int
	Steps                 []ClassStep
}

// ClassStep is a step of it.
type ClassStep struct {
	Title, Say, Ask string
	Choose          []string
	From, To        string // of an axis to mark a guess on; "": none
	Unit            string
	Lines           int // empty ones to write on
}
