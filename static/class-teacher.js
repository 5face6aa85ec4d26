// The teacher's view: tiles, the step of the plan, controls, and downloads.
// @ts-check
"use strict";
Class.teacher = (code, mine) => {
	const { base, el, call, say, tell, chart, histogram, fleet } = Class;
	const main = document.getElementById("teacher"),
		tools = document.querySelector("[data-part=tools]");
	const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));
	let now = null,
		behind = 0,
		byName = false,
		leave = () => {};
	const send = Class.sender(code, mine.key);
	const change = (body) => send("PATCH", "", body);
	const seat = (number, body) => send("PATCH", `/members/${number}`, body);
	const button = (words, act, more) => el("button", { type: "button", onclick: act, ...more }, words);

	const open = (title, ...content) => {
		dialog.replaceChildren(
			el("h2", { id: "dialog-title" }, title),
			...content,
			el(
				"p",
				{ class: "acts" },
				button("Close", () => dialog.close()),
			),
		);
		if (!dialog.open) dialog.showModal();
	};
	const download = async (path, name) => {
		const answer = await send("GET", path);
		if (!answer) return;
		const link = el("a", { href: URL.createObjectURL(await answer.blob()), download: name });
		link.click();
		URL.revokeObjectURL(link.href);
	};

	// Left: the students. Right: the code, the question, and the controls.
	const title = el("h1", {}),
		stepped = el("p", { class: "quiet" }),
		counts = el("p", { class: "counts" }),
		tiles = el("ul", { class: "tiles" });
	const order = button(
		"By name",
		() => {
			byName = !byName;
			order.setAttribute("aria-pressed", String(byName));
			draw();
		},
		{ "aria-pressed": "false" },
	);
	const address = el("p", { class: "quiet" }),
		guesses = el("div", {}),
		spotlight = el("div", {}),
		asked = el("p", { class: "asks" }),
		notes = el("p", { class: "notes" });
	const next = button("Next step", () => step(1), { class: "main" }),
		back = button("Back", () => step(-1));
	const reveal = button("Show the answer", () => change({ revealed: !(now.guesses || now.wall).revealed }));
	const follow = button("Follow me", () => change({ follow: !now.follow })),
		freeze = button("Freeze all", () => change({ frozen: !now.frozen }));
	const lock = button("Lock settings", () => {
		const boxes = (now.task?.keys || []).map((k) =>
			el(
				"label",
				{ class: "choice" },
				el("input", { type: "checkbox", value: k.key, checked: now.locked.includes(k.key) }),
				el("span", {}, k.title),
			),
		);
		open(
			"Lock settings",
			boxes.length ? el("div", {}, boxes) : el("p", {}, "This step has no settings to lock."),
			el(
				"p",
				{ class: "acts" },
				button(
					"Lock these",
					async () => {
						const here = boxes.map((b) => b.firstChild);
						const others = now.locked.filter((key) => !here.some((b) => b.value === key));
						if (await change({ locked: [...others, ...here.filter((b) => b.checked).map((b) => b.value)] }))
							dialog.close();
					},
					{ class: "main", disabled: !boxes.length },
				),
			),
		);
	});
	const timer = el(
		"select",
		{
			"aria-label": "Timer",
			onchange: () => {
				change({ timer: Number(timer.value) });
				timer.value = "-1";
			},
		},
		[
			["-1", "Timer"],
			["60", "1 minute"],
			["180", "3 minutes"],
			["300", "5 minutes"],
			["0", "No timer"],
		].map(([v, words]) => el("option", { value: v }, words)),
	);
	const projector = button(
		"Projector",
		() => {
			const on = document.body.toggleAttribute("data-projector");
			projector.setAttribute("aria-pressed", String(on));
			draw();
			main.querySelector("aside").scrollTop = 0;
			scrollTo(0, 0);
		},
		{ "aria-pressed": "false" },
	);
	// results offers what the class has handed in, as files.
	const results = () => {
		const row = (name, about, kind, path, file) =>
			el(
				"li",
				{},
				el("span", {}, el("b", {}, name), el("span", { class: "small" }, about)),
				button(kind, () => download(path(), file), { "aria-label": `${kind}: ${name}` }),
			);
		const late = el(
			"select",
			{ name: "late" },
			[
				["counts", "counts in full"],
				["half", "counts half"],
				["not", "does not count"],
			].map(([value, words]) => el("option", { value }, words)),
		);
		const csv = (name, form, about) =>
			row(name, about, "CSV", () => `/credits.csv?form=${form}&late=${late.value}`, `${code}-${form}.csv`);
		open(
			"Results",
			el(
				"ul",
				{ class: "results" },
				el("li", {}, el("label", {}, "A hand-in after its due date ", late)),
				csv("Canvas", "canvas", "a row for each student, a column for each exercise of 1 point"),
				csv("Moodle", "moodle", "the same, with Moodle's headings"),
				csv("A plain table", "plain", "nicknames, and credits from 0 to 1"),
				el(
					"li",
					{},
					el("span", {}, el("b", {}, "Paper"), el("span", { class: "small" }, "the table, and the titles of the exercises")),
					button("Print", () => {
						dialog.close();
						showHomework(true);
						print();
					}),
				),
				row("The whole room", "every answer with its verdict", "JSON", () => "/room.json", `room-${code}.json`),
			),
		);
	};
	const homework = Class.homework(code, mine.key, { send, results, leave: () => showHomework(false) });
	const homeworkButton = button("Homework", () => showHomework(!main.hasAttribute("data-homework")), {
		"aria-pressed": "false",
	});
	const showHomework = (on) => {
		main.toggleAttribute("data-homework", on);
		pressed(homeworkButton, on);
		homework.show(on);
	};
	// On the projector the buttons appear while the pointer moves or a key is pressed, and for three seconds after it.
	let moved = 0;
	for (const name of ["pointermove", "keydown"])
		addEventListener(name, () => {
			if (!document.body.hasAttribute("data-projector")) return;
			document.body.setAttribute("data-moves", "");
			clearTimeout(moved);
			moved = setTimeout(() => document.body.removeAttribute("data-moves"), 3000);
		});
	const step = (by) => change({ step: now.step + by });
	const wall = fleet.wall(change, open, dialog);
	const sentences = Class.board(
		(number) => change({ hide: number }),
		(begins, words) => {
			dialog.replaceChildren(
				el("p", { class: "large", id: "dialog-title" }, begins ? `${begins} ` : "", ...words),
				el(
					"p",
					{ class: "acts" },
					button("Close", () => dialog.close()),
				),
			);
			if (!dialog.open) dialog.showModal();
		},
	);
	main.append(
		el(
			"section",
			{ class: "here", "aria-label": "Students" },
			el("div", { class: "top" }, title, stepped, counts, order),
			wall.place,
			sentences.place,
			tiles,
		),
		el(
			"aside",
			{ "aria-label": "Lesson" },
			el(
				"div",
				{ class: "code" },
				el("div", {}, address, el("strong", {}, code)),
				el("img", { src: `${base}class/${code}/qr.svg`, alt: `QR code of room ${code}`, width: "96", height: "96" }),
			),
			asked,
			notes,
			guesses,
			sentences.counts,
			spotlight,
			el("div", { class: "teach" }, reveal, next, back, follow, freeze, lock, timer),
		),
		homework.place,
	);
	fetch(`${base}class/address`)
		.then((a) => a.text())
		.then((url) => {
			const alone = !url && /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
			address.toggleAttribute("data-alone", alone);
			address.replaceChildren(
				...(alone
					? ["Only this computer can join. For a class, start the server with ", el("code", {}, "--addr :8080"), "."]
					: ["Join at " + ((url || location.origin + base) + "class").replace(/^https?:\/\//, "")]),
			);
		})
		.catch(() => {});

	const controls = [
		projector,
		button("Fleet", () => wall.ask()),
		homeworkButton,
		button("Plan", async () => {
			const answer = await send("GET", "/script");
			if (!answer) return;
			const s = await answer.json();
			open(
				s.title,
				el("p", {}, `For ${s.for}. ${s.aim} ${s.hint}`),
				el(
					"ol",
					{ class: "script", tabindex: "0" },
					s.steps.map((one) =>
						el(
							"li",
							{},
							el("strong", {}, one.minutes ? `${one.from}–${one.from + one.minutes} min: ` : "", one.title),
							...[one.say, one.ask, one.answer && `Answer: ${one.answer}`, one.teacher]
								.filter(Boolean)
								.map((words) => el("p", {}, words)),
						),
					),
				),
				el(
					"p",
					{ class: "acts" },
					button("Print with answers", () => print()),
					el("a", { href: `${base}class/plan/${now.plan}`, target: "_blank" }, "Handout without answers"),
				),
			);
		}),
		button(`Room ${code}`, () =>
			open(
				`Room ${code}${now.title ? `: ${now.title}` : ""}`,
				el("p", {}, `Kept until ${new Date(now.kept_until).toLocaleDateString()}, unless it is used before.`),
				el(
					"p",
					{ class: "acts" },
					button("Link for another browser of mine", (e) =>
						e.target.closest("p").replaceWith(
							el(
								"p",
								{ class: "link" },
								"This link makes its holder the teacher of this room: keep it to yourself. ",
								el("input", {
									readonly: true,
									"aria-label": "Teacher's link",
									value: `${location.origin}${base}class/${code}#key=${mine.key}`,
									onfocus: (e) => e.target.select(),
								}),
							),
						),
					),
				),
				el(
					"p",
					{ class: "acts" },
					button(now.closed ? "Open it again" : "Close the room", async () => {
						if (await change({ closed: !now.closed })) dialog.close();
					}),
					button(now.complete ? "Let more students join" : "The class is complete", async () => {
						if (await change({ complete: !now.complete })) dialog.close();
					}),
					button("Delete it now, with all answers", () =>
						open(
							"Delete this room?",
							el("p", {}, "All answers go with it, at once and permanently."),
							el(
								"p",
								{ class: "acts" },
								button(
									"Delete",
									async () => {
										if (await send("DELETE", "")) {
											dialog.close();
											over("this room has been deleted");
										}
									},
									{ class: "main" },
								),
							),
						),
					),
				),
			),
		),
	];

	const student = (t) => {
		const name = el("input", { value: t.nickname, maxlength: "24", "aria-label": "Nickname" }),
			left = el("span", { class: "small" });
		Class.counts(name, left);
		open(
			t.nickname,
			el(
				"p",
				{},
				[t.why, `credit ${Class.short(t.credit)}`, Class.changed(t.differs).join(", ")]
					.filter(Boolean)
					.join(" · "),
			),
			chart(t),
			el(
				"p",
				{ class: "acts" },
				name,
				left,
				button("Rename", async () => {
					if (await seat(t.number, { nickname: name.value })) dialog.close();
				}),
			),
			el(
				"p",
				{ class: "acts" },
				button(now.spotlight ? "Spotlight off" : "Spotlight", async () => {
					if (await change({ spotlight: now.spotlight ? 0 : t.number })) dialog.close();
				}),
				t.state === "help"
					? button("Helped", async () => {
							if (await seat(t.number, { helped: true })) dialog.close();
						})
					: null,
				button("Let in again", async () => {
					if (await seat(t.number, { reopen: true }))
						open(
							t.nickname,
							el("p", {}, "The next student with this nickname takes this seat, with all its answers."),
						);
				}),
				button("Report", () => report(t.number)),
				button("Remove", async () => {
					if (await seat(t.number, { removed: true })) dialog.close();
				}),
			),
		);
	};
	const report = async (number) => {
		const answer = await send("GET", `/members/${number}/report`);
		if (!answer) return;
		const r = await answer.json();
		open(
			`${r.nickname}: ${Class.short(r.credit)} of ${r.of}`,
			el(
				"ol",
				{ class: "script", tabindex: "0" },
				r.answers.map((a) =>
					el(
						"li",
						{},
						el("strong", {}, `${a.task}, ${a.kind}`),
						" ",
						a.credit === null ? "" : `credit ${Class.short(a.credit)}. `,
						a.say,
						a.receipt ? ` Receipt ${a.receipt}.` : "",
					),
				),
			),
			el(
				"p",
				{ class: "acts" },
				button("Print", () => print()),
			),
		);
	};

	const draw = () => {
		const hidden = document.body.hasAttribute("data-projector"),
			list = [...now.tiles];
		if (byName) list.sort((a, b) => a.nickname.localeCompare(b.nickname));
		const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.number;
		tiles.replaceChildren(
			...list.map((t) =>
				el(
					"li",
					{},
					el(
						"button",
						{
							type: "button",
							class: "tile",
							"data-state": t.state,
							"data-earlier": t.earlier,
							"data-number": t.number,
							onclick: () => student(t),
						},
						el("b", {}, hidden ? "" : t.nickname),
						chart(t, true),
						el(
							"span",
							{ class: "small", "data-forged": !!t.acts?.forged },
							[
								now.fleet?.on && fleet.part(t.acts),
								t.why ||
									(t.state === "found" ? "found it" : t.guessed ? (now.wall ? "sentence sent" : "guess sent") : ""),
								...Class.changed(t.differs),
							]
								.filter(Boolean)
								.join(", ") || " ",
						),
					),
				),
			),
		);
		if (focus) tiles.querySelector(`[data-number="${focus}"]`)?.focus({ preventScroll: true });
	};
	const pressed = (b, on) => b.setAttribute("aria-pressed", String(on));
	const clock = () => {
		timer.options[0].textContent = Class.countdown(now.timer, behind) || (now.timer ? "Time is up" : "Timer");
	};
	setInterval(() => {
		if (now) clock();
	}, 1000);
	const see = (view) => {
		const before = now?.tiles.filter((t) => t.state === "help").map((t) => t.nickname) || [];
		if (!now) {
			// the controls act on a room that is known
			tools.append(...controls);
			main.hidden = false;
			if (view.teacher.plan === "exercises") showHomework(true);
		}
		now = view.teacher;
		homework.see();
		behind = view.now - Date.now();
		stepped.textContent =
			`Step ${now.step + 1} of ${now.steps.length}` +
			(now.closed ? " · room closed" : now.complete ? " · class complete" : "");
		title.textContent = now.steps[now.step];
		const of = (state) => now.tiles.filter((t) => t.state === state).length;
		counts.replaceChildren(
			...[
				[now.tiles.length - of("gone"), "here"],
				[of("found"), "found it"],
				[of("help") + of("stuck"), "need you"],
				[of("idle"), "idle"],
				[now.runs, "being judged"],
			]
				.filter(([n, words]) => n || words === "here")
				.map(([n, words]) => el("span", {}, el("b", {}, String(n)), " " + words)),
		);
		for (const t of now.tiles)
			if (t.state === "help" && !before.includes(t.nickname)) tell(`${t.nickname} asks for help`);
		guesses.replaceChildren(...(now.guesses ? [el("h2", {}, now.task.ask), histogram(now.guesses)] : []));
		sentences.see(now);
		main.toggleAttribute("data-wall", !!now.wall);
		spotlight.replaceChildren(
			...(now.spotlight
				? [el("h2", {}, "Spotlight"), chart(now.spotlight), button("Spotlight off", () => change({ spotlight: 0 }))]
				: []),
		);
		wall.see(now);
		asked.textContent = now.task?.hand_ins ? now.task.ask : "";
		notes.textContent = now.notes;
		const shows = now.guesses || now.wall,
			what = now.wall ? "them on the phones" : "the answer";
		reveal.hidden = !shows;
		reveal.textContent = shows?.revealed ? (now.wall ? "Hide them" : "Hide it") : `Show ${what}`;
		reveal.classList.toggle("main", !!shows && !shows.revealed);
		next.classList.toggle("main", !shows || shows.revealed);
		main.toggleAttribute("data-begun", now.step > 0);
		next.disabled = now.step === now.steps.length - 1;
		next.textContent = next.disabled
			? "The last step"
			: next.classList.contains("main")
				? `Next: ${now.steps[now.step + 1]}`
				: "Next step";
		back.disabled = now.step === 0;
		pressed(follow, now.follow);
		pressed(freeze, now.frozen);
		pressed(lock, now.locked.length > 0);
		clock();
		draw();
	};
	const over = (words) => {
		leave();
		main.hidden = true;
		tools.replaceChildren();
		say(words[0].toUpperCase() + words.slice(1) + ".");
		Class.keep(code, null);
	};
	leave = Class.follow(`/rooms/${code}/events`, mine.key, see, over);
};

// A key in the link or in this browser opens the teacher's view, a secret the student's. Everybody else may join.
(() => {
	const code = decodeURIComponent(location.pathname.split("/").pop()).toUpperCase(),
		key = /^#key=(\w+)$/.exec(location.hash)?.[1];
	const { keep, kept, call, say } = Class;
	document.title = `Room ${code} · impalab`;
	// The key leaves the address once this browser has stored it: addresses are projected and copied.
	if (key && keep(code, { ...kept[code], key })) history.replaceState(null, "", location.pathname + location.search);
	const mine = kept[code];
	if (mine?.key) {
		Class.teacher(code, mine);
		return;
	}
	if (mine?.secret) {
		Class.student(code, mine);
		return;
	}
	const door = document.getElementById("door"),
		form = /** @type {HTMLFormElement} */ (document.getElementById("join-room"));
	const named = "impalab-nickname"; // of a student who mistyped the code
	try {
		form.nickname.value = sessionStorage.getItem(named) || "";
		sessionStorage.removeItem(named);
	} catch {
		/* it is typed again */
	}
	Class.counts(form.nickname, form.querySelector("[data-part=count]"));
	door.hidden = false;
	// again gives the field of the code back. It names letters that no code has, and never another room's code.
	const again = (wrong) => {
		const strange = [...new Set(wrong.replace(/[BCDFGHJKMNPQRSTVWXYZ]/g, ""))].join(", ");
		const look = strange
			? `Codes have no vowels, no L and no figures: look again at ${strange}.`
			: wrong.length === 6
				? "Look again at each of its letters."
				: "A code has six letters.";
		door.querySelector("[data-part=title]").textContent = "Join a room";
		door.querySelector("#fault").textContent = `There is no room ${wrong}. ${look}`;
		door.querySelector("[data-part=again]").removeAttribute("hidden");
		form.code.value = wrong;
		form.code.required = true;
		form.code.setAttribute("aria-invalid", "true");
		form.code.select();
	};
	// A code that no room can have is not asked for.
	if (!/^[BCDFGHJKMNPQRSTVWXYZ]{6}$/.test(code.replace(/[\s-]/g, ""))) again(code.replace(/[\s-]/g, ""));
	else
		call("GET", "/rooms/" + code)
			.then((a) => a.json())
			.then((room) => {
				door.querySelector("[data-part=title]").textContent =
					`Join room ${room.code}${room.title ? `: ${room.title}` : ""}`;
			})
			.catch((error) => (error.status === 404 ? again(code) : say(error.message)));
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		if (form.code.required) {
			try {
				sessionStorage.setItem(named, form.nickname.value);
			} catch {
				/* it is typed again */
			}
			location.assign(`${Class.base}class/${encodeURIComponent(form.code.value.replace(/[\s-]/g, "").toUpperCase())}`);
			return;
		}
		try {
			const seated = await (await call("POST", `/rooms/${code}/members`, { nickname: form.nickname.value })).json();
			keep(code, { secret: seated.secret, nickname: seated.nickname });
			say("");
			door.hidden = true;
			Class.student(code, kept[code]);
		} catch (error) {
			say(error.message);
		}
	});
})();
