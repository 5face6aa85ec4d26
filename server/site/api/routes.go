package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// route describes one operation. The path and the method decide which refusals every such operation has.
type route struct {
	at      string // method and path
	id      string
	summary string
	text    string // needs and returned values of the operation
	keyed   bool   // it needs a key
	also    []int  // refusals beside the usual ones
	kind    string // content type of an answer that is not JSON
}

// refusals are the refusals as the description explains them.
var refusals = map[int]string{
	http.StatusUnauthorized:          "The request needs a key.",
	http.StatusForbidden:             "The key is not one of this room, or it may not do this.",
	http.StatusNotFound:              "It does not exist, or the key is wrong; the answer does not say which.",
	http.StatusConflict:              "It cannot be done in the present state.",
	http.StatusRequestEntityTooLarge: "The body has more than 64 kB.",
	http.StatusUnprocessableEntity: "The request is invalid; the sentence says why and what is allowed. Nothing was " +
		"changed.",
	http.StatusTooManyRequests: "Too many requests came from this address.",
	http.StatusServiceUnavailable: "The server is full, cannot store anything or answers too late. Retry-After says " +
		"when to ask again.",
}

// register adds every operation to the description and to the mux.
func (a *api) register(on huma.API) {
	r := &registrar{on, a}
	reply(r, route{at: "POST /runs", id: "start", summary: "Start a run", also: []int{429},
		text: "Needs a preset or settings, and steps: a run has an end. Returns the run's id, and the key that steers " +
			"it. No other answer contains this key."}, a.start)
	reply(r, route{at: "GET /runs", id: "list", summary: "List the runs of a key", keyed: true, also: []int{401, 422},
		text: "Needs the key of the runs. Returns up to limit runs as last stored, newest first, and next, the cursor of " +
			"the following page."}, a.list)
	reply(r, route{at: "GET /runs/{id}", id: "read", summary: "Read a run",
		text: "Needs the run's id. Returns its state, steps, returns, settings, actors and the SHA-256 of its parameters."},
		a.read)
	reply(r, route{at: "PATCH /runs/{id}", id: "patch", summary: "Change settings of a run while it continues",
		keyed: true, also: []int{409}, text: "Needs the run's key. Changes all settings or none. Returns the settings in " +
			"force and the first update that uses them, after both are stored."}, a.patch)
	add(r, route{at: "DELETE /runs/{id}", id: "delete", summary: "Delete a run", keyed: true,
		text: "Needs the run's key. Deletes its tape, curves and snapshots, but not its forks. Returns nothing."}, a.delete)
	reply(r, route{at: "POST /runs/{id}/stop", id: "stop", summary: "Stop a run", keyed: true, also: []int{409},
		text: "Needs the run's key. Ends the run after its current update and stores it. Returns the run."}, a.stop)
	reply(r, route{at: "POST /runs/{id}/fork", id: "fork", summary: "Fork a run", also: []int{409, 429},
		text: "Needs the id of a reference run, an update and the settings to change. Returns the id and the key of a " +
			"new run that equals the run up to the update. A fork of a live run is refused with 422, of a damaged tape " +
			"with 409."}, a.fork)
	reply(r, route{at: "GET /runs/{id}/unroll", id: "unroll", summary: "Read one trajectory of a batch",
		also: []int{409, 422, 429, 503}, text: "Needs the id of a run whose learner the server holds. Returns " +
			"observations, actions, rewards, ratios and targets as the learner sees them. The run does not " +
			"change."}, a.unroll)
	add(r, route{at: "GET /runs/{id}/moments", id: "moments", summary: "Recompute what pages show of some updates",
		kind: frameType, also: []int{409, 422, 429, 503}, text: "Needs the id of a reference run and at most 64 updates. " +
			"The server retrains them from the nearest snapshot. Returns one binary frame of the pages' protocol, as " +
			"web/wire describes it."}, a.moments)
	add(r, route{at: "GET /runs/{id}/tape", id: "tape", summary: "Download the tape of a run", kind: tapeType,
		also: []int{429}, text: "Needs the run's id. Returns JSON lines: the settings at the start, each change, and a " +
			"hash of the parameters every 100 updates. docs/tape.md describes them."}, a.tape)
	add(r, route{at: "GET /runs/{id}/curves.csv", id: "curves", summary: "Download the curves of a run as CSV",
		kind: csvType,
		also: []int{429}, text: "Needs the run's id. Returns a row for each step. A cell is empty if its series has no " +
			"value."}, a.curves)
	add(r, route{at: "GET /runs/{id}/events", id: "events", summary: "Stream what a run reports", kind: eventType,
		text: "Needs the run's id. Returns an event stream of state, changed, point and value_error, each a JSON object, " +
			"from the start or after Last-Event-ID. The stream ends with the state done or diverged; from then on the " +
			"answer is 204."}, a.events)

	reply(r, route{at: "POST /sweeps", id: "startSweep", summary: "Start a sweep", also: []int{429},
		text: "Needs settings, up to two axes with values, and seeds. Returns the sweep's id and key. The sweep trains " +
			"each seed in each cell, and counts as one job."}, a.startSweep)
	reply(r, route{at: "POST /estimates", id: "estimateSweep", summary: "Estimate a sweep", also: []int{429},
		text: "Needs the body of a new sweep, and starts nothing. Returns the number of its runs, their steps, and the " +
			"seconds that they take; or the refusal that a start would get."}, a.estimateSweep)
	reply(r, route{at: "GET /sweeps/{id}", id: "readSweep", summary: "Read a sweep",
		text: "Needs the sweep's id. Returns its state, its cells with their runs, and the interquartile mean and " +
			"interval of each cell over its seeds."}, a.readSweep)
	add(r, route{at: "DELETE /sweeps/{id}", id: "deleteSweep", summary: "Delete a sweep with its runs", keyed: true,
		text: "Needs the sweep's key. Deletes the runs of the sweep too. Returns nothing."}, a.deleteSweep)
	reply(r, route{at: "POST /sweeps/{id}/stop", id: "stopSweep", summary: "Stop a sweep", keyed: true, also: []int{409},
		text: "Needs the sweep's key. Ends its runs and starts no more. Returns the sweep."}, a.stopSweep)
	reply(r, route{at: "GET /sweeps/{id}/cells/{cell}", id: "sweepCurves", summary: "Read the curves of a cell",
		also: []int{429}, text: "Needs the sweep's id and the number of a cell. Returns the returns of the cell's runs " +
			"over their steps, and their mean with its interval."}, a.sweepCurves)
	add(r, route{at: "GET /sweeps/{id}/runs.csv", id: "sweepCSV", summary: "Download the runs of a sweep as CSV",
		kind: csvType, also: []int{429}, text: "Needs the sweep's id. Returns a row for each run of the " +
			"sweep."}, a.sweepCSV)
	add(r, route{at: "GET /sweeps/{id}/events", id: "sweepEvents", summary: "Stream the progress of a sweep",
		kind: eventType,
		text: "Needs the sweep's id. Returns an event stream of progress, a JSON object at each change. The stream ends " +
			"with the state done or stopped; from then on the answer is 204."}, a.sweepEvents)

	reply(r, route{at: "GET /board", id: "tracks", summary: "List the tracks of the board",
		text: "Returns each track with its start, its seeds and the settings that an entry may change."},
		fixed(tracksOf(a.Board.Tracks())))
	add(r, route{at: "POST /board/{track}/entries", id: "handIn", summary: "Submit a configuration to the board",
		keyed: true,
		also:  []int{429}, text: "Needs a track and the settings that differ from its start; a key of your own is " +
			"optional. Returns the entry with 201, or with 200 if the board already has it. The server trains it on the " +
			"public seeds, then on the secret seeds of the season."}, a.handIn)
	reply(r, route{at: "GET /board/{track}/entries", id: "entries", summary: "List the entries of a track",
		also: []int{429}, text: "Needs a track. Returns a page of 200 rows of a season, ranked rows first, and the number " +
			"of pages."}, a.entries)
	reply(r, route{at: "GET /board/{track}/entries/{id}", id: "entry", summary: "Read an entry of the board",
		text: "Needs a track and the id of an entry. Returns the row, with its rank once it has one."}, a.entry)
	add(r, route{at: "GET /board/{track}/events", id: "boardEvents", summary: "Stream changes of a track's rows",
		kind: eventType, text: "Needs a track. Returns an event stream of rows, an empty object whenever the rows have " +
			"changed."}, a.boardEvents)

	reply(r, route{at: "GET /plans", id: "plans", summary: "List the plans of a class",
		text: "Returns each plan with its steps, its homework and its minutes."}, fixed(plans()))
	reply(r, route{at: "POST /rooms", id: "makeRoom", summary: "Open a room for a class",
		keyed: true, also: []int{403, 429},
		text: "Needs a title and a plan, and the server's --admin-token if the server has one. Returns the room's code " +
			"for students and the teacher's key. No other answer contains this key."}, a.makeRoom)
	reply(r, route{at: "GET /rooms/{code}", id: "door", summary: "Look at a room from outside", also: []int{429},
		text: "Needs the room's code. Returns its title, how many students it has and whether it is closed."}, a.door)
	reply(r, route{at: "POST /rooms/{code}/members", id: "joinRoom", summary: "Join a room as a student",
		also: []int{403, 409, 429}, text: "Needs the room's code and a nickname. Returns the student's number and " +
			"secret. The secret is the key of all requests of this student."}, a.joinRoom)
	reply(r, route{at: "GET /rooms/{code}/view", id: "viewRoom", summary: "Read a room", keyed: true, also: []int{429},
		text: "Needs the teacher's key or a student's secret. Returns the view of the caller: teacher or student."},
		inside(a, a.viewRoom))
	add(r, route{at: "GET /rooms/{code}/events", id: "roomEvents", summary: "Stream the view of a room", keyed: true,
		kind: eventType, also: []int{429}, text: "Needs the teacher's key or a student's secret. Returns an event stream " +
			"of the caller's whole view, at each change."}, inside(a, a.roomEvents))
	reply(r, route{at: "PATCH /rooms/{code}", id: "changeRoom", summary: "Change a room", keyed: true, also: []int{409},
		text: "Needs the teacher's key. Changes the title, plan, step, freeze and other fields that the body names. " +
			"Returns the teacher's view."}, taught(a, a.changeRoom))
	add(r, route{at: "DELETE /rooms/{code}", id: "deleteRoom", summary: "Delete a room", keyed: true,
		text: "Needs the teacher's key. Deletes the room's members and answers. Returns nothing."}, taught(a, a.deleteRoom))
	add(r, route{at: "PATCH " +
		"/rooms/{code}/members/{number}", id: "seat", summary: "Rename or remove a student", keyed: true,
		also: []int{409}, text: "Needs the teacher's key and the number of a student. Returns nothing."},
		taught(a, a.changeMember))
	add(r, route{at: "PATCH /rooms/{code}/me", id: "move", summary: "Tell the room where a student is", keyed: true,
		also: []int{409}, text: "Needs the student's secret. Stores the step or the run that the student looks at. " +
			"Returns nothing."}, inside(a, a.changeOwn))
	reply(r, route{at: "POST /rooms/{code}/answers", id: "sendAnswer", summary: "Send a guess, a try or an answer",
		keyed: true, also: []int{409}, text: "Needs the student's secret, the task and the fields that its kind asks " +
			"for. Returns the number of the answer. The room judges answers in turn."}, inside(a, a.sendAnswer))
	reply(r, route{at: "GET /rooms/{code}/unrolls/{task}", id: "unrolls", summary: "Draw the unrolls of a program task",
		keyed: true, also: []int{409, 422}, text: "Needs the student's secret and a task of the kind program. Returns " +
			"unrolls, new unrolls after each submission, and their draw. The answer repeats the draw."}, inside(a, a.unrolls))
	reply(r, route{at: "GET /rooms/{code}/answers/{number}", id: "readAnswer", summary: "Read an answer", keyed: true,
		text: "Needs the student's secret or the teacher's key. Returns the answer, with its credit and receipt once it " +
			"is judged."}, inside(a, a.readAnswer))
	reply(r, route{at: "GET /rooms/{code}/members/{number}/report", id: "report", summary: "Read the report of a student",
		keyed: true, text: "Needs the student's own secret or the teacher's key. Returns all answers of the student with " +
			"their credit, oldest first."}, inside(a, a.report))
	reply(r, route{at: "GET /rooms/{code}/homework", id: "homework", summary: "Read the homework of a class", keyed: true,
		text: "Needs the teacher's key. Returns the exercises of the room, and a row for each student with a cell for " +
			"each exercise."}, taught(a, a.homework))
	reply(r, route{at: "GET /rooms/{code}/members/{number}/work/{task}", id: "work",
		summary: "Read a student's answers to an exercise", keyed: true,
		text: "Needs the teacher's key, the number of a student and the name of an exercise. Returns the answers to it, " +
			"newest first, with their runs."}, taught(a, a.work))
	reply(r, route{at: "GET /rooms/{code}/receipts/{receipt}", id: "verify", summary: "Check a receipt", keyed: true,
		text: "Needs the teacher's key and the receipt of an answer. Returns the student, the task and the credit that " +
			"the receipt proves. A forged receipt is refused with 404."}, taught(a, a.verify))
	add(r, route{at: "GET /rooms/{code}/credits.csv", id: "credits", summary: "Download the credits of a room as CSV",
		keyed: true, kind: csvType, text: "Needs the teacher's key. Returns a row for each student, with the headings of " +
			"the form."}, taught(a, a.credits))
	add(r, route{at: "GET /rooms/{code}/room.json", id: "roomFile", summary: "Download a room", keyed: true,
		text: "Needs the teacher's key. Returns the room with its members, answers and credits as one JSON file."},
		taught(a, a.roomFile))
	reply(r, route{at: "GET /rooms/{code}/script", id: "script", summary: "Read the script of the lesson", keyed: true,
		also: []int{409}, text: "Needs the teacher's key. Returns what the teacher does and says at each step of the " +
			"plan."}, taught(a, a.script))

	reply(r, route{at: "POST /links", id: "shorten", summary: "Make a short link", also: []int{429},
		text: "Needs a link of this server's pages. Returns a short link that leads to it. A link to another server is " +
			"refused with 422."}, a.shorten)
	settings, presets, worlds := tables()
	reply(r, route{at: "GET /settings", id: "settings", summary: "List the settings",
		text: "Returns each setting with its group, its allowed values, and whether a run may change it while it " +
			"continues."}, fixed(settings))
	reply(r, route{at: "GET /presets", id: "presets", summary: "List the presets",
		text: "Returns each ready-made experiment with its world and its settings."}, fixed(presets))
	reply(r, route{at: "GET /worlds", id: "worlds", summary: "List the worlds",
		text: "Returns each world with its observations, its actions, its options, and the returns of a random and of a " +
			"good policy."}, fixed(worlds))
}

