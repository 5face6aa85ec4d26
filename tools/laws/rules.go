package main

// The rules, in the order of an explanation.

const module = "impalab/"

// row is a list of packages of equal height, and the reason for it.
type row struct {
	packages []string
	reason   string
}

// rows list all packages from the ground up: a package imports only from rows below its own.
var rows = []row{
	0: {[]string{"envs/world", "internal/goldens", "internal/natstest", "internal/oracle"},
		"envs/world defines worlds once, below their table; every test can read the reference cases and the printed " +
			"formulas, and start a NATS server"},
	1: {[]string{"envs/bodies", "envs/rooms", "learner/kernel", "learner/correct", "learner/traj",
		"learner/script", "learner/stats"},
		"a family of worlds with parts of its own knows the definition of a world, but not the table of worlds; " +
			"arithmetic, the corrections, a person's own and the shape of the data stand on nothing"},
	2: {[]string{"envs", "learner/loss", "learner/net", "learner/telemetry", "learner/schedule", "learner/stream",
		"learner/collapse", "learner/learned", "web/wire", "web/palette", "static", "server/atomicfile", "server/errcode",
		"server/nickname", "web/number", "web/chart/charttest", "wasm/browser"},
		"worlds, arithmetic and the papers' mathematics stand on nothing, so the learner, the browser and the tests " +
			"all use the same files"},
	3: {[]string{"learner/program", "learner/optim", "learner/hyper", "learner/replay", "envs/exact",
		"envs/envtest", "server/store", "server/places", "learner/onnx"},
		"programs, optimisers, settings and stores know neither the learner nor the owner of a run, and so not who " +
			"learns; a file for other programs is made from a network alone; places know addresses and no work"},
	4: {[]string{"internal/kit", "learner/graph", "learner/actor", "learner/device", "web/lesson/quantity", "web/labrow",
		"web/link", "server/job"},
		"the graph knows networks and a device runs their programs, but neither knows an algorithm, which must read " +
			"like its paper; the rows of the Lab and the links of experiments each have one place; a job queue " +
			"knows the store and no kind of work"},
	5: {[]string{"learner/algo", "web/lesson", "learner/remote", "learner/device/opencl"},
		"an algorithm and a remote actor serve the learner's loop and do not know it; only the package that passes " +
			"programs on knows drivers"},
	6: {[]string{"learner", "learner/torch", "web/play", "web/actorwire", "web/hub", "server/firewall",
		"wasm/conn", "web/chart"},
		"the learner and the watched world work without a server; the test of the pages of PyTorch follows the algorithms"},
	7: {[]string{"learner/evolve", "learner/trial", "learner/tape", "web/watch", "server/session",
		"server/cluster", "web/exercise", "wasm/run"},
		"a population, a trial and a tape are made of whole learners; a session knows the browser's connection and " +
			"describes a run by an interface; the page's runs are tested without a browser; viewers see the same report " +
			"of every run, and front ends carry it without knowing a run; an exercise judges measured figures"},
	8: {[]string{"web/runloop", "web/page", "server/picture", "server/seedjob", "wasm/view", "wasm/model",
		"wasm/microscope", "wasm/firstpage", "wasm/starlark"},
		"a run does the same between two updates on a server and in a browser, which host it; the pages declare what " +
			"they show, and the server fills them; the microscope uses the corrections and the charts, and no browser"},
	9: {[]string{"server/lab", "wasm/trainer", "wasm/homework", "web/staticsite"},
		"these start, steer and keep runs, and serve nothing: they are tested without a network and without a browser; " +
			"a folder of pages and programs needs the pages, and no server"},
	10: {[]string{"server/board", "server/class", "server/sweep"},
		"all train seeds as jobs; a room's fleet acts for a run of the lab, and a sweep's runs train in one"},
	11: {[]string{"server/site/api", "wasm/page"},
		"the API speaks net/http, and the site mounts it behind its guards; the page binds the runs to HTML"},
	12: {[]string{"server/site"},
		"a site serves the packages below it and knows no flag: its caller configures it"},
	13: {[]string{"server/command"},
		"a command uses all packages below; only the program knows the command line"},
	14: {[]string{"server", "wasm", "wasm/worker", "wasm/exercise"},
		"the programs import any package, and no package imports them"},
}

// apart is a tree of packages that must not import another, even from a lower row. Tests count.
type apart struct{ from, to, reason string }

