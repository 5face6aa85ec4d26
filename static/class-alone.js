// Exercises without a server: the page takes the place of a room. Its workers train, and the module of programs judges.
// On the page of all exercises it checks receipts.
// @ts-check
"use strict";
{
	const { at, ask, base, el, say } = Class;
	const page = document.body.dataset;
	const most = Math.min(4, navigator.hardwareConcurrency || 1); // workers at once

	let module = null; // a promise of the trainer, compiled once for all workers
	const compiled = () =>
		(module ||= fetch(page.program).then(async (answer) => {
			if (!answer.ok) throw new Error("The trainer is missing: the folder of this site is incomplete.");
			return WebAssembly.compile(await answer.arrayBuffer());
		}));

	// score trains one run in a worker, and calls reached with its steps so far.
	const score = (thread, settings, points, reached) =>
		new Promise((resolve, reject) => {
			const { port1, port2 } = new MessageChannel();
			thread.onmessage = ({ data }) => data.failed && reject(new Error(`${data.failed}.`));
			thread.onerror = () => reject(new Error("This browser could not train the run; reload the page."));
			port1.onmessage = ({ data }) => {
				if (data.reason) reject(new Error(`${data.reason}.`));
				else if (data.scored) resolve(data.scored);
				else reached(data.steps);
			};
			thread.postMessage({ scored: { settings, points }, port: port2 }, [port2]);
		});

	// train trains the runs of a request, several at once. see receives the share that is done, and how many have ended.
	const train = async ({ settings, seeds, points }, see) => {
		const start = {
			exec: at(page.exec), kernels: at(page.kernels), program: at(page.program), programs: at(page.programs),
			build: page.build, module: await compiled(),
		};
		const steps = Number(settings.find((s) => s.Key === "steps").Value) * seeds.length,
			runs = [],
			reached = seeds.map(() => 0);
		let next = 0,
			ended = 0,
			failed = false;
		const tell = () => see(reached.reduce((sum, n) => sum + n, 0) / steps, ended, seeds.length);
		const several = async (_, number) => {
			const thread = new Worker(page.worker);
			try {
				thread.postMessage({ start: { ...start, number } });
				while (!failed && next < seeds.length) {
					const i = next++;
					runs[i] = await score(thread, [...settings, { Key: "seed", Value: String(seeds[i]) }], points, (n) => {
						reached[i] = n;
						tell();
					});
					reached[i] = steps / seeds.length;
					ended++;
					tell();
				}
			} catch (error) {
				failed = true;
				throw error;
			} finally {
				thread.terminate();
			}
		};
		tell();
		await Promise.all(Array.from({ length: Math.min(most, seeds.length) }, several));
		return runs;
	};

	// judged asks, trains the runs that the answer needs, and asks again with their results.
	const judged = async (asked, see) => {
		let told = await ask(asked);
		if (told.train) told = await ask({ ...asked, runs: await train(told.train, see) });
		if (told.error) throw new Error(told.error);
		return told;
	};
	const progress = (share, ended, all) =>
		`In training in this browser: ${Math.floor(100 * share)} %, ${ended} of ${all} seeds have ended.`;

	const form = /** @type {HTMLFormElement | null} */ (document.getElementById("receipt"));
	form?.addEventListener("submit", async (event) => {
		event.preventDefault();
		const found = document.getElementById("found"),
			button = form.querySelector("button"),
			field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("receipt"));
		found.dataset.state = "";
		if (!field.value.trim()) {
			found.textContent = "Paste a receipt first.";
			field.focus();
			return;
		}
		button.disabled = true;
		found.textContent = "…";
		try {
			const { check } = await judged({ do: "check", receipt: field.value }, (share, ended, all) => {
				found.textContent = progress(share, ended, all);
			});
			found.textContent = check.say;
			found.dataset.state = check.same ? "same" : "differs";
		} catch (error) {
			found.textContent = error.message;
			found.dataset.state = "differs";
		}
		button.disabled = false;
	});

	// exercise shows one exercise as a student's room does.
	const exercise = (task) => {
		const name = `impalab-exercise-${task.name}`;
		let answers = [], // newest first
			see = (_) => {};
		try {
			answers = JSON.parse(localStorage.getItem(name)) || [];
		} catch {
			/* nothing is kept here */
		}
		const keep = () => {
			try {
				localStorage.setItem(name, JSON.stringify(answers.filter((a) => !a.open)));
			} catch {
				/* until the page is closed */
			}
		};
		const sent = (kind) => answers.filter((a) => a.kind === kind).length;
		const show = () => {
			const shown = answers.find((a) => a.shown)?.shown || null;
			see({
				now: Date.now(),
				student: {
					code: "", nickname: "", plan: "exercises", step: 0, own: 0, steps: [task.title], task, answers, run: shown,
					locked: [], homework: [], timer: 0, due: null, of: 0, credit: 0, follow: true, frozen: false, closed: false,
					help: false, guesses: null, wall: null, spotlight: null, fleet: null, acts: null,
				},
			});
			draw();
		};

		// The receipt of the newest hand-in takes the place of the button, until the answer changes.
		const code = el("output", { class: "code", tabindex: "0", "aria-label": "Receipt" }),
			copied = el("span", { class: "small", role: "status" });
		const receipt = el(
			"section",
			{ class: "receipt", "aria-label": "Receipt", hidden: true },
			code,
			el(
				"p",
				{ class: "acts" },
				el(
					"button",
					{
						type: "button",
						onclick: async () => {
							try {
								await navigator.clipboard.writeText(code.textContent);
								copied.textContent = "Copied";
							} catch {
								getSelection().selectAllChildren(code);
								copied.textContent = "Selected: copy it with your keyboard";
							}
						},
					},
					"Copy",
				),
				el(
					"button",
					{
						type: "button",
						onclick: () => {
							const file = URL.createObjectURL(new Blob([`${code.textContent}\n`], { type: "text/plain" }));
							el("a", { href: file, download: `receipt-${task.name}.txt` }).click();
							setTimeout(() => URL.revokeObjectURL(file), 1000);
						},
					},
					"Save",
				),
				copied,
			),
			el(
				"p",
				{ class: "small" },
				"These settings, tried in this page, gave this result. It does not prove who did it, or on which day. Your " +
					"teacher checks it ",
				el("a", { href: `${base}class/#check` }, "here"),
				".",
			),
		);
		let changed = false;
		const draw = () => {
			const newest = answers[0]?.receipt || "";
			receipt.hidden = changed || !newest;
			if (code.textContent !== newest) {
				code.textContent = newest;
				copied.textContent = "";
			}
			const button = document.querySelector("#student [data-part=hand-in]");
			if (button) button.toggleAttribute("hidden", !receipt.hidden);
		};

		// answer judges an answer while the page shows it as open.
		const answer = async ({ kind, task: of, ...said }) => {
			if (answers[0]?.open) throw new Error("Your last answer is in training; wait for it.");
			const open = {
				kind, task: of, said: { ...said, targets: undefined, draw: undefined }, open: true, credit: null, receipt: "",
				say: "It is judged.", sent: new Date().toISOString(), late: false, passed: false,
			};
			const asked = { do: "judge", exercise: task.name, handIn: kind === "hand-in", before: sent(kind), said };
			answers.unshift(open);
			changed = false;
			show();
			try {
				const told = await judged(asked, (share, ended, all) => {
					open.say = progress(share, ended, all);
					show();
				});
				const hands = kind === "hand-in";
				Object.assign(open, {
					open: false, credit: hands ? told.verdict.credit : null, say: told.verdict.say, shown: told.shown,
					receipt: told.receipt || "", passed: !hands && told.verdict.credit === 1,
				});
				keep();
			} catch (error) {
				answers.splice(answers.indexOf(open), 1);
				throw error;
			} finally {
				show();
			}
		};

		Class.alone = {
			receipt,
			inputs: async (kind, source) => {
				const told = await ask({
					do: "unrolls", exercise: task.name, handIn: kind === "hand-in", before: sent(kind), source,
				});
				if (told.error) throw new Error(told.error);
				return told.inputs;
			},
		};
		Class.sender = () => async (_, __, body) => {
			try {
				say("");
				await answer(body);
				return new Response();
			} catch (error) {
				say(error.message);
				return null;
			}
		};
		Class.follow = (_, __, then) => {
			see = then;
			show();
			return () => {};
		};
		Class.student("alone", {});
		document.querySelector("#student form").addEventListener("input", () => {
			changed = true;
			draw();
		});
		document.getElementById("step").replaceChildren(el("a", { href: `${base}class/` }, "All exercises"));
	};
	if (page.task) exercise(JSON.parse(page.task));
}
