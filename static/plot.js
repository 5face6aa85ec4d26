// Moves the lens of a lesson's plots, turns their switches, draws from their runs, and uncovers an answer once the reader
// has opened it. The server has computed every number; only the draws are made here.
"use strict";
for (const figure of document.querySelectorAll("figure.exact")) {
	const opened = (step) => !step || !!document.querySelector(`#step-${step} > .reveal`)?.open;
	const all = (what) => [...figure.querySelectorAll(what)];
	const uncovered = new Set();
	const reveals = (then) => {
		for (const box of document.querySelectorAll(".step > .reveal")) box.addEventListener("toggle", then);
	};
	if (!figure.dataset.plot) { // a table of runs
		const show = () => { if (opened(figure.dataset.after)) figure.toggleAttribute("data-open", true); };
		reveals(show);
		show();
		continue;
	}
	const plot = JSON.parse(figure.dataset.plot), lenses = all(".lens"), radios = all("input[type=radio]"), panels = all(".panel");
	const read = figure.querySelector("[data-part=read]");
	let choice = Number(radios.find((r) => r.checked)?.value ?? 0), at = lenses.length ? Number(lenses[0].value) : choice;

	// part is a line's part of the sentence.
	const part = (line) => {
		const b = document.createElement("b");
		b.className = line.tone;
		const [before, after = ""] = line.says.split("{}");
		const inside = before.includes("×") ? before : "";
		b.append(inside + line.values[at]);
		return [before.slice(inside.length), b, after];
	};
	const sentence = (lines) => lines.flatMap((line, i) => [i ? ", " : "", ...part(line)]);
	const svg = (name, attributes, text = "") => {
		const e = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value));
		e.append(text);
		return e;
	};

	// race draws the actors, the queue and the learner of the lens' place.
	const race = () => {
		const drawn = plot.race[choice][at], shown = uncovered.has(plot.lags);
		for (const e of all("path[data-race]")) e.setAttribute("d", drawn[e.dataset.race]);
		figure.querySelector("[data-race=lags]").replaceChildren(...(shown ? drawn.lags : []).map(({ at: x, lag }) =>
			svg("text", { x: `${x}%`, y: "92%", dy: ".35em", "text-anchor": "middle" }, String(lag))));
		figure.querySelector("[data-part=lags]").toggleAttribute("data-off", !shown);
	};

	// What was drawn from the runs: the newest draw, and for each number of runs how many draws there were and in how many
	// of them all runs stood.
	let drawn = [];
	const draws = {};
	const take = (times) => {
		const n = Number(plot.xs[at]), count = draws[n] ??= { stood: 0, of: 0 };
		for (let i = 0; i < times; i++) {
			drawn = Array.from({ length: n }, () => Math.floor(Math.random() * plot.fallen.length));
			count.of++;
			if (!drawn.some((run) => plot.fallen[run])) count.stood++;
		}
		draw();
	};
	// bars are the shares of the draws in which all stood, with Wilson's 95 % interval.
	const bars = () => Object.entries(draws).flatMap(([n, { stood, of }]) => {
		const z = 1.96, p = stood / of, place = plot.xs.indexOf(n), x = `${100 * place / (plot.xs.length - 1)}%`, here = place === at;
		const middle = (p + z * z / 2 / of) / (1 + z * z / of);
		const half = z * Math.sqrt(p * (1 - p) / of + z * z / 4 / of / of) / (1 + z * z / of);
		return [svg("line", { class: "likely", x1: x, x2: x, y1: `${100 - 100 * (middle - half)}%`, y2: `${100 - 100 * (middle + half)}%` }),
			svg("circle", { class: "share", cx: x, cy: `${100 - 100 * p}%`, r: here ? 6.5 : 4.5 }),
			...(here ? [svg("text", { class: "n", x, dx: 26, y: `${100 - 100 * p}%`, dy: "-.5em" }, `${stood} of ${of}`)] : [])];
	});
	const bold = (words, tone = "") => {
		const b = document.createElement("b");
		b.className = tone;
		b.append(words);
		return b;
	};
	const drawnSays = (says, lines) => {
		const n = Number(plot.xs[at]), fell = drawn.filter((run) => plot.fallen[run]).length, count = draws[n];
		for (const [i, cart] of all(".cart").entries()) {
			const times = drawn.filter((run) => run === i).length;
			cart.toggleAttribute("data-drawn", times > 0);
			cart.querySelector("[data-part=times]").textContent = times > 1 ? `×${times}` : "";
		}
		figure.querySelector("[data-part=tries]").replaceChildren(...bars());
		figure.querySelector("[data-does=draw]").textContent = `Draw ${n}`;
		const story = !drawn.length ? [says] : fell ? [bold(`${fell} of ${n} fell`, "cut"), "."]
			: n === 1 ? ["It stands: you would write that ", bold("the method is stable"), "."]
			: [`All ${n} stand: you would write that `, bold("the method is stable"), "."];
		return [...story, ...(count ? [` So far all stood in ${count.stood} of ${count.of} draws of ${n}.`] : []),
			...(lines.length ? [" ", ...sentence(lines), "."] : [])];
	};

	const draw = () => {
		for (const step of plot.panels.flat().map((l) => l.after).concat(plot.after)) if (opened(step)) uncovered.add(step);
		const seen = (line) => uncovered.has(line.after) && (line.in === undefined || line.in === choice);
		const of = (element) => { const [p, k] = element.dataset.line.split("."); return plot.panels[p][k]; };
		for (const e of all("[data-line]")) {
			const line = of(e);
			e.toggleAttribute("data-off", !seen(line));
			if (e.matches(".ring")) {
				e.setAttribute("cx", `${100 * at / (plot.xs.length - 1)}%`);
				e.setAttribute("cy", `${100 - line.at[at]}%`);
			} else if (e.matches(".fill")) {
				const zero = parseFloat(e.parentElement.querySelector(".zero").getAttribute("x1"));
				e.setAttribute("x", `${Math.min(zero, line.at[at])}%`);
				e.setAttribute("width", `${Math.abs(line.at[at] - zero)}%`);
			} else if (e.matches(".rooms")) {
				for (const cell of e.querySelectorAll("[data-state]")) {
					cell.setAttribute("fill-opacity", (parseInt(line.shades[at].slice(2 * cell.dataset.state, 2 * cell.dataset.state + 2), 16) / 255).toFixed(2));
				}
			} else if (e.matches(".count")) e.textContent = line.values[at];
		}
		for (const e of all("[data-column]")) e.toggleAttribute("data-off", !uncovered.has(plot.panels[e.dataset.column.split(".")[0]][e.dataset.column.split(".")[1]].after));
		for (const e of all("[data-row]")) if (!lenses.length) e.toggleAttribute("data-off", !uncovered.has(plot.after) && Number(e.dataset.row) !== choice);
		for (const r of radios) r.disabled = !uncovered.has(plot.after) && Number(r.value) !== choice;
		for (const e of all("[data-choice]")) e.hidden = Number(e.dataset.choice) !== choice;
		figure.toggleAttribute("data-open", opened(figure.dataset.figure) || figure.hasAttribute("data-open"));
		if (plot.race) race();
		const says = plot.says.replace("{x}", plot.xs[at]).replace("{choice}", plot.choices?.[choice] ?? "");
		const said = plot.panels.map((lines) => lines.filter((l) => seen(l) && l.says)), single = !lenses.length || panels.length === 1;
		if (plot.fallen) read.replaceChildren(...drawnSays(says, said.flat()));
		else if (!panels.length) read.textContent = says;
		else if (single) read.replaceChildren(`${says} `, ...sentence(said.flat()), ".");
		else {
			read.textContent = says;
			panels.forEach((p, i) => p.querySelector("[data-part=values]").replaceChildren(...sentence(said[i])));
		}
		const words = plot.fallen ? says : single ? read.textContent : `${says} ${panels.map((p) => p.querySelector(".name").textContent.trim().replace(/\s+/g, " ")).join("; ")}`;
		for (const lens of lenses) {
			lens.value = at;
			lens.setAttribute("aria-valuetext", words);
		}
	};
	// T opens the table of the numbers.
	figure.addEventListener("keydown", (event) => {
		const table = figure.querySelector(".as-table");
		if (event.key.toLowerCase() === "t" && !event.ctrlKey && !event.metaKey && !event.altKey && table) table.open = !table.open;
	});
	for (const lens of lenses) lens.addEventListener("input", () => { at = Number(lens.value); drawn = []; draw(); });
	figure.querySelector("[data-does=draw]")?.addEventListener("click", () => take(1));
	figure.querySelector("[data-does=twenty]")?.addEventListener("click", () => take(20));
	for (const r of radios) r.addEventListener("change", () => { choice = Number(r.value); if (!lenses.length) at = choice; draw(); });
	reveals(draw);
	draw();
}
