package api

import "github.com/danielgtaylor/huma/v2"

// registerRooms puts the routes of rooms in the description and on the mux.
func (a *api) registerRooms(on huma.API,
	op func(method, path, id string, status int, errors ...int) huma.Operation,
	keyed func(huma.Operation) huma.Operation) {
	huma.Register(on, op("GET", "/plans", "plans", 200), fixed(Plans()))
	huma.Register(on, keyed(op("POST", "/rooms", "makeRoom", 201, 403, 413, 422, 429, 503)), a.makeRoom)
	huma.Register(on, op("GET", "/rooms/{code}", "door", 200, 404, 429), a.door)
	huma.Register(on, op("POST", "/rooms/{code}/members", "joinRoom", 201, 403, 404, 409, 413,
		422, 429, 503), a.joinRoom)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/view", "viewRoom", 200, 403, 404, 429)), a.viewRoom)
	huma.Register(on, keyed(in(op("GET", "/rooms/{code}/events", "roomEvents", 200, 403, 404, 429), eventType)),
		a.roomEvents)
	huma.Register(on, keyed(op("PATCH", "/rooms/{code}", "changeRoom", 200, 403, 404, 409,
		413, 422, 503)), a.changeRoom)
	huma.Register(on, keyed(op("DELETE", "/rooms/{code}", "deleteRoom", 204, 403, 404)), a.deleteRoom)
	huma.Register(on, keyed(op("PATCH", "/rooms/{code}/members/{number}", "seat", 204, 403, 404, 409, 413, 422)), a.seat)
	huma.Register(on, keyed(op("PATCH", "/rooms/{code}/me", "move", 204, 403, 404, 409,
		413, 422)), a.move)
	huma.Register(on, keyed(op("POST", "/rooms/{code}/answers", "sendAnswer", 201, 403, 404,
		409, 413, 422, 503)), a.sendAnswer)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/unrolls/{task}", "unrolls", 200, 403, 404, 409,
		422)), a.unrolls)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/answers/{number}", "readAnswer", 200, 403, 404)), a.readAnswer)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/members/{number}/report", "report", 200, 403, 404)), a.report)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/receipts/{receipt}", "verify", 200, 403, 404)), a.verify)
	huma.Register(on, keyed(in(op("GET", "/rooms/{code}/credits.csv", "credits", 200, 403, 404), csvType)), a.credits)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/room.json", "roomFile", 200, 403, 404)), a.roomFile)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/script", "script", 200, 403, 404, 409)), a.script)
}
