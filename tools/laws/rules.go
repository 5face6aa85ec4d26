package main

// The rules themselves, in the order in which one would explain them.

const module = "impalab/"

// row is packages that stand equally high, and why they stand there.
type row struct {
	packages []string
	reason   string
}

// rows are the house from the ground up: a package imports only from rows below its own.
var rows = []row{
	0: {[]string{"envs/world", "learner/goldens", "server/cluster/natstest"},
		"what a world is, is said once, below the worlds and their table; and every test can read the reference cases " +
			"and start a NATS server"},
	1: {[]string{"envs/rooms", "learner/kernel", "learner/correct", "learner/traj"},
		"a family of worlds with parts of its own knows what a world is, but not the table it stands in; arithmetic, the " +
			"corrections and the shape of the data stand on nothing"},
	2: {[]string{"envs", "learner/loss", "learner/net", "learner/telemetry", "learner/schedule", "learner/stream",
		"learner/collapse", "web/wire", "web/palette", "static", "server/atomicfile", "server/errcode", "server/nickname",
		"web/number", "web/chart/charttest"},
		"worlds, arithmetic and the papers' mathematics stand on nothing, so that the learner, the browser and the tests " +
			"all use the same files"},
	3: {[]string{"learner/program", "learner/optim", "learner/hyper", "learner/replay", "envs/exact",
		"envs/envtest", "server/store"},
		"programs, optimisers, settings and stores know the ground, but not who learns with them or what is " +
			"kept for whom"},
	4: {[]string{"learner/graph", "learner/actor", "learner/device", "web/lesson", "web/labrow",
		"server/series", "server/job"},
		"the graph knows what a network is, and a device runs its program, but neither knows an algorithm: an " +
			"algorithm must read like its paper; which figure has a line on the page, and which knob beside it, is said once " +
			"for the page and its client; and what becomes of a run's points in the store, once for the lab and its pictures; " +
			"a job is handed out by whoever knows the store, not by who knows what it is"},
	5: {[]string{"learner/algo", "learner/remote", "learner/device/opencl"},
		"an algorithm and a remote actor serve the learner's loop and do not know it; what a driver is like is " +
			"said to nobody but the program that hands it on"},
	6: {[]string{"learner", "web/play", "web/actorwire", "web/hub", "server/firewall", "web",
		"wasm/link", "web/chart"},
		"the learner runs without a server, pages are made without one, and what people watch is played without either"},
	7: {[]string{"learner/evolve", "learner/trial", "learner/tape", "web/watch", "web/staticsite", "server/session",
		"server/cluster", "server/exercise", "wasm/run"},
		"a population, a trial and a tape are made of whole learners; a session knows how browsers travel, but not what " +
			"a run is: it says what it needs of one in an interface; the page's runs are tested without a browser; and what " +
			"people see of a run is the same whoever runs it, and is carried elsewhere by who knows the hub and no run; and " +
			"an exercise judges figures that others measured"},
	8: {[]string{"web/runloop", "server/picture", "server/seedjob", "wasm/view", "wasm/model",
		"wasm/microscope", "wasm/firstpage", "wasm/starlark"},
		"what a run does between two updates is the same on a server and in a browser, which host it; one unroll under " +
			"the microscope uses the corrections and the charts, and no browser"},
	9: {[]string{"server/lab", "wasm/trainer"},
		"what people do with runs is put together here, and served nowhere: it is tested without a network and without a " +
			"browser"},
	10: {[]string{"server/board", "server/class"},
		"both train seeds as jobs, and a room's fleet acts for a run of the lab"},
	11: {[]string{"server/site/api", "wasm/page"},
		"the API speaks net/http and is mounted by the site, which adds what guards it; the page binds the runs to HTML"},
	12: {[]string{"server/site"},
		"a site serves what stands below it, and knows no flag: whoever starts it says how"},
	13: {[]string{"server/command"},
		"a command puts a part of the house to work; only the program knows how it was asked for"},
	14: {[]string{"server", "wasm", "wasm/worker", "wasm/exercise"},
		"the programs: they know everybody, and nobody knows them"},
}

// apart is a part of the house that must not know another, whatever the rows say. Tests count.
type apart struct{ from, to, reason string }

var strangers = []apart{
	{"learner", "web",
		"the learner runs without a page: what it reports is its own (learner/telemetry), and others turn it into messages"},
	{"learner", "server",
		"the learner runs without a server: a trial is the same on a command line, in a notebook and behind a page"},
	{"server", "wasm/starlark",
		"the server judges the numbers of a student's program, and never runs the program"},
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
		"what calls into C can be left out of a build in one place"},
	{"github.com/a-h/templ", []string{"web"},
		"pages are made in one place; others hold them as something that renders"},
	{"github.com/yuin/goldmark", []string{"web"},
		"prose is set where pages are made; a lesson is text"},
	{"github.com/labstack/echo/", []string{"server/site"},
		"all else speaks net/http, and can be tested and moved without a framework"},
	{"modernc.org/sqlite", []string{"server/store"},
		"which database keeps things is the store's secret: the rest sees runs, tapes and transactions"},
	{"github.com/jackc/pgx/", []string{"server/store"},
		"which database keeps things is the store's secret: the rest sees runs, tapes and transactions"},
	{"github.com/nats-io/nats-server/", nil,
		"a NATS server is a program of its own beside ours: compose.fronts.yaml and the tests start it"},
	{"github.com/riverqueue/river", []string{"server/job"},
		"who is at a job is the store's to say; what hands jobs out can be replaced in one place"},
	{"github.com/pressly/goose/", []string{"server/store"},
		"the schema has one history, and one place that knows it"},
	{"github.com/danielgtaylor/huma/", []string{"server/site/api"},
		"the API is described in one place; the lab knows no framework"},
	{"github.com/gorilla/websocket", []string{"server/session"},
		"how frames travel is the session's secret: the rest sees messages"},
	{"github.com/hajimehoshi/ebiten/", []string{"wasm/view", "wasm"},
		"it needs a browser or a display, and whatever imports it cannot be tested without one"},
	{"github.com/chromedp/", []string{"server"},
		"only the test of the real page drives a browser"},
	{"syscall/js", []string{"wasm", "wasm/link", "wasm/page", "wasm/view", "wasm/worker", "wasm/exercise"},
		"only the client touches the browser"},
	{"go.starlark.net/", []string{"wasm/starlark"},
		"a student's program runs in the student's page only"},
}

// alone are packages that use the standard library and our own ground only, with the exceptions named.
var alone = struct {
	packages []string
	allowed  []string
	reason   string
}{
	[]string{"envs", "envs/world", "envs/rooms", "learner/kernel", "learner/correct", "learner/loss", "learner/traj",
		"learner/telemetry", "learner/schedule", "web/wire"},
	[]string{"golang.org/x/sys/cpu"}, // which instructions this processor has; an empty file in wasm
	"these run in the page and are what people read beside the papers: nothing to download, nothing to look up",
}

// weight is what a package must not contain on a target, however it came in.
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
		"it is downloaded where there is no server; what makes programs would be three times the rest of it"},
	{"learner", false,
		[]string{"gorgonia.org/", "gonum.org/", "github.com/ebitengine/purego", "impalab/learner/graph"},
		"a learner runs from stored programs where there is no graph, as in a browser"},
}
