// The student's view: the task, its fields, and the verdicts on the student's answers.
// @ts-check
"use strict";
Class.student = (code, mine) => {
	const { el, call, say, tell, chart, histogram, sentenceWall, missing, fields, read, fleet, alone } = Class;
	const main = document.getElementById("student"),
		where = document.querySelector("[data-part=where]");
	let now = null,
		behind = 0,
		shape = "",
		homework = "",
		leave = () => {};
	const send = Class.sender(code, mine.secret);

	const head = el("p", { class: "quiet", id: "step" }),
		title = el("h1", {}),
		text = el("div", { class: "prose" }),
		form = el("form", { class: "task", novalidate: true });
	const lacks = el("p", { class: "lacks", role: "alert" }),
		sentences = el("div", {});
	const stage = Class.stage(),
		said = el("p", { class: "came", role: "status", hidden: true });
	const run = el("div", {}),
		guesses = el("div", {}),
		spotlight = el("div", {}),
		answers = el("ol", { class: "answers", "aria-label": "What you have sent" });
	const frozen = el(
		"p",
		{ class: "frozen", role: "status", hidden: true },
		"Your teacher has stopped the room for a moment: look up.",
	);
	const help = el(
		"button",
		{ type: "button", onclick: () => send("PATCH", "/me", { help: !now.help }) },
		"I need help",
	);
	const steps = el("nav", { class: "steps", "aria-label": "Steps" }),
		home = el("nav", { class: "steps", "aria-label": "Homework" });
	const watch = el(
		"button",
		{ type: "button", "aria-expanded": "false", onclick: () => (frame ? shut() : look()) },
		"Open the Lab",
	);
	const own = el("section", { class: "own", "aria-label": "The Lab", hidden: true });
	const actor = fleet.actor(code, mine.secret);
	main.append(
		head,
		frozen,
		title,
		text,
		spotlight,
		form,
		own,
		stage.place,
		run,
		said,
		guesses,
		sentences,
		actor.place,
		el("section", { "aria-live": "polite" }, answers),
		home,
		el("footer", {}, steps, help),
	);
	main.hidden = false;

	let program = null; // of a task in which students write one
	const submit = (kind) => async () => {
		lacks.textContent = missing(form);
		if (lacks.textContent) return;
		const task = now.task.name;
		let answer;
		try {
			if (program) lacks.textContent = "Your program runs …";
			answer = program ? await program.answer(kind) : read(form, now.task);
			lacks.textContent = "";
		} catch (error) {
			(program
				? (words) => {
						lacks.textContent = words;
					}
				: say)(error.message);
			return;
		}
		if (await send("POST", "/answers", { kind, task, ...answer }))
			tell(kind === "guess" ? "Your guess is sent" : kind === "sentence" ? "Your sentence is sent" : "Sent");
	};

	const left = () => Math.max(0, now.task.hand_ins - now.answers.filter((a) => a.kind === "hand-in").length);

	// ask says what will be handed in and how many hand-ins are left then, and hands it in when the student agrees.
	const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));
	const ask = () => {
		lacks.textContent = missing(form);
		if (lacks.textContent) return;
		let turned = [];
		try {
			const settings = read(form, now.task).settings || {};
			turned = now.task.keys.filter((k) => k.key in settings).map((k) => `${k.title} ${settings[k.key]}`);
		} catch (error) {
			say(error.message);
			return;
		}
		const more = left() - 1;
		dialog.replaceChildren(
			el("h2", { id: "dialog-title" }, turned.length ? `Hand in: ${turned.join(", ")}?` : "Hand this in?"),
			el(
				"p",
				{},
				now.task.kind === "reach" ? "It is trained on seeds that you have not seen. " : "",
				`Then ${more} of ${now.task.hand_ins} ${more === 1 ? "is" : "are"} left; the best counts.`,
			),
			el(
				"p",
				{ class: "acts wide" },
				el(
					"button",
					{
						type: "button",
						class: "main",
						onclick: () => {
							dialog.close();
							submit("hand-in")();
						},
					},
					"Hand it in",
				),
				el("button", { type: "button", onclick: () => dialog.close() }, "Not yet"),
			),
		);
		dialog.showModal();
	};
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		form.querySelector("button.main")?.click();
	});

	// The Lab in the page shows no controls: the fields of the task change its run.
	let frame = null,
		typed = 0;
	const link = () => {
		let settings = {};
		try {
			settings = read(form, now.task).settings || {};
		} catch {
			/* not a number yet */
		}
		const changed = Object.entries(settings)
			.map(([k, v]) => `&${k}=${encodeURIComponent(v)}`)
			.join("");
		return `#v=1&${now.task.start}${changed}&embed=1&hide=${document.body.dataset.settings}&speed=20000`;
	};
	const look = () => {
		frame = el("iframe", { title: "The Lab", src: `${Class.base}lab${alone ? "/" : ""}${link()}` });
		own.replaceChildren(
			frame,
			el(
				"p",
				{ class: "small" },
				now.task.keys.length
					? "A run of your own. What you change takes hold at once; “Same” begins again from zero with it" +
							(now.task.kind === "lab" ? "." : ", as it is when you send it.")
					: "A run of your own, to watch.",
			),
		);
		own.hidden = false;
		watch.setAttribute("aria-expanded", "true");
		watch.textContent = "Close the Lab";
		frame.scrollIntoView({ block: "nearest" });
	};
	const shut = () => {
		frame = null;
		own.replaceChildren();
		own.hidden = true;
		watch.setAttribute("aria-expanded", "false");
		watch.textContent = "Open the Lab";
	};
	const turn = () => {
		if (!frame || !form.checkValidity()) return;
		const inside = frame.contentDocument;
		if (inside.documentElement.dataset.ready !== "true") {
			// it begins with them
			frame.contentWindow.location.hash = link();
			return;
		}
		for (const k of now.task.keys) {
			const value = form.elements[k.key].value.trim(),
				knob = inside.querySelector(
					`[data-key="${k.key}"] :is([data-part=choice], [data-part=number], [data-part=text])`,
				);
			if (!knob || knob.value === value) continue;
			knob.value = value;
			knob.dispatchEvent(
				knob.localName === "select" ? new Event("change") : new KeyboardEvent("keydown", { key: "Enter" }),
			);
		}
	};
	// turned frames the fields that differ from the start. The start itself can be tried, and not handed in.
	const turned = () => {
		for (const field of form.querySelectorAll("[data-start]"))
			field.toggleAttribute("data-turned", field.value.trim() !== field.dataset.start);
		const handIn = form.querySelector("[data-part=hand-in]");
		if (!handIn) return;
		const free = now.task.kind === "reach" ? "Trying is free. " : "",
			start = free && !form.querySelector("[data-turned]");
		handIn.disabled = start || now.frozen || now.closed;
		form.querySelector("[data-part=left]").textContent = start
			? `${free}Change a setting, and you can hand it in.`
			: `${free}${left()} of ${now.task.hand_ins} left to hand in; the best counts`;
	};
	form.addEventListener("input", () => {
		lacks.textContent = "";
		turned();
		clearTimeout(typed);
		typed = setTimeout(turn, 600);
	});

	// notebook explains how a program outside the page gets unrolls and sends their targets.
	const notebook = () =>
		el(
			"details",
			{ class: "notebook" },
			el("summary", {}, "Write it in a notebook instead"),
			el(
				"p",
				{ class: "small" },
				"In Go, with the package client of this project's notebooks. The server sends unrolls drawn for each " +
					"hand-in and judges the numbers; your program stays with you. The key is yours alone.",
			),
			el(
				"pre",
				{ class: "wide", tabindex: "0" },
				`lab := client.Client{URL: "${location.origin}${Class.base}"}\n` +
					`seat := lab.Seat("${code}", "${mine.secret}")\n` +
					`verdict, err := seat.Try(ctx, "${now.task.name}", vtrace)    // or HandIn`,
			),
		);

	// inputs returns the unrolls for a program.
	const inputs = async (kind) => {
		const path = `/rooms/${code}/unrolls/${now.task.name}?kind=${kind}`;
		return (await call("GET", path, undefined, mine.secret)).json();
	};

	// build makes the form of a task. The form of an unchanged task stays, with the text in it.
	const build = (task) => {
		const last = now.answers.find((a) => a.task === task.name)?.said || {};
		program =
			task.kind === "program"
				? Class.program(task, code, alone ? alone.inputs : inputs)
				: null;
		const parts = program ? program.parts : fields(task, last, now.locked),
			acts = el("p", { class: "acts" });
		if (task.kind === "predict")
			acts.append(el("button", { type: "button", class: "main", onclick: submit("guess") }, "Send my guess"));
		if (task.kind === "sentence")
			acts.append(
				el("button", { type: "button", class: "main", onclick: submit("sentence") }, "Send it to the wall"),
			);
		if (task.kind === "run")
			acts.append(el("button", { type: "button", class: "main", onclick: submit("try") }, "Run it"));
		if (task.public && task.kind !== "run")
			acts.append(
				el(
					"button",
					{ type: "button", class: "main", "data-part": "try", onclick: submit("try") },
					task.kind === "reach" ? "Try it" : "Check",
				),
			);
		if (task.hand_ins)
			acts.append(
				el(
					"button",
					{ type: "button", class: task.public ? "" : "main", "data-part": "hand-in", onclick: ask },
					"Hand in",
				),
			);
		if (program) acts.append(program.again);
		if (task.start) acts.append(watch);
		if (task.hand_ins) acts.append(el("span", { class: "small", "data-part": "left" }));
		watch.classList.toggle("main", task.kind === "lab");
		lacks.textContent = "";
		if (frame) shut();
		form.replaceChildren(
			...(task.ask ? [el("p", { class: "ask-first", id: "choice-ask" }, task.ask)] : []),
			...parts,
			...(acts.children.length ? [acts, lacks] : []),
			...(task.kind === "program" && !alone ? [notebook()] : []),
			...(alone ? [alone.receipt] : []),
		);
		turned();
	};

	const seconds = () => {
		const left = Class.countdown(now.timer, behind);
		const then = left ? ` · your teacher continues in ${left}` : now.timer ? " · time is up" : "";
		const late = now.due && Date.parse(now.due) < Date.now() + behind,
			date = now.due && Class.when(now.due),
			due = !date ? "" : late ? ` · was due ${date}: a hand-in is late now` : ` · due ${date}`;
		if (!alone) head.textContent = `Step ${now.own + 1} of ${now.steps.length}${due}${then}`;
	};
	setInterval(() => {
		if (now) seconds();
	}, 1000);

	const see = (view) => {
		now = view.student;
		behind = view.now - Date.now();
		const task = now.task;
		where?.replaceChildren(
			`Room ${now.code} · you are `,
			el("strong", {}, now.nickname),
			now.of && (now.homework.length || now.plan === "exercises")
				? ` · ${Class.short(now.credit)} of ${now.of} ${now.plan === "exercises" ? "exercises" : "homework"}`
				: "",
		);
		seconds();
		frozen.hidden = !now.frozen;
		if (now.closed) {
			frozen.hidden = false;
			frozen.textContent = "This room is closed. What you have sent is kept.";
		}
		if (!task) {
			title.textContent = "This room's plan is of another build.";
			return;
		}
		const next = JSON.stringify([task, now.locked]);
		if (next !== shape) {
			if (shape) tell(task.title);
			shape = next;
			main.dataset.kind = task.kind;
			title.textContent = task.title;
			text.replaceChildren(...(task.say ? [el("p", {}, task.say)] : []));
			build(task);
		}
		for (const b of form.querySelectorAll("button"))
			b.disabled = now.frozen || now.closed || (task.kind === "predict" && !!now.guesses?.revealed);
		turned();
		const tries = form.querySelector("[data-part=try]");
		if (tries && task.hand_ins) {
			// after a try that passes, handing in is the next step
			const passed = !!now.answers.find((a) => a.kind === "try")?.passed;
			tries.classList.toggle("main", !passed);
			form.querySelector("[data-part=hand-in]").classList.toggle("main", passed);
		}
		actor.see(now);
		run.replaceChildren(...(now.run ? [chart(now.run)] : []));
		stage.see(
			task.kind === "run" || task.kind === "reach" ? now.run : null,
			now.answers.some((a) => a.open),
		);
		const runs = form.querySelector("button.main");
		if (task.kind === "run" && runs)
			runs.textContent = now.run && !now.answers.some((a) => a.open) ? "Run it again" : "Run it";
		said.hidden = task.kind !== "run" || !now.run;
		const came = said.hidden
			? ""
			: now.run.fell
				? `It fell: ${now.run.fell}. Say to your neighbour why, before the next step.`
				: now.answers.some((a) => a.open)
					? `Running. It ends by itself after ${Class.count(now.run.steps)} steps.`
					: "It has ended. What did it learn?";
		if (said.textContent !== came) said.textContent = came;
		guesses.replaceChildren(...(now.guesses ? [histogram(now.guesses)] : []));
		sentences.replaceChildren(...(now.wall && task.kind === "sentence" ? [sentenceWall(now.wall)] : []));
		spotlight.replaceChildren(
			...(now.spotlight
				? [
						el("h2", {}, "One of you"),
						chart(now.spotlight),
						el("p", { class: "small" }, Class.changed(now.spotlight.differs).join(", ")),
					]
				: []),
		);
		const shown = now.answers
			.slice(0, 6)
			.map((a) =>
				el(
					"li",
					{ "data-credit": a.credit === null ? null : a.credit === 1 ? "full" : a.credit > 0 ? "part" : "none" },
					el(
						"strong",
						{},
						a.kind === "guess"
							? "Your guess"
							: a.kind === "sentence"
								? "Your sentence"
								: a.kind === "try"
									? "Tried"
									: `Handed in${a.late ? " late" : ""}${a.credit === null ? "" : `: ${Class.short(a.credit)} of 1`}`,
					),
					" ",
					a.kind === "guess"
						? el(
								"span",
								{},
								a.said.choice !== undefined
									? task.choose[a.said.choice]
									: `${Class.short(a.said.number)} ${task.unit}`,
							)
						: a.kind === "sentence"
							? el("q", {}, a.said.text)
							: a.say,
					a.receipt && !alone ? el("span", { class: "small" }, ` Receipt ${a.receipt}`) : null,
				),
			);
		if (answers.textContent !== shown.map((e) => e.textContent).join("")) answers.replaceChildren(...shown);
		help.hidden = !!alone;
		help.setAttribute("aria-pressed", String(now.help));
		help.textContent = now.help ? "Your teacher knows; thank you" : "I need help";
		const free = !now.follow && now.steps.length > 1;
		steps.hidden = !free;
		steps.replaceChildren(
			...(free
				? [
						el(
							"button",
							{ type: "button", disabled: now.own === 0, onclick: () => send("PATCH", "/me", { step: now.own - 1 }) },
							"Back",
						),
						el(
							"button",
							{
								type: "button",
								disabled: now.own === now.steps.length - 1 || (now.plan !== "exercises" && now.own >= now.step),
								onclick: () => send("PATCH", "/me", { step: now.own + 1 }),
							},
							"Next",
						),
					]
				: []),
		);
		home.hidden = !now.homework.length;
		const names = now.homework.join();
		if (home.dataset.names !== names + homework) {
			home.dataset.names = names + homework;
			home.replaceChildren(
				...(now.homework.length
					? [
							el("span", {}, "Homework "),
							...["", ...now.homework].map((name) =>
								el(
									"button",
									{
										type: "button",
										"aria-pressed": String(name === homework),
										onclick: () => {
											homework = name;
											begin();
										},
									},
									name ? name.replaceAll("-", " ") : "the lesson",
								),
							),
						]
					: []),
			);
		}
	};
	const over = (words) => {
		leave();
		actor.end();
		main.hidden = true;
		say(words[0].toUpperCase() + words.slice(1) + ".");
		Class.keep(code, null);
		document.getElementById("door").hidden = false;
	};
	const begin = () => {
		leave();
		leave = Class.follow(`/rooms/${code}/events${homework ? "?task=" + homework : ""}`, mine.secret, see, over);
	};
	begin();
};
