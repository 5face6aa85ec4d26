// Parts of both views: charts, guesses, sentences, and the fields of a task.
// @ts-check
"use strict";
Object.assign(
	Class,
	(() => {
		const { el } = Class;
		const short = (x) => String(Number(x.toPrecision(3)));
		// changed names the settings that differ from the start; a program is not read out.
		const changed = (differs) =>
			differs.map((d) => (d.value.length > 40 ? `${d.key} of its own` : `${d.key} ${d.value}`));
		const count = (n) => (n < 10000 ? String(n) : String(n).replace(/\B(?=(\d{3})+$)/g, "\u2009")); // as in the Lab

		// when writes a time as this browser's user reads it.
		const when = (time) =>
			new Date(time).toLocaleString(undefined, {
				weekday: "short",
				day: "numeric",
				month: "short",
				hour: "2-digit",
				minute: "2-digit",
			});

		// drawing makes an SVG from the inside that the server has drawn.
		const drawing = (inside, wide, high, words, more) => {
			const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
			for (const [key, value] of Object.entries({
				viewBox: `0 0 ${wide} ${high}`,
				role: "img",
				"aria-label": words,
				...more,
			}))
				svg.setAttribute(key, value);
			svg.innerHTML = inside;
			return svg;
		};

		// chart shows a run's return; a small one has no words. asked is the return that a task asks for: its place in
		// hundredths from the top, and words.
		const chart = (run, small, asked) => {
			const line = asked ? `<line class="asked" x1="0" x2="100" y1="${asked.at}" y2="${asked.at}"/>` : "",
				label = asked ? el("span", { class: "small asked" }, asked.words) : null;
			if (label) label.style.insetBlockStart = `${asked.at}%`;
			const picture = drawing(line + run.chart, 100, 100, run.says || "No run yet", { preserveAspectRatio: "none" });
			return small
				? picture
				: el(
						"figure",
						{ class: "curve" },
						el("span", { class: "small title" }, "Return over the steps"),
						el("span", { class: "small high" }, run.high),
						picture,
						label,
						el("span", { class: "small low" }, run.low),
						el(
							"span",
							{ class: "small ends" },
							el("span", {}, "0"),
							el("span", {}, run.steps ? `${count(run.steps)} steps` : ""),
						),
						el("figcaption", { class: "small" }, run.says),
					);
		};

		// tick makes a column's label. A range may break after its dash.
		const tick = (label) => {
			const [, from, to] = /^([-\d.e+]+–)([-\d.e+]+)$/.exec(label) || [];
			return from
				? el("span", { class: "label tick" }, from, el("wbr", {}), to)
				: el("span", { class: "label" }, label);
		};

		// histogram shows a class's guesses, and the truth once the teacher shows it.
		const histogram = (g) => {
			const words = `${g.sent} of ${g.of} have sent a guess` + (g.revealed ? `. The answer: ${g.truth}` : "");
			return el(
				"figure",
				{ class: "guesses" },
				el("figcaption", {}, words),
				drawing(g.chart, 400, 120, words),
				el(
					"ol",
					{},
					g.columns.map((n, i) =>
						el(
							"li",
							{ "data-truth": g.at === i },
							tick(g.labels[i]),
							el("span", { class: "visually-hidden" }, `: ${n}${g.at === i ? ", and the truth" : ""}`),
						),
					),
				),
				g.say ? el("p", { class: "reveal" }, g.say) : null,
			);
		};

		// sentenceWall shows the class's sentences.
		const sentenceWall = (wall) =>
			el(
				"figure",
				{ class: "sentences" },
				el("figcaption", {}, `${wall.sent} of ${wall.of} have sent a sentence`),
				el(
					"ul",
					{},
					wall.sentences.map((s) => el("li", {}, el("q", {}, s.text))),
				),
			);

		// counts shows the number of letters in a field, and the most that it takes.
		const counts = (field, place) => {
			const show = () => {
				place.textContent = `${[...field.value].length} of ${field.maxLength} letters`;
			};
			field.addEventListener("input", show);
			show();
		};

		// missing focuses the first invalid field and returns its problem; "" for a complete form.
		const missing = (form) => {
			const field = form.querySelector(":invalid:not(fieldset)");
			if (!field) return "";
			field.focus();
			if (field.type === "radio") return "Choose one of the answers first.";
			if (field.validity.valueMissing) return field.dataset.missing || "Fill in every field first.";
			if (field.validity.stepMismatch) return "A guess is a whole number here.";
			if (field.min) return `A guess lies between ${short(Number(field.min))} and ${short(Number(field.max))}.`;
			return "This cannot be sent yet: look at the field again.";
		};

		const choices = (name, list, chosen) =>
			el(
				"fieldset",
				{ class: "choices", "aria-labelledby": name + "-ask" },
				list.map((words, i) =>
					el(
						"label",
						{ class: "choice" },
						el("input", { type: "radio", name, value: String(i), required: true, checked: chosen === i }),
						el("span", {}, words),
					),
				),
			);

		// poses draws old steps by how much each counts: a stick that leans more, and is paler, counts less.
		const poses = (weights) =>
			el(
				"ul",
				{ class: "weights" },
				weights.map((weight) => {
					const parts = /** @type {HTMLTemplateElement} */ (document.getElementById("stick")).content.cloneNode(true),
						place = el("div", { class: "stick pi", "aria-hidden": "true" }, parts);
					Stick.show(place, 0, 0.05 + 0.7 * (1 - weight));
					place.style.opacity = String(0.35 + 0.65 * weight);
					return el(
						"li",
						{},
						place,
						el("b", {}, `× ${short(weight)}`),
						el(
							"span",
							{ class: "small" },
							weight === 1 ? "I would do this again" : weight ? "I would, but less likely" : "I would not do this now",
						),
					);
				}),
			);

		// fields makes the fields of a task, filled in from the newest answer.
		const fields = (task, said, locked) => {
			const parts = task.weights.length ? [poses(task.weights)] : [];
			if (task.rows.length) {
				parts.push(
					el(
						"div",
						{ class: "wide", tabindex: "0", role: "region", "aria-label": "Figures" },
						el(
							"table",
							{},
							el(
								"thead",
								{},
								el(
									"tr",
									{},
									task.columns.map((c) => el("th", { scope: "col" }, c)),
								),
							),
							el(
								"tbody",
								{},
								task.rows.map((row) =>
									el(
										"tr",
										{},
										row.map((cell, i) => el(i ? "td" : "th", i ? {} : { scope: "row" }, cell)),
									),
								),
							),
						),
					),
				);
			}
			if (task.choose.length) parts.push(choices("choice", task.choose, said.choice));
			if (task.second.length)
				parts.push(
					el("p", { id: "second-ask", class: "ask-first" }, task.then),
					choices("second", task.second, said.second),
				);
			if (task.kind === "predict" && !task.choose.length) {
				const at = (share) =>
					task.log ? task.from * (task.to / task.from) ** share : task.from + (task.to - task.from) * share;
				const place = (x) =>
					task.log
						? Math.log(x / task.from) / Math.log(task.to / task.from)
						: (x - task.from) / (task.to - task.from);
				const number = el("input", {
					type: "number",
					name: "number",
					step: task.whole ? "1" : "any",
					required: true,
					min: task.from,
					max: task.to,
					"aria-label": "Your guess",
				});
				const slider = el("input", { type: "range", min: "0", max: "1000", "aria-label": "Your guess on the axis" });
				number.dataset.missing = "Move the slider to your guess first, or write a number.";
				if (said.number !== undefined) number.value = short(said.number);
				slider.value = 1000 * (said.number === undefined ? 0.5 : place(said.number));
				slider.addEventListener("input", () => {
					const guess = at(slider.value / 1000);
					number.value = short(task.whole ? Math.round(guess) : guess);
				});
				number.addEventListener("input", () => {
					slider.value = 1000 * place(number.value);
				});
				parts.push(
					el(
						"p",
						{ class: "axis-ends small" },
						el("span", {}, short(task.from)),
						el("span", {}, `${short(task.to)} ${task.unit}`),
					),
					slider,
					el("label", { class: "guess" }, "Your guess ", number, " ", task.unit),
				);
			}
			if (task.kind === "number")
				parts.push(
					el(
						"label",
						{ class: "guess" },
						"Your answer ",
						el("input", {
							name: "number",
							type: "text",
							inputmode: "decimal",
							required: true,
							autocomplete: "off",
							value: said.number ?? "",
						}),
						" ",
						task.unit,
					),
				);
			if (task.names.length)
				parts.push(
					el(
						"div",
						{ class: "numbers" },
						task.names.map((name, i) =>
							el(
								"label",
								{},
								el("i", { class: "symbol" }, name),
								" ",
								el("input", {
									name: "numbers",
									type: "text",
									inputmode: "text",
									required: true,
									autocomplete: "off",
									size: "9",
									value: said.numbers?.[i] ?? "",
								}),
							),
						),
					),
				);
			if (task.kind === "sentence") {
				const line = el(
					"textarea",
					{
						name: "sentence",
						rows: "3",
						required: true,
						maxlength: "140",
						"aria-labelledby": "choice-ask",
						"data-missing": "Write a sentence first.",
					},
					said.text || "",
				);
				const left = el("p", { class: "small" });
				counts(line, left);
				parts.push(
					el("label", { class: "line" }, task.begins && el("span", { class: "begins" }, task.begins), line, left),
				);
				const go = (words) => {
					line.value = `${words.replace(/\s*…$/, "")} `;
					line.dispatchEvent(new Event("input", { bubbles: true }));
					line.focus();
				};
				if (task.starts.length)
					parts.push(
						el(
							"div",
							{ class: "starts", role: "group", "aria-label": "Ways to begin" },
							el("span", { class: "small" }, "Stuck? Begin with"),
							task.starts.map((words) => el("button", { type: "button", onclick: () => go(words) }, words)),
						),
					);
			}
			if (task.keys.length)
				parts.push(
					el(
						"div",
						{ class: "knobs" },
						task.keys.map((k) => {
							const value = said.settings?.[k.key] ?? k.value,
								off = locked.includes(k.key);
							const words = [
								k.title,
								off
									? el("span", { class: "small" }, " locked by your teacher")
									: k.from
										? el("span", { class: "small" }, ` ${k.from} to ${k.to}`)
										: null,
							];
							if (k.values)
								return el(
									"label",
									{},
									el("span", {}, words),
									el(
										"select",
										{ name: k.key, disabled: off, "data-start": k.value },
										k.values.map((v) => el("option", { value: v, selected: v === value }, v)),
									),
								);
							if (k.lines)
								return el(
									"label",
									{ class: "lines" },
									el("span", {}, words),
									Class.editor(el("textarea", {
										name: k.key,
										rows: "5",
										wrap: "off",
										spellcheck: "false",
										autocapitalize: "off",
										required: true,
										maxlength: k.lines,
										disabled: off,
										"data-start": k.value.trim(),
									}, value)),
								);
							return el(
								"label",
								{},
								el("span", {}, words),
								el("input", {
									name: k.key,
									type: "text",
									inputmode: "decimal",
									autocomplete: "off",
									required: true,
									size: "9",
									value,
									disabled: off,
									"data-start": k.value,
								}),
							);
						}),
					),
				);
			return parts;
		};

		// number reads numbers as people write them: ½, 1/2, .5, 0,5 and −1.
		const number = (text) => {
			const plain = text
				.trim()
				.replace("−", "-")
				.replace(",", ".")
				.replace("½", "1/2")
				.replace("¼", "1/4")
				.replace("¾", "3/4");
			const [over, under] = plain.split("/");
			const x = under === undefined ? Number(plain) : Number(over) / Number(under);
			if (!plain || !Number.isFinite(x)) throw new Error(`“${text}” is not a number.`);
			return x;
		};

		// read returns the answer in a form, without settings that equal the start.
		const read = (form, task) => {
			const answer = {},
				data = new FormData(form);
			if (task.choose.length) answer.choice = Number(data.get("choice"));
			if (task.second.length) answer.second = Number(data.get("second"));
			if (data.has("number")) answer.number = number(data.get("number"));
			if (task.kind === "sentence") answer.text = /** @type {string} */ (data.get("sentence")).replace(/\s+/g, " ");
			if (task.names.length) answer.numbers = data.getAll("numbers").map(number);
			for (const k of task.keys) {
				const value = /** @type {string | null} */ (data.get(k.key))?.trim();
				if (value !== undefined && value !== k.value.trim()) (answer.settings ||= {})[k.key] = value;
			}
			return answer;
		};
		// stage makes the picture of a run's stick: its newest policy plays, and one that fell lies on the floor.
		const stage = () => {
			const parts = /** @type {HTMLTemplateElement} */ (document.getElementById("stick")).content.cloneNode(true),
				name = el("h2", {}),
				score = el("p", { class: "score" });
			const place = el(
				"section",
				{ class: "stick watched pi", "aria-label": "Your learner", hidden: true },
				parts,
				name,
				score,
			);
			let run = null,
				fell = null,
				last = "",
				began = 0,
				asked = 0;
			const each = 40; // milliseconds of a pose
			const draw = (now) => {
				asked = 0;
				if (!run || !place.isConnected) return;
				const n = run.poses.length / 2,
					k = Stick.calm.matches ? n - 1 : Math.floor(Math.max(0, now - began) / each) % n;
				const lean = (i) => run.poses[2 * i + 1] / 1000;
				if (fell) {
					if (Stick.tumble(place, run.poses[2 * n - 2] / 100, fell.lean, (now - fell.since) / 1000)) return;
				} else {
					const trail = Array.from({ length: Math.min(k, 8) }, (_, i) => lean(k - Math.min(k, 8) + i));
					Stick.show(place, run.poses[2 * k] / 100, lean(k), trail);
					if (Stick.calm.matches) return;
				}
				asked = requestAnimationFrame(draw);
			};
			const see = (shown, runs) => {
				run = shown?.poses?.length ? shown : null;
				place.hidden = !run;
				if (!run) return;
				const now = performance.now(),
					poses = run.poses.join();
				if (poses !== last) {
					last = poses;
					began = now;
				}
				fell = run.fell && !runs ? fell || { since: now, lean: run.poses.at(-1) / 1000 || 0.2 } : null;
				name.textContent = run.differs.length
					? changed(run.differs).join(", ")
					: "Your learner";
				score.textContent = run.score.replace(/[.,].*$/, "");
				if (!asked) asked = requestAnimationFrame(draw);
			};
			new ResizeObserver(() => {
				if (!asked) asked = requestAnimationFrame(draw);
			}).observe(place);
			return { place, see };
		};
		return { short, changed, count, when, stage, chart, histogram, sentenceWall, counts, missing, fields, read };
	})(),
);
