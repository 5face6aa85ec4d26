package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// register puts every route in the description and on the mux.
func (a *api) register(on huma.API) {
	key := []map[string][]string{{"key": {}}}
	op := func(method, path, id string, status int, errors ...int) huma.Operation {
		return huma.Operation{
			Method: method, Path: path, OperationID: id, Summary: operations[id][0], Description: operations[id][1],
			DefaultStatus: status, Errors: errors,
			SkipValidateBody: true, // decode and the table of settings say more
			MaxBodyBytes:     -1,   // admit has counted them
			BodyReadTimeout:  -1,   // and read them
		}
	}
	keyed := func(o huma.Operation) huma.Operation { o.Security = key; return o }

	huma.Register(on, op("POST", "/runs", "start", 201, 413, 422, 429, 503), a.start)
	huma.Register(on, keyed(op("GET", "/runs", "list", 200,
		401, 422)), a.list)
	huma.Register(on, op("GET", "/runs/{id}", "read", 200, 404), a.read)
	huma.Register(on, keyed(op("PATCH", "/runs/{id}", "patch", 200,
		404, 409, 413, 422, 503)), a.patch)
	huma.Register(on, keyed(op("DELETE", "/runs/{id}", "delete", 204, 404)), a.delete)
	huma.Register(on, keyed(op("POST", "/runs/{id}/stop", "stop", 200, 404, 409,
		503)), a.stop)
	huma.Register(on, op("POST", "/runs/{id}/fork", "fork", 201, 404, 409, 413, 422, 429, 503), a.fork)
	huma.Register(on, op("GET", "/runs/{id}/unroll", "unroll", 200, 404, 409, 422, 429, 503), a.unroll)
	huma.Register(on, in(op("GET", "/runs/{id}/moments", "moments", 200, 404, 409, 422, 429, 503),
		frameType), a.moments)
	huma.Register(on, in(op("GET", "/runs/{id}/tape", "tape", 200, 404,
		429),
		tapeType), a.tape)
	huma.Register(on, in(op("GET", "/runs/{id}/curves.csv", "curves", 200, 404, 429), csvType), a.curves)
	huma.Register(on, in(op("GET", "/runs/{id}/events", "events", 200, 404), eventType), a.events)

	huma.Register(on, op("POST", "/sweeps", "startSweep", 201, 413, 422, 429, 503), a.startSweep)
	huma.Register(on, op("GET", "/sweeps/{id}", "readSweep", 200, 404), a.readSweep)
	huma.Register(on, keyed(op("DELETE", "/sweeps/{id}", "deleteSweep", 204, 404)),
		a.deleteSweep)
	huma.Register(on, keyed(op("POST", "/sweeps/{id}/stop", "stopSweep", 200, 404,
		409, 503)), a.stopSweep)
	huma.Register(on, op("GET", "/sweeps/{id}/cells/{cell}", "sweepCurves", 200, 404, 429), a.sweepCurves)
	huma.Register(on, in(op("GET", "/sweeps/{id}/runs.csv", "sweepCSV", 200, 404, 429),
		csvType), a.sweepCSV)
	huma.Register(on, in(op("GET", "/sweeps/{id}/events", "sweepEvents", 200, 404), eventType), a.sweepEvents)

	a.registerRooms(on, op, keyed)
	a.registerBoard(on, op, keyed)
	huma.Register(on, op("POST", "/links", "shorten", 201,
		413, 422, 429, 503), a.shorten)

	tables := AllTables()
	huma.Register(on, op("GET", "/settings", "settings", 200), fixed(tables.Settings))
	huma.Register(on, op("GET", "/presets", "presets", 200), fixed(tables.Presets))
	huma.Register(on, op("GET", "/worlds", "worlds", 200), fixed(tables.Worlds))
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
