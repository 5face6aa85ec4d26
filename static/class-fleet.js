// The fleet: students' browsers act for the class's run, and the teacher's view shows the run.
// @ts-check
"use strict";
Object.assign(
	Class,
	(() => {
		const { base, el, chart } = Class;
		const figure = (x, digits = 1) => (x === null ? "–" : x.toFixed(digits));
		const over = (fleet) => fleet.state === "done" || fleet.state === "diverged";

		// actor makes the student's part: a web worker that acts while the fleet is on and the student allows it.
		const actor = (code, secret) => {
			const { worker, exec, kernels, program, build } = document.body.dataset;
			const words = el("p", {}),
				trouble = el("p", { class: "small" }),
				picture = el("div", {});
			const rest = el("button", {
				type: "button",
				onclick: () => {
					if (!ready) {
						ready = true;
						Class.keep(code, { ...Class.kept[code], ready: fleet.run });
					} else rests = !rests;
					left = "";
					turn();
				},
			});
			const place = el(
				"section",
				{ class: "fleet", "aria-label": "The fleet", hidden: true },
				el("h2", {}, "You act for the class"),
				words,
				trouble,
				picture,
				el("p", { class: "acts" }, rest),
			);
			let thread = null,
				rests = false,
				ready = false,
				left = "",
				fleet = null,
				acts = null;
			const end = () => {
				thread?.terminate();
				thread = null;
			};
			const begin = () => {
				const url = new URL(base + "api/actor", location.href);
				url.protocol = url.protocol.replace("http", "ws");
				thread = new Worker(worker);
				thread.onmessage = ({ data }) => {
					if (!data.failed && (data.again || !data.left)) return;
					left = data.failed || data.left;
					end();
					turn();
				};
				thread.onerror = () => {
					left = "this browser could not start it; reload the page";
					end();
					turn();
				};
				thread.postMessage({ start: { exec, kernels, program, programs: "", build, number: 0 } });
				thread.postMessage({ act: { url: url.href, run: "room:" + code, key: secret } });
			};
			const turn = () => {
				const wanted = !!fleet?.on && !over(fleet) && ready && !rests && !left;
				if (wanted !== !!thread) wanted ? begin() : end();
				place.hidden = !fleet?.on;
				if (place.hidden) return;
				words.textContent = acts?.steps
					? `${Class.count(acts.steps)} steps of yours were learned from, ${figure(acts.lag)} updates after the policy ` +
						`that played them. Your last episodes return ${figure(acts.return)}.`
					: over(fleet)
						? "The run is over."
						: !ready
							? "Your browser can play for the run that the whole class sees. It begins when you are ready."
							: "Your browser plays, and one learner learns from all of you. Its first steps are on their way.";
				const state = over(fleet)
					? fleet.reason
					: !ready
						? ""
						: rests
							? "Your browser rests."
							: left
								? left[0].toUpperCase() + left.slice(1) + "."
								: !acts?.here
									? "Your browser is joining."
									: !acts.playing
										? "Your browser waits for a place."
										: fleet.correction === "none"
											? "Your teacher has switched the correction off."
											: "";
				trouble.textContent = [
					state,
					acts?.forged ? `${acts.forged} blocks were dropped: they did not match their orders.` : "",
				]
					.filter(Boolean)
					.join(" ");
				rest.classList.toggle("main", !ready);
				rest.textContent = !ready ? "Ready" : rests || left ? "Act again" : "Let my browser rest";
				rest.hidden = over(fleet);
				picture.replaceChildren(...(fleet.chart ? [chart(fleet)] : []));
			};
			let run = "";
			const see = (view) => {
				fleet = view.fleet;
				acts = view.acts;
				if (fleet?.run !== run) {
					// one that began again after an interruption is the same to its students
					left = "";
					run = fleet?.run;
					ready = !!run && (Class.kept[code]?.ready === run || (ready && fleet.again > 0));
				}
				if (!fleet?.on) left = "";
				turn();
			};
			return {
				place,
				see,
				end: () => {
					fleet = null;
					turn();
				},
			};
		};

		// Runs to choose from.
		const begun = (here) => [
			[
				"CartPole in lockstep: all wait for each other",
				`p=cartpole&mode=reference&collect=trajectory&actors=${Math.min(Math.max(here, 1), 32)}&speed=4000`,
			],
			["CartPole, each as fast as it can", "p=cartpole&mode=live&actors=1&speed=4000"],
			["Catch, each as fast as it can", "p=catch&mode=live&actors=1&speed=4000"],
		];

		// wall makes the teacher's part: the run, its figures, and a switch for the correction.
		const wall = (change, open, dialog) => {
			const figures = el("p", { class: "counts" }),
				trouble = el("p", {}),
				picture = el("div", {}),
				head = el("summary", {}, "The class acts");
			const button = (words, act, more) => el("button", { type: "button", onclick: act, ...more }, words);
			const correction = button("", () => {
				const off = fleet.correction === "none";
				if (!off) corrected = fleet.correction;
				change({ fleet: { set: { correction: off ? corrected : "none" } } });
			});
			const on = button("", () => change({ fleet: { on: !fleet.on } })),
				page = el("a", { target: "_blank" }, "The run's own page");
			const place = el(
				"section",
				{ class: "fleet", "aria-label": "The fleet", hidden: true },
				el(
					"details",
					{ open: true },
					head,
					figures,
					trouble,
					picture,
					el("p", { class: "acts" }, correction, on, page),
				),
			);
			let fleet = null,
				step = -1,
				corrected = "vtrace",
				here = 1;
			const see = (view) => {
				fleet = view.fleet;
				here = view.tiles.filter((t) => t.state !== "gone").length;
				place.hidden = !fleet;
				// It folds to a line when the plan continues: the step has the room.
				if (step >= 0 && step !== view.step) place.querySelector("details").open = false;
				step = view.step;
				if (!fleet) return;
				head.textContent = `The class acts · ${fleet.acting} act, return ${figure(fleet.return)}`;
				const many = [
					[fleet.acting, "act"],
					[Class.count(fleet.steps), "steps learned from"],
					[`${Math.round(100 * fleet.share)} %`, "of them the class's"],
					[figure(fleet.lag), "lag, in updates"],
					[figure(fleet.return), "return"],
				];
				if (fleet.forged) many.push([fleet.forged, "forged blocks, dropped"]);
				figures.replaceChildren(...many.map(([n, words]) => el("span", {}, el("b", {}, String(n)), " " + words)));
				const again = fleet.again
					? "The run was interrupted: a live run cannot be stored, so this one restarted."
					: "";
				trouble.textContent = [fleet.on ? fleet.reason : "Their browsers rest.", again].filter(Boolean).join(" ");
				correction.textContent =
					fleet.correction === "none" ? "Switch the correction on" : "Switch the correction off";
				correction.setAttribute("aria-pressed", String(fleet.correction === "none"));
				correction.hidden = !fleet.on || !fleet.correction || over(fleet);
				on.textContent = fleet.on ? "Let them rest" : "Continue";
				page.href = base + "r/" + fleet.run;
				picture.replaceChildren(...(fleet.chart ? [chart(fleet)] : []));
			};
			const ask = () => {
				const own = el("input", {
					name: "own",
					type: "text",
					autocomplete: "off",
					spellcheck: "false",
					placeholder: "p=cartpole&mode=live",
					"aria-label": "Settings, as a link of the Lab has them",
				});
				const ready = begun(here),
					choices = [...ready.map(([words], i) => [words, String(i)]), ["As in a link of the Lab", "own"]];
				const form = el(
					"form",
					{
						onsubmit: async (event) => {
							event.preventDefault();
							const chosen = new FormData(form).get("which"),
								text = chosen === "own" ? own.value.replace(/^.*#/, "") : ready[Number(chosen)][1];
							const settings = Object.fromEntries(new URLSearchParams(text));
							delete settings.v;
							if (await change({ fleet: { settings } })) dialog.close();
						},
					},
					el(
						"fieldset",
						{ class: "choices", "aria-label": "Run" },
						choices.map(([words, value], i) =>
							el(
								"label",
								{ class: "choice" },
								el("input", { type: "radio", name: "which", value, checked: i === 0 }),
								el("span", {}, words),
							),
						),
					),
					own,
					el("p", { class: "acts" }, el("button", { class: "main" }, fleet ? "Begin another" : "Begin")),
				);
				own.addEventListener("focus", () => {
					form.querySelector("[value=own]").checked = true;
				});
				open(
					"The class acts",
					el(
						"p",
						{},
						"Your students' browsers play, each when its student says “Ready”, and one learner on the server learns " +
							"from all of them. How old their policy is by then is the lag: it is measured, and stands on each tile.",
					),
					el(
						"p",
						{ class: "small" },
						"The server plays every block again and learns from equal bytes only. That costs it as much as playing: " +
							"on a small machine with many students blocks wait, and the lag of all grows.",
					),
					form,
				);
			};
			return { place, see, ask };
		};

		// part returns the words on a student's tile.
		const part = (acts) =>
			!acts
				? ""
				: [
						acts.forged ? `${acts.forged} forged` : "",
						acts.here && !acts.playing ? "waits for a place" : "",
						acts.unrolls ? `lag ${figure(acts.lag)}, return ${figure(acts.return)}` : "",
					]
						.filter(Boolean)
						.join(", ");
		return { fleet: { actor, wall, part } };
	})(),
);
