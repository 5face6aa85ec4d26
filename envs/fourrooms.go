package envs

// Four rooms (Sutton, Precup and Singh, 1999) is large enough that values must travel through doors, and small
// enough that every one of them can be solved exactly.

var fourRoomsGrid = newGrid(
	"#############",
	"#.....#.....#",
	"#.....#.....#",
	"#...........#",
	"#.....#.....#",
	"#.....#.....#",
	"##.####.....#",
	"#.....###.###",
	"#.....#.....#",
	"#.....#..G..#",
	"#...........#",
	"#.....#.....#",
	"#############",
)

var fourRoomsMDP = fourRoomsGrid.mdp(0, pay{goal: 1})

var fourRoomsSpec = Spec{
	Name:    "four-rooms",
	Title:   "Four rooms",
	Summary: "Find the way through the doors to the goal, from anywhere: 1 for the goal.",
	Source:  "Sutton, Precup and Singh (1999), Between MDPs and semi-MDPs",
	Obs:     []int{fourRoomsMDP.States},
	Actions: compass,
	Limit:   200,
	Random:  .374,
	Solved:  .99,
	View:    [2]float32{13, 13},
	Rate:    10,
}

type fourRooms struct{ finite }

func newFourRooms() World { return &fourRooms{newFinite(&fourRoomsSpec, fourRoomsMDP)} }

func (w *fourRooms) Draw(c Canvas) { fourRoomsGrid.draw(c, &w.finite) }