var strangers = []apart{
	{"learner", "web",
		"the learner runs without a page: it reports in its own terms (learner/telemetry), and others turn them into " +
			"messages"},
	{"learner", "server",
		"the learner runs without a server: a trial is the same on a command line, in a notebook and behind a page"},
	{"web", "server",
		"a page and a run declare what they show and need, so they are tested and moved without a server, which fills them"},
	{"web", "wasm",
		"what the server and the client both need lies under both"},
	{"server", "wasm",
		"the client is a program of its own, which the server passes on as a file; it judges the numbers of a student's " +
			"program, and never runs the program"},
}

// reserved names a library that only some packages may import, tests included.
type reserved struct {
	library string // import path or a prefix of it ending in a slash
	only    []string
	reason  string
}

var exclusive = []reserved{
	{"gorgonia.org/", []string{"learner/graph"},
		"it can be replaced in one place, and is 2.9 MB that no browser should load"},
	{"github.com/ebitengine/purego", []string{"learner/device/opencl"},
		"a build can leave out calls into C in one place"},
	{"github.com/a-h/templ", []string{"web/page"},
		"web/page makes the pages; other packages hold them as something that renders"},
	{"github.com/yuin/goldmark", []string{"web/page"},
		"web/page typesets prose; a lesson is text"},
	{"github.com/labstack/echo/", []string{"server/site"},
		"all else speaks net/http, and can be tested and moved without a framework"},
	{"modernc.org/sqlite", []string{"server/store"},
		"the store hides its database: the rest sees runs, tapes and transactions"},
	{"github.com/jackc/pgx/", []string{"server/store"},
		"the store hides its database: the rest sees runs, tapes and transactions"},
	{"github.com/nats-io/nats-server/", nil,
		"a NATS server is a program of its own beside ours: compose.fronts.yaml and the tests start it"},
	{"github.com/riverqueue/river", []string{"server/job"},
		"the store knows the worker of a job; the queue can be replaced in one place"},
	{"github.com/pressly/goose/", []string{"server/store"},
		"the schema has one history in one place"},
	{"github.com/danielgtaylor/huma/", []string{"server/site/api"},
		"the API is described in one place; the lab knows no framework"},
	{"github.com/gorilla/websocket", []string{"server/session", "server"},
		"the session hides the transport: the rest sees messages; server's tests of the page drive Firefox by one"},
	{"github.com/hajimehoshi/ebiten/", []string{"wasm/view", "wasm"},
		"it needs a browser or a display, and no package that imports it can be tested without one"},
	{"github.com/chromedp/", []string{"server"},
		"only the test of the real page drives a browser"},
	{"google.golang.org/protobuf/", []string{"learner/onnx"},
		"one file format of ours is protobuf; its few messages are written in one place"},
	{"syscall/js", []string{"wasm", "wasm/browser", "wasm/conn", "wasm/page", "wasm/view", "wasm/worker", "wasm/exercise"},
		"only the client touches the browser"},
	{"go.starlark.net/", []string{"wasm/starlark", "learner/script"},
		"a student's program runs in the student's page only, a person's own correction in the learner"},
}

// alone lists packages that import the standard library and our own packages only, with the named exceptions.
var alone = struct {
	packages []string
	allowed  []string
	reason   string
}{
	[]string{"envs", "envs/world", "envs/bodies", "envs/rooms", "learner/kernel", "learner/correct", "learner/loss",
		"learner/traj", "learner/telemetry", "learner/schedule", "web/wire"},
	[]string{"golang.org/x/sys/cpu"}, // the instructions of this processor; an empty file in wasm
	"these run in the page, and people read them beside the papers: nothing to download, nothing to look up",
}

// weight lists libraries that a package must not contain on a target, even through others.
type weight struct {
	of        string
	client    bool // in the browser alone
	libraries []string
	reason    string
}

var heavy = []weight{
	{"wasm", true,
		[]string{"gorgonia.org/", "gonum.org/", "net/http", "encoding/json", "impalab/learner/graph", "impalab/server/"},
		"every visitor downloads the client before the first picture"},
	{"wasm/worker", true,
		[]string{"gorgonia.org/", "gonum.org/", "net/http", "regexp", "impalab/learner/graph", "impalab/server/"},
		"visitors of a static site download it; the package that makes programs would triple its size"},
	{"learner", false,
		[]string{"gorgonia.org/", "gonum.org/", "github.com/ebitengine/purego", "impalab/learner/graph"},
		"a learner runs from stored programs without a graph, as in a browser"},
}
