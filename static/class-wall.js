// The teacher's wall of sentences: nearly equal ones together, the words of the lesson's quantities in their hue and
// counted, one sentence large.
// @ts-check
"use strict";
Object.assign(
	Class,
	(() => {
		const { el } = Class;
		/** @type {[string, string, RegExp][]} */
		const kinds = [
			[
				"age",
				"old, late",
				new RegExp(
					"^(old|older|oldest|aged?|late|later|lag|lags|lagging|lagged|past|former|formerly|earlier|before|" +
						"ago|yesterday\\S*|stale|outdated|delay\\S*|memory|memories|history|previous|behind)$",
				),
			],
			["corrected", "weigh, less", /^(weigh\S*|less|discount\S*|ratios?|clip\S*|cut|correct\S*|importance)$/],
			["cut", "fall, break", /^(fall\S*|fell|break\S*|broke\S*|crash\S*|collaps\S*|dies?|died|dead|death)$/],
			["", "another", /^(another|someone|somebody|other|others|else|different\S*|foreign|stranger\S*)$/],
		];
		const plain = (word) =>
			word
				.toLowerCase()
				.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")
				.replace(/[’']s$/, "");
		const kindOf = (word) => kinds.find(([, , is]) => is.test(plain(word)));
		const small = new Set(
			(
				"a an and as at be by do for from has have if in is it its of on or so that the then they this to was were " +
				"what when which with you your i we one"
			).split(" "),
		);
		const words = (text) =>
			new Set(
				text
					.split(/\s+/)
					.map(plain)
					.filter((w) => w && !small.has(w)),
			);

		// alike reports whether two sentences share three quarters of their words.
		const alike = (a, b) => {
			const both = [...a].filter((w) => b.has(w)).length,
				all = a.size + b.size - both;
			return all > 0 && both / all >= 0.75;
		};
		// together joins sentences that say nearly the same, the first in front.
		const together = (list) => {
			const groups = [];
			for (const s of list) {
				const of = words(s.text),
					group = groups.find((g) => alike(g.of, of) || g.text.toLowerCase() === s.text.toLowerCase());
				if (group) group.others++;
				else groups.push({ ...s, of, others: 0 });
			}
			return groups;
		};
		const marked = (text) =>
			text.split(/(\s+)/).map((part) => {
				const kind = part.trim() && kindOf(part);
				return kind?.[0] ? el("mark", { class: kind[0] }, part) : part;
			});

		// board makes the wall and its counts. change hides a sentence, large shows one.
		const board = (hide, large) => {
			const title = el("h1", {}),
				sent = el("span", { class: "quiet" }),
				columns = el("div", { class: "cols", role: "list" }),
				counts = el("ul", { class: "words small", "aria-label": "Words on the wall" });
			let byWord = false,
				wall = null,
				task = null,
				shown = "";
			const order = el(
				"button",
				{
					type: "button",
					"aria-pressed": "false",
					onclick: () => {
						byWord = !byWord;
						order.setAttribute("aria-pressed", String(byWord));
						shown = "";
						draw();
					},
				},
				"By word",
			);
			const place = el(
				"section",
				{ class: "board", "aria-label": "The wall", hidden: true },
				el("div", { class: "top" }, title, sent, order),
				columns,
			);
			const draw = () => {
				const groups = together(wall.sentences),
					rank = (g) => {
						const k = kinds.findIndex(([, , is]) => g.text.split(/\s+/).some((w) => is.test(plain(w))));
						return k < 0 ? kinds.length : k;
					};
				if (byWord) groups.sort((a, b) => rank(a) - rank(b));
				title.textContent = task.begins ? `${task.begins} …` : task.ask;
				sent.textContent = `${wall.sent} of ${wall.of} have written`;
				place.toggleAttribute("data-few", groups.length < 9);
				const next = JSON.stringify([groups.map((g) => [g.number, g.text, g.others]), byWord]);
				if (next === shown) return;
				shown = next;
				columns.replaceChildren(
					...groups.map((g) =>
						el(
							"div",
							{ role: "listitem" },
							el(
								"button",
								{
									type: "button",
									class: "line",
									"aria-label": `Show large: ${g.text}`,
									onclick: () => large(task.begins, marked(g.text)),
								},
								el("q", {}, task.begins ? "… " : "", ...marked(g.text)),
							),
							g.others
								? el("small", {}, g.others === 1 ? "1 other says nearly this" : `${g.others} others say nearly this`)
								: null,
							el(
								"button",
								{ type: "button", class: "off", "aria-label": `Take off: ${g.text}`, onclick: () => hide(g.number) },
								"Take off",
							),
						),
					),
				);
				const numbers = kinds.map(
						([, , is]) => wall.sentences.filter((s) => s.text.split(/\s+/).some((w) => is.test(plain(w)))).length,
					),
					most = Math.max(1, ...numbers);
				counts.replaceChildren(
					...kinds.map(([kind, name], i) =>
						el(
							"li",
							{},
							el("span", {}, name),
							el("meter", {
								class: kind,
								min: "0",
								max: String(most),
								value: String(numbers[i]),
								"aria-label": name,
							}),
							el("span", {}, String(numbers[i])),
						),
					),
				);
			};
			const see = (now) => {
				wall = now.wall;
				task = now.task;
				place.hidden = counts.hidden = !wall;
				if (wall) draw();
			};
			return { place, counts, see };
		};
		return { board };
	})(),
);
