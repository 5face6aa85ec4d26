package api

import "github.com/danielgtaylor/huma/v2"

// registerRooms puts the routes of rooms in the description and on the mux.
func (a *api) registerRooms(on huma.API,
	op func(method, path, id, summary string, status int, errors ...int) huma.Operation,
	keyed func(huma.Operation) huma.Operation) {
	huma.Register(on, op("GET", "/plans", "plans", "Plans of lessons, which a room goes through", 200), fixed(Plans()))
	huma.Register(on, keyed(op("POST", "/rooms", "makeRoom", "Make a room. Where the server was started with "+
		"--admin-token, that is the key to send", 201, 403, 413, 422, 429, 503)), a.makeRoom)
	huma.Register(on, op("GET", "/rooms/{code}", "door", "Whether there is such a room", 200, 404, 429), a.door)
	huma.Register(on, op("POST", "/rooms/{code}/members", "joinRoom", "Join by a free nickname", 201, 403, 404, 409, 413,
		422, 429, 503), a.joinRoom)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/view", "viewRoom", "What the teacher sees, by the room's key, or a "+
		"student, by their secret", 200, 403, 404, 429)), a.viewRoom)
	huma.Register(on, keyed(in(op("GET", "/rooms/{code}/events", "roomEvents", "The view as a stream: view, a JSON "+
		"object, whenever it has changed; over, an error's code and sentence, when there is none any more. Each view is "+
		"whole, so a reader that was cut off has lost nothing once it has the next.", 200, 403, 404, 429), eventType)),
		a.roomEvents)
	huma.Register(on, keyed(op("PATCH", "/rooms/{code}", "changeRoom", "Teach: all changes or none", 200, 403, 404, 409,
		413, 422, 503)), a.changeRoom)
	huma.Register(on, keyed(op("DELETE", "/rooms/{code}", "deleteRoom", "Forget a room with everybody and everything in "+
		"it", 204, 403, 404)), a.deleteRoom)
	huma.Register(on, keyed(op("PATCH", "/rooms/{code}/members/{number}", "seat", "Rename or remove somebody, or let "+
		"them in again", 204, 403, 404, 409, 413, 422)), a.seat)
	huma.Register(on, keyed(op("PATCH", "/rooms/{code}/me", "move", "Go to a step, or ask for help", 204, 403, 404, 409,
		413, 422)), a.move)
	huma.Register(on, keyed(op("POST", "/rooms/{code}/answers", "sendAnswer", "Guess, try, or hand in", 201, 403, 404,
		409, 413, 422, 503)), a.sendAnswer)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/unrolls/{task}", "unrolls", "Unrolls for a program of your own: "+
		"send what it makes of them with the name of their draw. They are others after each hand-in.", 200, 403, 404, 409,
		422)), a.unrolls)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/answers/{number}", "readAnswer", "One of your answers, or anybody's "+
		"for the teacher", 200, 403, 404)), a.readAnswer)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/members/{number}/report", "report", "What one student has answered, "+
		"for that student and for the teacher", 200, 403, 404)), a.report)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/receipts/{receipt}", "verify", "What a receipt that a student shows "+
		"stands for, for the teacher; 404 for one that was never given in this room", 200, 403, 404)), a.verify)
	huma.Register(on, keyed(in(op("GET", "/rooms/{code}/credits.csv", "credits", "A row for each student, a column for "+
		"each exercise", 200, 403, 404), csvType)), a.credits)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/room.json", "roomFile", "The room as one file: no keys and no "+
		"secrets", 200, 403, 404)), a.roomFile)
	huma.Register(on, keyed(op("GET", "/rooms/{code}/script", "script", "The room's plan with all answers, for its "+
		"teacher to print", 200, 403, 404, 409)), a.script)
}
