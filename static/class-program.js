// A task in which students write a program. It runs in a web worker of this page, and its text stays in this browser.
// The server gets only its numbers.
// @ts-check
"use strict";
Object.assign(
	Class,
	(() => {
		const { base, el } = Class;
		const mostTime = 5000; // milliseconds, from when the module is there

		// run runs a program on unrolls in JSON. It resolves to targets, printed text, and an error or "".
		const run = (source, unrolls) =>
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
				thread.postMessage({ exec, module: runnerModule, source, unrolls });
			});

		// program makes the fields of a task and a function that computes its answer, for a try or a hand-in.
		const program = (task, code, call) => {
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
				const given = await (await call("GET", `/rooms/${code}/unrolls/${task.name}?kind=${kind}`)).json();
				const result = await run(text.value, JSON.stringify(given.unrolls));
				printed.textContent = result.printed;
				printed.hidden = !result.printed;
				if (result.error) {
					mark(result.error);
					throw new Error(result.error);
				}
				return { draw: given.draw, targets: result.targets };
			};
			return { parts: [text, printed], again, answer };
		};
		return { program };
	})(),
);
