package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// register puts every route in the description and on the mux.
func (a *api) register(on huma.API) {
	key := []map[string][]string{{"key": {}}}
	op := func(method, path, id, summary string, status int, errors ...int) huma.Operation {
		return huma.Operation{
			Method: method, Path: path, OperationID: id, Summary: summary, DefaultStatus: status, Errors: errors,
			SkipValidateBody: true, // decode and the table of settings say more
			MaxBodyBytes:     -1,   // admit has counted them
			BodyReadTimeout:  -1,   // and read them
		}
	}
	keyed := func(o huma.Operation) huma.Operation { o.Security = key; return o }

	huma.Register(on, op("POST", "/runs", "start", "Begin a run", 201, 413, 422, 429, 503), a.start)
	huma.Register(on, keyed(op("GET", "/runs", "list", "The runs of whoever has this key, newest first", 200,
		401, 422)), a.list)
	huma.Register(on, op("GET", "/runs/{id}", "read", "How a run stands", 200, 404), a.read)
	huma.Register(on, keyed(op("PATCH", "/runs/{id}", "patch", "Change settings while it goes on, all or none", 200,
		404, 409, 413, 422, 503)), a.patch)
	huma.Register(on, keyed(op("DELETE", "/runs/{id}", "delete", "Forget a run; its forks stay", 204, 404)), a.delete)
	huma.Register(on, keyed(op("POST", "/runs/{id}/stop", "stop", "End a run where it stands", 200, 404, 409,
		503)), a.stop)
	huma.Register(on, op("POST", "/runs/{id}/fork", "fork", "Begin a run that is this one up to an update, then goes on "+
		"with other settings", 201, 404, 409, 413, 422, 429, 503), a.fork)
	huma.Register(on, op("GET", "/runs/{id}/unroll", "unroll", "One trajectory of the newest batch, as the "+
		"learner sees it with its parameters of now; the run does not notice", 200, 404, 409, 422, 429, 503), a.unroll)
	huma.Register(on, in(op("GET", "/runs/{id}/moments", "moments", "What pages are shown of some updates, learned again "+
		"from the nearest snapshot: one frame of their protocol, as web/wire describes it", 200, 404, 409, 422, 429, 503),
		frameType), a.moments)
	huma.Register(on, in(op("GET", "/runs/{id}/tape", "tape", "What was set and done, as docs/tape.md has it", 200, 404,
		429),
		tapeType), a.tape)
	huma.Register(on, in(op("GET", "/runs/{id}/curves.csv", "curves",
		"Every series, a row a step; a cell is empty where a "+
			"series has no value", 200, 404, 429), csvType), a.curves)
	huma.Register(on, in(op("GET", "/runs/{id}/events", "events", "What the run tells, from its beginning or from after "+
		"Last-Event-ID: state, changed, point and value_error, each a JSON object. The stream ends with the state done or "+
		"diverged, and with 204 where there is nothing to come.", 200, 404), eventType), a.events)

	huma.Register(on, op("POST", "/sweeps", "startSweep", "Begin a sweep: a run for each seed in each cell, as one job",
		201, 413, 422, 429, 503), a.startSweep)
	huma.Register(on, op("GET", "/sweeps/{id}", "readSweep", "How a sweep stands: its cells, their runs, and what these "+
		"say together, over seeds", 200, 404), a.readSweep)
	huma.Register(on, keyed(op("DELETE", "/sweeps/{id}", "deleteSweep", "Forget a sweep with its runs", 204, 404)),
		a.deleteSweep)
	huma.Register(on, keyed(op("POST", "/sweeps/{id}/stop", "stopSweep", "End a sweep where it stands", 200, 404,
		409, 503)), a.stopSweep)
	huma.Register(on, op("GET", "/sweeps/{id}/cells/{cell}", "sweepCurves", "The returns of a cell's runs over their "+
		"steps, and what the seeds say together", 200, 404, 429), a.sweepCurves)
	huma.Register(on, in(op("GET", "/sweeps/{id}/runs.csv", "sweepCSV", "A row for each run of the sweep", 200, 404, 429),
		csvType), a.sweepCSV)
	huma.Register(on, in(op("GET", "/sweeps/{id}/events", "sweepEvents", "How far the sweep has come: progress, a JSON "+
		"object, whenever there is something new. The stream ends with the state done or stopped, and with 204 from there "+
		"on.", 200, 404), eventType), a.sweepEvents)

	a.registerRooms(on, op, keyed)
	a.registerBoard(on, op, keyed)
	huma.Register(on, op("POST", "/links", "shorten", "Keep a link under a short one, which leads to it for ever", 201,
		413, 422, 429, 503), a.shorten)

	tables := AllTables()
	huma.Register(on, op("GET", "/settings", "settings", "The table of settings", 200), fixed(tables.Settings))
	huma.Register(on, op("GET", "/presets", "presets", "Ready-made experiments", 200), fixed(tables.Presets))
	huma.Register(on, op("GET", "/worlds", "worlds", "Where agents live", 200), fixed(tables.Worlds))
}

// in describes an answer that is no JSON.
func in(o huma.Operation, kind string) huma.Operation {
	o.Responses = map[string]*huma.Response{"200": {
		Description: http.StatusText(http.StatusOK),
		Content:     map[string]*huma.MediaType{kind: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	return o
}

// fixed answers with what does not change while the server runs.
func fixed[T any](v T) func(context.Context, *struct{}) (*body[T], error) {
	return func(context.Context, *struct{}) (*body[T], error) { return answer(v), nil }
}
