// The teacher's homework: a row for each student, a column for each exercise, and what a student has sent beside it.
// @ts-check
"use strict";
Class.homework = (code, key, { send, results, leave }) => {
	const { base, el, call, chart, short, when } = Class;
	const each = 1000; // milliseconds between two readings
	let table = null,
		text = "",
		work = null,
		at = { row: -1, column: 0 },
		open = false,
		waits = 0;

	// States of a cell: the drawing of 14 by 14, and words.
	const states = {
		right: ['<circle class="full" cx="7" cy="7" r="5.500"/>', "right"],
		late: ['<circle class="full" cx="7" cy="7" r="5.500"/><path class="hand" d="M7 1.500V7h4"/>', "right, but late"],
		part: ['<circle class="ring" cx="7" cy="7" r="5"/><path class="half" d="M7 2a5 5 0 0 0 0 10z"/>', "in part"],
		wrong: ['<circle class="ring" cx="7" cy="7" r="5"/>', "handed in, not right"],
		judged: ['<circle class="ring waits" cx="7" cy="7" r="5"/>', "being judged"],
		tried: ['<circle class="ring faint" cx="7" cy="7" r="3"/>', "tried, not handed in"],
		nothing: ['<circle class="point" cx="7" cy="7" r="1.600"/>', "nothing yet"],
	};
	const drawn = (state) => {
		const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
		svg.setAttribute("viewBox", "0 0 14 14");
		svg.setAttribute("aria-hidden", "true");
		svg.innerHTML = states[state][0];
		return svg;
	};
	const state = (c) =>
		c.credit === 1
			? c.late
				? "late"
				: "right"
			: c.open
				? "judged"
				: c.credit !== null
					? c.credit > 0
						? "part"
						: "wrong"
					: c.tried
						? "tried"
						: "nothing";
	const times = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;
	const words = (c) =>
		[
			states[state(c)][1],
			c.handed_in && times(c.handed_in, "hand-in"),
			c.tried && `${c.tried} ${c.tried === 1 ? "try" : "tries"}`,
		]
			.filter(Boolean)
			.join(", ");

	const counts = el("p", { class: "quiet" }),
		grid = el("div", { class: "grid" }),
		listed = el("div", { class: "listed" }), // in place of the grid on a phone, and below it on paper
		cast = el("div", { class: "cast" }), // in place of everything on a projector, which shows no names
		beside = el("section", { class: "side-work", "aria-label": "Exercise" }),
		summary = el("p", { class: "summary" });
	const field = el("input", {
		name: "receipt",
		required: true,
		autocomplete: "off",
		spellcheck: "false",
		maxlength: "2000",
		size: "20",
	});
	const found = el("p", { role: "status", class: "found" });
	const receipt = el(
		"form",
		{
			class: "receipt",
			onsubmit: async (event) => {
				event.preventDefault();
				try {
					const path = `/rooms/${code}/receipts/${encodeURIComponent(field.value.trim())}`,
						is = await (await call("GET", path, undefined, key)).json();
					found.textContent =
						`It is ours: ${is.nickname || "a removed student"}, ${is.title}, ${short(is.credit)} of 1, ` +
						`handed in ${when(is.sent)}.`;
				} catch (error) {
					found.textContent = error.message;
				}
			},
		},
		el("label", {}, "A receipt ", field),
		el("button", {}, "Check it"),
	);
	const top = el(
		"div",
		{ class: "top" },
		el("h1", {}, "Homework"),
		counts,
		el("button", { type: "button", onclick: results }, "Results"),
		el("button", { type: "button", onclick: leave }, "The lesson"),
	);
	const place = el(
		"section",
		{ class: "homework", "aria-label": "Homework", hidden: true },
		top,
		el(
			"ul",
			{ class: "key small", "aria-label": "Marks" },
			Object.keys(states).map((name) => el("li", {}, drawn(name), states[name][1])),
			el("li", {}, "2, 3: hand-ins"),
		),
		grid,
		listed,
		beside,
		el("div", { class: "sums" }, summary, receipt, found),
		cast,
	);

	const past = (time) => Date.parse(time) < Date.now();

	// The due date of the chosen exercise. The form stays while the table is drawn again, with the date that is typed.
	const date = el("input", { type: "datetime-local", name: "due" }),
		whose = el(
			"select",
			{ "aria-label": "For which exercises" },
			el("option", { value: "one" }, "for this exercise"),
			el("option", { value: "rest" }, "for all without a date"),
		),
		fault = el("p", { class: "fault", role: "alert" });
	const due = el(
		"form",
		{
			class: "due",
			novalidate: true,
			onsubmit: async (event) => {
				event.preventDefault();
				const bad = date.validity.badInput || (date.value && Number.isNaN(Date.parse(date.value)));
				fault.textContent = bad
					? "This is not a date with its time: fill in day, month, year, hour and minute."
					: date.value && past(date.value)
						? "This date is past: all students would be late. Choose a later one."
						: "";
				if (fault.textContent) return;
				const chosen = whose.value === "rest" ? table.exercises.filter((e) => !e.due) : [table.exercises[at.column]],
					time = date.value ? new Date(date.value).toISOString() : "";
				try {
					await call("PATCH", `/rooms/${code}`, { due: Object.fromEntries(chosen.map((e) => [e.name, time])) }, key);
					date.dataset.of = "";
					load();
				} catch (error) {
					fault.textContent = error.message;
				}
			},
		},
		el("label", {}, "Due ", date),
		whose,
		el("button", {}, "Set"),
		fault,
	);
	const local = (time) => {
		const t = new Date(time);
		return new Date(t.getTime() - 60000 * t.getTimezoneOffset()).toISOString().slice(0, 16);
	};
	const seeDue = (e) => {
		const of = `${e.name} ${e.due}`;
		if (date.dataset.of === of) return;
		date.dataset.of = of;
		date.value = e.due ? local(e.due) : "";
		whose.value = "one";
		fault.textContent = "";
	};
	// dues heads the columns that have one due date.
	const dues = () => {
		const groups = [];
		for (const e of table.exercises) {
			if (groups.length && groups.at(-1).due === e.due) groups.at(-1).n++;
			else groups.push({ due: e.due, n: 1 });
		}
		const day = (time) => new Date(time).toLocaleDateString(undefined, { day: "numeric", month: "short" });
		const words = (g) =>
			g.due ? (g.n > 1 ? `due ${day(g.due)}${past(g.due) ? ", past" : ""}` : day(g.due)) : g.n > 1 ? "no date" : "";
		return groups.some((g) => g.due)
			? el(
					"tr",
					{ class: "dues" },
					el("td", {}),
					groups.map((g) => el("td", { colspan: g.n, title: g.due ? when(g.due) : null }, el("span", {}, words(g)))),
					el("td", {}),
				)
			: null;
	};

	// said writes the parts of an answer that are not settings.
	const said = (a, task) => {
		const lines = [];
		if (a.said.choice !== undefined) lines.push(task.choose[a.said.choice]);
		if (a.said.second !== undefined) lines.push(task.second[a.said.second]);
		if (a.said.number !== undefined) lines.push(`${a.said.number} ${task.unit}`.trim());
		if (a.said.numbers) lines.push(a.said.numbers.map((x, i) => `${task.names[i]} ${x}`).join(", "));
		if (task.kind === "program") lines.push("The text of the program is in the student's browser.");
		return lines;
	};
	const changed = (a) =>
		a.changed.length
			? el(
					"ul",
					{ class: "turned" },
					a.changed.map((c) =>
						el("li", {}, el("span", { class: "quiet" }, c.title), ` ${c.from ? `${c.from} → ` : ""}`, el("b", {}, c.to)),
					),
				)
			: null;
	const mark = (credit) => (credit === null ? null : credit === 1 ? "full" : credit > 0 ? "part" : "none");
	const verdict = (a) =>
		el(
			"p",
			{ class: "verdict", "data-credit": mark(a.credit) },
			a.credit === null ? null : el("b", {}, a.credit === 1 ? "Right. " : `${short(a.credit)} of 1. `),
			a.say,
		);
	const named = (sent, i) => {
		const a = sent[i],
			of = sent.filter((b) => b.kind === a.kind),
			nth = of.length - of.indexOf(a);
		return a.kind === "hand-in" ? `hand-in ${nth}` : `try ${nth}`;
	};

	// best returns the answer that counts: the newest of the best hand-ins, else the newest of all.
	const best = (sent) =>
		sent.reduce((a, b) => (b.credit !== null && (a.credit === null || b.credit > a.credit) ? b : a), sent[0]);

	const student = () => {
		const row = table.students[at.row];
		const go = (by) => {
			const other = table.students[at.row + by];
			return el(
				"button",
				{ type: "button", disabled: !other, onclick: () => choose(at.row + by, at.column) },
				by < 0 ? `‹ ${other?.nickname ?? ""}` : `${other?.nickname ?? ""} ›`,
			);
		};
		const here = work && work.number === row.number && work.task.name === table.exercises[at.column].name ? work : null,
			shown = here && here.sent.length ? best(here.sent) : null;
		const asked = shown && shown.asked_at >= 0 ? { at: shown.asked_at, words: `asked: ${short(shown.asked)}` } : null;
		const link =
			here?.task.start &&
			`${base}lab#v=1&${here.task.start}` +
				(shown?.changed || []).map((c) => `&${c.key}=${encodeURIComponent(c.to)}`).join("");
		return [
			el(
				"div",
				{ class: "who" },
				el("b", {}, row.nickname),
				shown ? el("span", { class: "quiet" }, named(here.sent, here.sent.indexOf(shown))) : null,
				shown ? el("span", { class: "small" }, when(shown.sent) + (shown.late ? ", late" : "")) : null,
			),
			...(!here
				? [el("p", { class: "quiet" }, "…")]
				: !shown
					? [el("p", { class: "quiet" }, "Nothing has been sent yet.")]
					: [
							changed(shown),
							...said(shown, here.task).map((line) => el("p", {}, line)),
							shown.run ? chart(shown.run, false, asked) : null,
							verdict(shown),
							here.sent.length > 1
								? el(
										"ol",
										{ class: "tries small", "aria-label": "The other answers" },
										here.sent
											.filter((a) => a !== shown)
											.map((a) =>
												el(
													"li",
													{},
													el("b", {}, named(here.sent, here.sent.indexOf(a))),
													` ${a.changed.map((c) => `${c.title} ${c.to}`).join(", ") || said(a, here.task).join(", ")} `,
													el("span", {}, a.say),
												),
											),
									)
								: null,
						]
			).filter(Boolean),
			el(
				"p",
				{ class: "acts" },
				go(-1),
				link ? el("a", { class: "button", href: link, target: "_blank" }, "Open in the Lab") : null,
				go(1),
			),
		];
	};
	const side = () => {
		const e = table.exercises[at.column];
		if (!e) return;
		seeDue(e);
		const unfolded = !!beside.querySelector("details[open]");
		const typing = due.contains(document.activeElement) && /** @type {HTMLElement} */ (document.activeElement);
		beside.replaceChildren(
			el("h2", {}, `${at.column + 1} · ${e.title}`),
			el("p", { class: "task" }, e.ask),
			due,
			el(
				"details",
				{ open: unfolded },
				el("summary", {}, e.note ? "A solution, and a note for you" : "A solution"),
				el("p", {}, e.answer),
				e.note ? el("p", {}, e.note) : null,
			),
			...(at.row >= 0
				? student()
				: [el("p", { class: "quiet" }, "Choose a cell, and here is what the student has sent.")]),
		);
		if (typing) typing.focus();
		const missing = table.students.filter((s) => s.cells[at.column].credit !== 1).map((s) => s.nickname);
		summary.replaceChildren(
			el("b", {}, `${e.solved} of ${table.students.length} have exercise ${at.column + 1} right`),
			missing.length ? ` · not yet: ${missing.join(", ")}` : "",
		);
		summary.title = missing.join(", ");
		const sent = table.students.filter((s) => s.cells[at.column].handed_in).length;
		cast.replaceChildren(
			el("h1", {}, e.title),
			el("p", { class: "task" }, e.ask),
			el(
				"p",
				{},
				el("b", {}, String(sent)),
				` of ${table.students.length} handed in`,
				e.due ? ` · ${past(e.due) ? "was due" : "due"} ` : "",
				e.due ? el("b", {}, when(e.due)) : null,
			),
		);
	};

	// choose shows a cell, and gives it the focus of the table.
	const choose = (row, column) => {
		at = { row, column };
		for (const cell of grid.querySelectorAll("[data-at], [data-in]")) {
			cell.removeAttribute("data-at");
			cell.removeAttribute("data-in");
		}
		const rows = grid.querySelectorAll("tbody tr");
		rows[row]?.setAttribute("data-in", "");
		for (const tr of grid.querySelectorAll("tr:not(.dues)")) tr.children[column + 1]?.setAttribute("data-in", "");
		const cell = rows[row]?.children[column + 1];
		cell?.setAttribute("data-at", "");
		for (const b of grid.querySelectorAll("tbody button")) b.tabIndex = -1;
		const button = /** @type {HTMLElement | null} */ (
			cell?.firstElementChild || grid.querySelector("tbody button")
		);
		if (button) button.tabIndex = 0;
		side();
		if (row >= 0) read();
		return button;
	};
	const read = async () => {
		const row = table.students[at.row],
			name = table.exercises[at.column].name;
		const answer = await send("GET", `/members/${row.number}/work/${encodeURIComponent(name)}`);
		if (!answer) return;
		const next = await answer.json();
		if (table.students[at.row]?.number !== next.number || table.exercises[at.column]?.name !== next.task.name) return;
		work = next;
		side();
	};
	place.addEventListener("keydown", (event) => {
		const to = /** @type {HTMLElement} */ (event.target);
		if (to.closest("form") || event.altKey || event.ctrlKey || event.metaKey || !table) return;
		const inside = !!to.closest(".grid tbody");
		const by = { n: [1, 0], p: [-1, 0] }[event.key] ||
			(inside && { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key]);
		if (by) {
			const row = Math.min(table.students.length - 1, Math.max(0, at.row + by[0])),
				column = Math.min(table.exercises.length - 1, Math.max(0, at.column + by[1]));
			choose(row, column)?.focus();
		} else if (event.key === "Enter" && inside && at.row >= 0) {
			beside.tabIndex = -1;
			beside.focus();
		} else if (event.key === "Escape" && beside.contains(to)) choose(at.row, at.column)?.focus();
		else return;
		event.preventDefault();
	});

	// list draws the exercises one below the other, each with its students.
	const list = () => {
		const opened = listed.querySelector("details[open]")?.dataset.column;
		listed.replaceChildren(
			...table.exercises.map((e, j) =>
				el(
					"details",
					{ name: "exercise", "data-column": String(j), open: opened === String(j) },
					el(
						"summary",
						{ onclick: () => choose(-1, j) },
						el("span", {}, `${j + 1} · ${e.title}`),
						el("span", { class: "quiet" }, `${e.solved} of ${table.students.length}`),
					),
					el(
						"ul",
						{},
						table.students.map((s, i) =>
							el(
								"li",
								{},
								el(
									"button",
									{
										type: "button",
										onclick: () => {
											choose(i, j);
											beside.querySelector(".who").scrollIntoView({ block: "start" });
										},
									},
									drawn(state(s.cells[j])),
									el("b", {}, s.nickname),
									el("span", { class: "quiet" }, words(s.cells[j])),
								),
							),
						),
					),
				),
			),
		);
	};

	const draw = () => {
		const focused = grid.contains(document.activeElement),
			none = !table.students.length;
		const next = table.exercises
			.map((e) => e.due)
			.filter((time) => time && !past(time))
			.sort()[0];
		counts.textContent =
			`${times(table.students.length, "student")} · ${times(table.exercises.length, "exercise")}` +
			(next ? ` · next due ${when(next)}` : "");
		grid.replaceChildren(
			el(
				"table",
				{},
				el(
					"thead",
					{},
					dues(),
					el(
						"tr",
						{ class: "heads" },
						el("th", { scope: "col" }, el("span", { class: "visually-hidden" }, "Student")),
						table.exercises.map((e, i) =>
							el(
								"th",
								{ scope: "col", title: e.title },
								el(
									"button",
									{ type: "button", "aria-label": `${i + 1}: ${e.title}`, onclick: () => choose(-1, i) },
									String(i + 1),
								),
							),
						),
						el("th", { scope: "col" }, "right"),
					),
				),
				el(
					"tbody",
					{},
					table.students.map((s, i) =>
						el(
							"tr",
							{},
							el("th", { scope: "row", title: s.nickname }, s.nickname),
							s.cells.map((c, j) =>
								el(
									"td",
									{},
									el(
										"button",
										{
											type: "button",
											title: words(c),
											"aria-label": `${s.nickname}, ${table.exercises[j].title}: ${words(c)}`,
											onclick: () => choose(i, j),
										},
										drawn(state(c)),
										c.handed_in > 1 ? String(c.handed_in) : null,
									),
								),
							),
							el("td", { class: "sum" }, String(s.solved)),
						),
					),
				),
			),
			none ? el("p", { class: "quiet" }, `Nobody is here yet: students join with the code ${code}.`) : "",
		);
		list();
		const button = choose(Math.min(at.row, table.students.length - 1), Math.min(at.column, table.exercises.length - 1));
		if (focused) button?.focus({ preventScroll: true });
	};
	const load = async () => {
		waits = 0;
		if (!open) return;
		const answer = await send("GET", "/homework");
		if (!answer) return;
		const next = await answer.text();
		if (next === text || !open) return;
		const chosen = table?.students[at.row]?.number;
		text = next;
		table = JSON.parse(next);
		if (chosen) at.row = table.students.findIndex((s) => s.number === chosen);
		draw();
	};

	return {
		place,
		// see reads the table again: the room has changed.
		see: () => {
			if (open && !waits) waits = setTimeout(load, each);
		},
		show: (on) => {
			open = on;
			place.hidden = !on;
			if (on) load();
		},
	};
};
