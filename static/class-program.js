// A task in which students write a program. It runs in a web worker of this page, and its text stays in this browser.
// The server gets only its numbers.
// @ts-check
"use strict";
Object.assign(
	Class,
	(() => {
		const { base, el } = Class;
		const at = (address) => new URL(address, document.baseURI).href; // a worker has another base
		const mostTime = 5000; // milliseconds, from when the module is there

		// ask answers a request of package homework, like a program to run. The answer has an error, or "".
		const ask = (asked) =>
			new Promise((resolve) => {
				const { runner, runnerModule, exec } = document.body.dataset,
					thread = new Worker(runner);
				let timer = 0;
				const end = (result) => {
					clearTimeout(timer);
					thread.terminate();
					resolve(result);
				};
				thread.onmessage = ({ data }) => {
					if (!data.began) {
						end(data);
						return;
					}
					timer = setTimeout(
						() =>
							end({
								printed: "",
								error: `The program ran for ${mostTime / 1000} seconds and was stopped. Does a loop never end?`,
							}),
						mostTime,
					);
				};
				thread.onerror = () =>
					end({ printed: "", error: "This browser could not run the program; reload the page." });
				thread.postMessage({ exec: at(exec), module: at(runnerModule), asked });
			});

		// marked splits a program into its comments, texts, words of the language and numbers, and all else between them.
		const words =
			"and|break|continue|def|elif|else|for|if|in|lambda|not|or|pass|return|while|True|False|None";
		const parts = new RegExp(
			[
				"(?<comment>#.*)",
				/(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)/.source,
				/(?<number>\b\d[\w.]*)/.source,
				`\\b(?<word>${words})\\b`,
			].join("|"),
			"g",
		);
		const marked = (program) => {
			const all = [];
			let last = 0;
			for (const found of program.matchAll(parts)) {
				const kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
				all.push(program.slice(last, found.index), el("span", { class: kind }, found[0]));
				last = found.index + found[0].length;
			}
			return [...all, program.slice(last)];
		};

		// editor puts a field for a program over the same text in colours.
		const editor = (field) => {
			const listing = el("pre", { class: "listing", "aria-hidden": "true" });
			const scroll = () => {
				listing.scrollTop = field.scrollTop;
				listing.scrollLeft = field.scrollLeft;
			};
			const draw = () => {
				listing.replaceChildren(...marked(field.value), "\n");
				scroll();
			};
			field.addEventListener("input", draw);
			field.addEventListener("scroll", scroll);
			draw();
			return el("div", { class: "editor" }, listing, field);
		};

		// program makes the fields of a task and a function that computes its answer, for a try or a hand-in. inputs returns
		// the unrolls for a text.
		const program = (task, code, inputs) => {
			const name = `impalab-program-${code}-${task.name}`;
			let draft = null;
			try {
				draft = localStorage.getItem(name);
			} catch {
				/* nothing is kept here */
			}
			const text = el(
				"textarea",
				{
					name: "text",
					rows: "16",
					spellcheck: "false",
					autocapitalize: "off",
					autocomplete: "off",
					"aria-labelledby": "choice-ask",
					wrap: "off",
				},
				draft ?? task.text,
			);
			const keep = () => {
				try {
					localStorage.setItem(name, text.value);
				} catch {
					/* until the page is closed */
				}
			};
			// Unlike text.value = …, it can be undone.
			const type = (words) => document.execCommand("insertText", false, words);
			text.addEventListener("input", keep);
			text.addEventListener("keydown", (event) => {
				// a new line begins below the last one
				if (event.key !== "Enter" || event.isComposing) return;
				const line = text.value.slice(0, text.selectionStart).split("\n").pop();
				event.preventDefault();
				type("\n" + /^ */.exec(line)[0] + (line.trimEnd().endsWith(":") ? "    " : ""));
			});
			const printed = el("pre", {
				class: "printed wide",
				tabindex: "0",
				"aria-label": "Printed by your program",
				hidden: true,
			});
			const again = el(
				"button",
				{
					type: "button",
					onclick: () => {
						text.focus();
						text.select();
						type(task.text);
					},
				},
				"Begin again",
			);
			// mark selects the line that an error names.
			const mark = (words) => {
				const nth = Number(/^Line (\d+)\b/.exec(words)?.[1]),
					lines = text.value.split("\n");
				if (!nth || nth > lines.length) return;
				const from = lines.slice(0, nth - 1).join("\n").length + (nth > 1 ? 1 : 0);
				text.focus();
				text.setSelectionRange(from, from + lines[nth - 1].length);
			};
			const answer = async (kind) => {
				const given = await inputs(kind, text.value);
				const result = await ask({ do: "run", source: text.value, unrolls: given.unrolls });
				printed.textContent = result.printed;
				printed.hidden = !result.printed;
				if (result.error) {
					mark(result.error);
					throw new Error(result.error);
				}
				return { draw: given.draw, targets: result.targets, ...(Class.alone ? { text: text.value } : {}) };
			};
			return { parts: [editor(text), printed], again, answer };
		};
		return { at, ask, editor, program };
	})(),
);