// registrar adds operations to the description and to the mux.
type registrar struct {
	on huma.API
	a  *api
}

// add registers an operation. A handler may return any error: said makes the answer of it.
func add[I, O any](r *registrar, of route, handle func(context.Context, *I) (*O, error)) {
	method, path, _ := strings.Cut(of.at, " ")
	op := huma.Operation{
		Method: method, Path: path, OperationID: of.id, Summary: of.summary, Description: of.text, Errors: of.also,
		SkipValidateBody: true, // decode and the table of settings say more
		MaxBodyBytes:     -1,   // admit has limited them
		BodyReadTimeout:  -1,   // and read them
	}
	if strings.Contains(path, "{") {
		op.Errors = append(op.Errors, http.StatusNotFound)
	}
	if !slices.Contains(op.Errors, http.StatusTooManyRequests) {
		op.Errors = append(op.Errors, http.StatusTooManyRequests)
	}
	if strings.HasPrefix(path, "/rooms/{code}") && of.keyed {
		op.Errors = append(op.Errors, http.StatusForbidden)
	}
	if method != http.MethodGet {
		op.Errors = append(op.Errors, http.StatusServiceUnavailable)
	}
	if stop := strings.HasSuffix(path, "/stop"); method == http.MethodPatch || method == http.MethodPost && !stop {
		op.Errors = append(op.Errors, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity)
	}
	if method == http.MethodPost && !strings.HasSuffix(path, "/stop") {
		op.DefaultStatus = http.StatusCreated
	}
	if of.keyed {
		op.Security = []map[string][]string{{"key": {}}}
	}
	if of.kind != "" {
		op.Responses = map[string]*huma.Response{"200": {
			Description: http.StatusText(http.StatusOK),
			Content:     map[string]*huma.MediaType{of.kind: {Schema: &huma.Schema{Type: huma.TypeString}}},
		}}
	}
	huma.Register(r.on, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		return out, r.a.said(err)
	})
}

// body is an answer that has only a body.
type body[T any] struct{ Body T }

// reply registers an operation whose answer is a value as JSON.
func reply[I, T any](r *registrar, of route, handle func(context.Context, *I) (T, error)) {
	add(r, of, func(ctx context.Context, in *I) (*body[T], error) {
		v, err := handle(ctx, in)
		return &body[T]{v}, err
	})
}

// fixed returns a handler whose answer does not change while the server runs.
func fixed[T any](v T) func(context.Context, *struct{}) (T, error) {
	return func(context.Context, *struct{}) (T, error) { return v, nil }
}
