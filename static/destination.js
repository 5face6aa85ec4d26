// Draws the ruler of destinations while π is fixed, from the figures that the client writes into the panel of the gauge.
"use strict";
(() => {
	const svg = document.querySelector("[data-part=ruler]"), panel = document.querySelector("[data-panel=gauge]");
	const leads = JSON.parse(svg.dataset.leads), knob = document.querySelector('[data-key="rho"]');
	const slider = knob.querySelector("[data-part=slider]");
	const read = (name) => panel.querySelector(`[data-text="${name}"]`).textContent.replaceAll("−", "-").replace("–", "");
	const short = (v) => v.toFixed(3).replace(/^(-?)0\./, "$1.").replace("-", "−");
	let turned = 0, trail = [], asked = 0, chosen = false;

	// along interpolates the destination at a place of the slider of ρ̄, from 0 to 1; place is its inverse.
	const last = leads.at.length - 1;
	const along = (p) => {
		const i = Math.min(last - 1, Math.floor(p * last)), f = p * last - i;
		return leads.at[i] + f * (leads.at[i + 1] - leads.at[i]);
	};
	const place = (v) => {
		let low = 0, high = 1;
		for (let i = 0; i < 20; i++) { const p = (low + high) / 2; if (along(p) < v) low = p; else high = p; }
		return low;
	};
	const el = (name, attributes, text) => {
		const e = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, typeof v === "number" ? v.toFixed(1) : v);
		if (text !== undefined) e.append(text);
		return e;
	};
	const wide = (text) => 7.4 * text.length;
	const raised = (x, y, tone, upper) => {
		const e = el("text", { x, y, class: "symbol " + tone, "text-anchor": "middle" }, "V");
		e.append(el("tspan", { dy: -5, "font-size": "14px" }, upper));
		return e;
	};

	// values returns the figures to draw, or null. A ρ̄ that is not in force yet leads where the exact solution says.
	const values = () => {
		const v = Object.fromEntries(["mu", "implied", "pi", "learned"].map((n) => [n, parseFloat(read("v-" + n))]));
		if (Object.values(v).some(Number.isNaN)) return null;
		const [worst, best] = read("v-scale").split(" to ").map(parseFloat);
		const alpha = document.querySelector('[data-key="alpha"] [data-part=number]')?.value;
		v.solved = Math.abs(v.mu - leads.marks[0].v) < .002 && Math.abs(v.pi - leads.marks.at(-1).v) < .002 && alpha === "1" &&
			document.querySelector('[data-key="correction"] [data-part=choice]')?.value === "vtrace";
		const waits = knob.dataset.state === "pending" || performance.now() - turned < 1500;
		if (v.solved && waits) v.implied = along(slider.value / slider.max);
		const all = [v.mu, v.implied, v.pi, v.learned], step = .1;
		v.low = Math.floor(Math.min(Number.isFinite(worst) ? worst : Infinity, ...all) / step) * step;
		v.high = Math.ceil(Math.max(...all, Math.min(Number.isFinite(best) ? best : -Infinity, v.pi + step)) / step) * step;
		return v;
	};
	const draw = () => {
		asked = 0;
		const v = values(), w = svg.clientWidth, h = svg.clientHeight;
		if (!v || w < 1 || h < 1) return;
		const side = 20, x = (value) => side + (w - 2 * side) * (value - v.low) / (v.high - v.low);
		const roomy = w >= 480, y = Math.round(86 + Math.max(0, .4 * (h - 200))), drawn = [];
		const line = (cls, x1, y1, x2, y2) => drawn.push(el("line", { class: cls, x1, y1, x2, y2 }));
		const text = (cls, at, line, words) => drawn.push(el("text", { class: cls, x: at, y: line, "text-anchor": "middle" }, words));
		drawn.push(el("rect", { class: "trough", x: side, y, width: w - 2 * side, height: 16 }));
		drawn.push(el("rect", { class: "between", x: x(Math.min(v.mu, v.pi)), y, width: Math.abs(x(v.pi) - x(v.mu)), height: 16 }));
		const span = v.high - v.low, unit = span > 2 ? Math.ceil(span / 10) : .1;
		for (let i = 0; i <= Math.round(2 * span / unit); i++) {
			const value = v.low + i * unit / 2, major = i % 2 === 0;
			line("tick", x(value), y + 16, x(value), y + (major ? 23 : 20));
			if (major) text("label", x(value), y + 36, Number(value.toFixed(6)) === 0 ? "0" : value.toFixed(1).replace(/^(-?)0\./, "$1."));
		}
		// Flags whose labels would touch move apart; a slanted line leads from each to its value.
		const rho = knob.querySelector("[data-part=number]").value;
		const flags = [{ at: v.mu, tone: "mu", upper: "μ", words: "acting policy" },
			{ at: v.implied, tone: "corrected", upper: "π ρ̄", words: `ρ̄ = ${rho} leads here` },
			{ at: v.pi, tone: "pi", upper: "π", words: "the policy you asked about" }].sort((a, b) => a.at - b.at);
		let edge = 0;
		for (const f of flags) {
			f.room = (roomy ? Math.max(52, wide(f.words)) : 52) + 10;
			f.x = Math.max(x(f.at), edge + f.room / 2);
			edge = f.x + f.room / 2;
		}
		edge = w;
		for (const f of flags.toReversed()) { f.x = Math.min(f.x, edge - f.room / 2); edge = f.x - f.room / 2; }
		for (const f of flags) {
			if (roomy) text("words " + f.tone, f.x, y - 70, f.words);
			drawn.push(raised(f.x, y - 48, f.tone, f.upper));
			text("figure " + f.tone, f.x, y - 29, short(f.at));
			drawn.push(el("path", { class: "flag " + f.tone, d: `M${f.x.toFixed(1)} ${y - 24}L${x(f.at).toFixed(1)} ${y - 10}V${y + 16}` }));
		}
		trail.forEach((value, i) => { const was = el("line", { class: "was", x1: x(value), y1: y, x2: x(value), y2: y + 16 }); was.style.opacity = .12 + .05 * i; drawn.push(was); });
		const now = x(v.learned), says = "now " + short(v.learned), half = wide(says) * .6 + 8;
		const box = Math.min(Math.max(now, half), w - half);
		drawn.push(el("path", { class: "now", d: `M${(now - 1.5).toFixed(1)} ${y - 2}h3v18l8 13h-19l8 -13z` }));
		drawn.push(el("rect", { class: "now", x: box - half, y: y + 28, width: 2 * half, height: 24, rx: 4 }));
		text("says", box, y + 45, says);
		const foot = y + 82 + Math.max(0, .1 * (h - 200));
		if (v.solved && foot + 24 < h) scale(v, x, foot, line, text, drawn, roomy);
		svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
		svg.replaceChildren(...drawn);
	};
	// scale draws where each ρ̄ leads. Labels that would touch are left out, the ends never.
	const scale = (v, x, y, line, text, drawn, roomy) => {
		const marks = leads.marks, ends = [marks[0], marks.at(-1)];
		line("scale corrected", x(ends[0].v), y, x(ends[1].v), y);
		const taken = ends.map((m) => x(m.v));
		for (const m of [...ends, ...marks.slice(1, -1)]) {
			line("scale corrected", x(m.v), y - 5, x(m.v), y + 5);
			if (!ends.includes(m) && taken.some((at) => Math.abs(at - x(m.v)) < 30)) continue;
			taken.push(x(m.v));
			text("value corrected", x(m.v), y + 24, m.rho);
		}
		drawn.push(el("text", { class: "label", x: x(ends[0].v) - 12, y: y + 4, "text-anchor": "end" }, roomy ? "with ρ̄ =" : "ρ̄ ="));
		drawn.push(el("circle", { class: "ring corrected", cx: x(v.implied), cy: y, r: 8, "data-part": "ring" }));
	};
	const ask = () => { if (!asked && document.body.dataset.policy === "still") asked = requestAnimationFrame(draw); };

	// The ring is the handle of ρ̄: it moves the slider, which asks the run.
	const held = (event) => {
		const v = values(), box = svg.getBoundingClientRect();
		const at = v.low + (v.high - v.low) * (event.clientX - box.left - 20) / (box.width - 40);
		slider.value = Math.round(slider.max * place(at));
		slider.dispatchEvent(new Event("input", { bubbles: true }));
	};
	svg.addEventListener("pointerdown", (event) => {
		if (event.target.dataset.part !== "ring") return;
		event.preventDefault();
		svg.setPointerCapture(event.pointerId);
		const move = (e) => held(e);
		const end = () => { svg.removeEventListener("pointermove", move); slider.dispatchEvent(new Event("change", { bubbles: true })); };
		svg.addEventListener("pointermove", move);
		svg.addEventListener("lostpointercapture", end, { once: true });
	});
	slider.addEventListener("input", () => { turned = performance.now(); ask(); });
	new MutationObserver(ask).observe(panel, { childList: true, characterData: true, subtree: true });
	new ResizeObserver(ask).observe(svg);
	new MutationObserver(() => {
		ask();
		if (document.body.dataset.policy === "still" && !chosen) { chosen = true; document.querySelector('[data-chip="cut-rho"]')?.click(); }
	}).observe(document.body, { attributeFilter: ["data-policy"] });
	setInterval(() => {
		const v = document.body.dataset.policy === "still" && document.body.dataset.state === "running" ? parseFloat(read("v-learned")) : NaN;
		if (!Number.isNaN(v)) trail = [...trail, v].slice(-9);
	}, 1000);
	const back = document.querySelector("[data-part=ruler-back]"), away = document.querySelector("[data-part=returns]");
	away.addEventListener("click", () => { document.body.dataset.returns = ""; back.focus(); });
	back.addEventListener("click", () => { delete document.body.dataset.returns; away.focus(); });
})();
