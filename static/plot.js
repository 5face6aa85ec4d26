// Moves the lens of a lesson's plots, turns their switches, and uncovers an answer once the reader has opened it. The
// server has computed every number.
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
			} else if (e.matches(".count")) e.textContent = line.values[at];
		}
		for (const e of all("[data-column]")) e.toggleAttribute("data-off", !uncovered.has(plot.panels[e.dataset.column.split(".")[0]][e.dataset.column.split(".")[1]].after));
		for (const e of all("[data-row]")) if (!lenses.length) e.toggleAttribute("data-off", !uncovered.has(plot.after) && Number(e.dataset.row) !== choice);
		for (const r of radios) r.disabled = !uncovered.has(plot.after) && Number(r.value) !== choice;
		for (const e of all("[data-choice]")) e.hidden = Number(e.dataset.choice) !== choice;
		figure.toggleAttribute("data-open", opened(figure.dataset.figure) || figure.hasAttribute("data-open"));
		const says = plot.says.replace("{x}", plot.xs[at]).replace("{choice}", plot.choices?.[choice] ?? "");
		const said = plot.panels.map((lines) => lines.filter((l) => seen(l) && l.says)), single = !lenses.length || panels.length === 1;
		if (!panels.length) read.textContent = says;
		else if (single) read.replaceChildren(`${says} `, ...sentence(said.flat()), ".");
		else {
			read.textContent = says;
			panels.forEach((p, i) => p.querySelector("[data-part=values]").replaceChildren(...sentence(said[i])));
		}
		const words = single ? read.textContent : `${says} ${panels.map((p) => p.querySelector(".name").textContent.trim().replace(/\s+/g, " ")).join("; ")}`;
		for (const lens of lenses) {
			lens.value = at;
			lens.setAttribute("aria-valuetext", words);
		}
	};
	for (const lens of lenses) lens.addEventListener("input", () => { at = Number(lens.value); draw(); });
	for (const r of radios) r.addEventListener("change", () => { choice = Number(r.value); if (!lenses.length) at = choice; draw(); });
	reveals(draw);
	draw();
}
