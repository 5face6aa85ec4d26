package api

// operations has the texts of every operation by its id: a summary, and what the operation needs, returns and refuses.
// 422, 429 and 503 carry a sentence with the next step.
var operations = map[string][2]string{
	"start": {"Start a run", "Needs a preset or settings, and steps: a run has an end. Returns the run's id, and the " +
		"key that steers it, which no other answer has. Refuses unknown settings and values out of range with 422, " +
		"too many starts from one address with 429, and a full server with 503."},
	"list": {"List the runs of a key", "Needs the key of the runs. Returns up to limit runs as last stored, newest " +
		"first, and next, the cursor of the following page. Refuses a missing key with 401 and a wrong cursor with " +
		"422."},
	"read": {"Read a run", "Needs the run's id, no key. Returns its state, steps, returns, settings, actors and the " +
		"SHA-256 of its parameters. Refuses an unknown id with 404."},
	"patch": {"Change settings of a run while it continues", "Needs the run's key. Changes all settings or none. " +
		"Returns the settings in force and the first update that uses them, after both are stored. Refuses a wrong " +
		"key with 404, a finished run with 409 and a value out of range, or a setting that is fixed at the start, " +
		"with 422."},
	"delete": {"Delete a run", "Needs the run's key. Deletes its tape, curves and snapshots; its forks stay. Returns " +
		"nothing. Refuses an unknown id or a wrong key with 404."},
	"stop": {"Stop a run", "Needs the run's key. Ends the run after its current update and stores it. Returns the " +
		"run. Refuses a wrong key with 404 and a finished run with 409."},
	"fork": {"Fork a run", "Needs the id of a reference run, an update and the settings to change; no key. Returns the " +
		"id and the key of a new run that equals the run up to the update. Refuses live runs, later updates and " +
		"values out of range with 422, and a damaged tape with 409."},
	"unroll": {"Read one trajectory of a batch", "Needs the id of a run that holds a learner, no key. Returns " +
		"observations, actions, rewards, ratios and targets as the learner sees them. The run does not change. " +
		"Refuses an unknown id with 404, a run without a learner with 409 and more than the rate with 429."},
	"moments": {"Recompute what pages show of some updates", "Needs the id of a reference run, no key, and at most " +
		"64 updates. The server retrains them from the nearest snapshot. Returns one binary frame of the pages' " +
		"protocol, as web/wire describes it. Refuses updates that the run has not reached with 422, and more than " +
		"the rate with 429."},
	"tape": {"Download the tape of a run", "Needs the run's id, no key. Returns JSON lines: the settings at the start, " +
		"each change, and a hash of the parameters every 100 updates. docs/tape.md describes them. Refuses an " +
		"unknown id with 404."},
	"curves": {"Download the curves of a run as CSV", "Needs the run's id, no key. Returns a row for each step, with " +
		"an empty cell where a series has no value. Refuses an unknown id with 404 and more than the rate with 429."},
	"events": {"Stream what a run reports", "Needs the run's id, no key. Returns an event stream of state, changed, " +
		"point and value_error, each a JSON object, from the start or after Last-Event-ID. The stream ends with the " +
		"state done or diverged; then the answer is 204. Refuses an unknown id with 404."},

	"startSweep": {"Start a sweep", "Needs settings, up to two axes with values, and seeds. Returns the sweep's id and " +
		"key. The sweep trains each seed in each cell, and counts as one job. Refuses values out of range with 422, " +
		"too many sweeps from one address with 429 and a full server with 503."},
	"readSweep": {"Read a sweep", "Needs the sweep's id, no key. Returns its state, its cells with their runs, and " +
		"the interquartile mean and interval of each cell over its seeds. Refuses an unknown id with 404."},
	"deleteSweep": {"Delete a sweep with its runs", "Needs the sweep's key. Returns nothing. Refuses an unknown id or " +
		"a wrong key with 404."},
	"stopSweep": {"Stop a sweep", "Needs the sweep's key. Ends its runs and starts no more. Returns the sweep. Refuses " +
		"a wrong key with 404 and a finished sweep with 409."},
	"sweepCurves": {"Read the curves of a cell", "Needs the sweep's id and the number of a cell, no key. Returns the " +
		"returns of the cell's runs over their steps, and their mean with its interval. Refuses an unknown sweep or " +
		"cell with 404 and more than the rate with 429."},
	"sweepCSV": {"Download the runs of a sweep as CSV", "Needs the sweep's id, no key. Returns a row for each run. " +
		"Refuses an unknown id with 404 and more than the rate with 429."},
	"sweepEvents": {"Stream the progress of a sweep", "Needs the sweep's id, no key. Returns an event stream " +
		"of progress, " +
		"a JSON object at each change. The stream ends with the state done or stopped; then the answer is 204. " +
		"Refuses an unknown id with 404."},

	"tracks": {"List the tracks of the board", "Needs no key. Returns each track with its start, its seeds and the " +
		"settings that an entry may change."},
	"handIn": {"Submit a configuration to the board", "Needs a track and the settings that differ from its start; a key " +
		"of your own is optional. Returns the entry with 201, or with 200 where the board has it already. The server " +
		"trains it on the public seeds, then on the secret seeds of the season. Refuses an unknown track with 404 " +
		"and settings that the track fixes with 422."},
	"entries": {"List the entries of a track", "Needs a track, no key. Returns the rows of a season, ranked rows " +
		"first. Refuses an unknown track or season with 404."},
	"entry": {"Read an entry of the board", "Needs a track and the id of an entry, no key. Returns the row, with its " +
		"rank once it has one. Refuses an unknown track or entry with 404."},
	"boardEvents": {"Stream changes of a track's rows", "Needs a track, no key. Returns an event stream of rows, an " +
		"empty object whenever the rows have changed. Refuses an unknown track with 404."},

	"plans": {"List the plans of a class", "Needs no key. Returns each plan with its steps, its tasks and its " +
		"minutes."},
	"makeRoom": {"Open a room for a class", "Needs a title and a plan, and the server's --admin-token where it has " +
		"one. Returns the room's code for students and the teacher's key, which no other answer has. Refuses an " +
		"unknown plan with 422, a wrong token with 403 and more than the rate with 429."},
	"door": {"Look at a room from outside", "Needs the room's code, no key. Returns its title, how many are in it " +
		"and whether it is closed. Refuses an unknown code with 404 and many wrong codes with 429."},
	"joinRoom": {"Join a room as a student", "Needs the room's code and a nickname. Returns the student's number and " +
		"secret, which is the key of all the student's requests. Refuses a nickname that is taken or not allowed with " +
		"422 and a closed or full room with 409."},
	"viewRoom": {"Read a room", "Needs the teacher's key or a student's secret. Returns the view of the caller: teacher " +
		"or student. Refuses an unknown code with 404 and a wrong key with 403."},
	"roomEvents": {"Stream the view of a room", "Needs the teacher's key or a student's secret. Returns an event stream " +
		"of the caller's whole view, at each change. Refuses an unknown code with 404 and a wrong key with 403."},
	"changeRoom": {"Change a room", "Needs the teacher's key. Changes the title, plan, step, freeze and other fields " +
		"that the body names. Returns the teacher's view. Refuses a student's secret with 403 and wrong values with " +
		"422."},
	"deleteRoom": {"Delete a room", "Needs the teacher's key. Deletes its members and answers. Returns nothing. Refuses " +
		"a student's secret with 403 and an unknown code with 404."},
	"seat": {"Rename or remove a student", "Needs the teacher's key. Returns the teacher's view. Refuses a student's " +
		"secret with 403, an unknown member with 404 and a nickname that is not allowed with 422."},
	"move": {"Tell the room where a student is", "Needs the student's secret. Stores the step that the student looks " +
		"at, or the run. Returns the student's view. Refuses a wrong secret with 403 and a wrong step with 422."},
	"sendAnswer": {"Send a guess, a try or an answer", "Needs the student's secret, the task and the fields that its " +
		"kind asks for. Returns the number of the answer, which the room judges in turn. Refuses an answer that is " +
		"incomplete or too large with 422, and a task that is closed or has no tries left with 409."},
	"unrolls": {"Draw the unrolls of a program task", "Needs the student's secret and a task of the kind program. " +
		"Returns unrolls, new unrolls after each submission, and their draw, which the answer repeats. Refuses " +
		"another kind of task with 422."},
	"readAnswer": {"Read an answer", "Needs the student's secret or the teacher's key. Returns the answer, its credit " +
		"and its receipt once it is judged. Refuses answers of other students with 403 and an unknown number with " +
		"404."},
	"report": {"Read the report of a student", "Needs the student's own secret or the teacher's key. Returns " +
		"all answers " +
		"of the student, oldest first, with their credit. Refuses other students with 403."},
	"verify": {"Check a receipt", "Needs the teacher's key and the receipt of an answer. Returns the student, the task " +
		"and the credit that the receipt proves. Refuses a forged receipt with 404."},
	"credits": {"Download the credits of a room as CSV", "Needs the teacher's key. Returns a row for each student, with " +
		"the headings of the form. Refuses a student's secret with 403."},
	"roomFile": {"Download a room", "Needs the teacher's key. Returns the room with its members, answers and credits as " +
		"one JSON file. Refuses a student's secret with 403."},
	"script": {"Read the script of the lesson", "Needs the teacher's key. Returns what the teacher does and says at " +
		"each step of the plan. Refuses a student's secret with 403."},

	"shorten": {"Make a short link", "Needs a link of this server's pages, no key. Returns a short link that leads to " +
		"it. Refuses a link that leads elsewhere with 422 and more than the rate with 429."},
	"settings": {"List the settings", "Needs no key. Returns each setting with its group, its allowed values, and " +
		"whether a run may change it while it continues."},
	"presets": {"List the presets", "Needs no key. Returns each ready-made experiment with its world and its " +
		"settings."},
	"worlds": {"List the worlds", "Needs no key. Returns each world with its observations, its actions, its options, " +
		"and the returns of a random and of a good policy."},
}
