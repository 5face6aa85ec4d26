// Plays the figure of a lesson's step: the stored runs up to the step's question, again and again, and after the guess on
// to their end, with the gap between guess and truth. Nothing after the question is drawn before the guess.
"use strict";
(() => {
	const { calm, show: showStick, tumble } = Stick;
	const el = (name, attributes) => {
		const e = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, typeof value === "number" ? value.toFixed(2) : value);
		return e;
	};
	const figures = [...document.querySelectorAll(".beside > figure")];
	if (!figures.length) return;
	const opens = 4000, pause = 1000, answers = 5000, each = 40; // milliseconds: the way to the question, a pause, the way to the end, a pose
	const most = 500, narrow = matchMedia("(max-width: 899.9px)"), live = document.getElementById("live"), beside = live.parentElement;

	const count = (steps) => steps >= 1000 ? `${steps / 1000} k` : String(steps);
	const make = (figure) => {
		const step = document.getElementById("step-" + figure.dataset.figure), form = step.querySelector("[data-part=predict]");
		const run = JSON.parse(figure.dataset.run), plot = figure.querySelector("[data-part=plot]"), words = figure.querySelector("[data-part=plays]");
		const sticks = [...figure.querySelectorAll(".stick")], asked = run.lines.at(-1), points = asked.at.length;
		const range = form.querySelector("[data-kind=scale] input[type=range]"), handles = [...form.querySelectorAll(".handles input")];
		const touched = () => form.dataset.touched !== undefined;
		let phase = "opening", began = performance.now(), posed = -1, drawn = "", done = null, fell = run.lines.map(() => null);

		const value = (line, steps) => line.at[Math.min(points, Math.round(points * steps / run.steps)) - 1] ?? null;
		const guess = () => Number(range?.value ?? handles.at(-1).value * most / 100);
		const truth = () => run.mean ? asked.at.reduce((a, b) => a + (b ?? 0), 0) / points : asked.at.at(-1);

		// where returns the step that is shown, and how long its part has been played.
		const where = (now) => {
			const t = Math.max(0, now - began); // a frame may be older than its event
			if (phase === "opening") return calm.matches ? run.ask : run.ask * Math.min(1, t % (opens + pause) / opens);
			return phase === "over" || calm.matches ? run.steps : run.ask + (run.steps - run.ask) * Math.min(1, t / answers);
		};
		// A line has fallen where it stands below half of its best mean and below 60.
		const down = (line, steps) => {
			const best = Math.max(0, ...line.at.slice(0, Math.round(points * steps / run.steps))), now = value(line, steps);
			return steps > run.ask && now !== null && now < 60 && best >= 100 && now < best / 2;
		};
		const showSticks = (now, steps) => run.lines.forEach((line, i) => {
			const place = sticks[i], score = value(line, steps);
			const after = line.poses.length - run.before;
			const part = steps <= run.ask ? run.before * steps / run.ask : run.before + after * (steps - run.ask) / (run.steps - run.ask);
			const poses = line.poses[Math.max(0, Math.ceil(part) - 1)], k = calm.matches ? poses.length / 2 - 1 : Math.floor(now / each) % (poses.length / 2);
			const x = poses[2 * k] / 100, lean = poses[2 * k + 1] / 1000;
			place.querySelector("[data-part=score]").textContent = score === null ? "–" : String(Math.round(score));
			if (down(line, steps)) {
				fell[i] ||= { since: now, x, lean };
				tumble(place, fell[i].x, fell[i].lean, (now - fell[i].since) / 1000);
				return;
			}
			fell[i] = null;
			const trail = [];
			for (let j = Math.max(0, k - 8); j < k; j++) trail.push(poses[2 * j + 1] / 1000);
			showStick(place, x, lean, trail);
		});

		const showPlot = (steps) => {
			const w = plot.clientWidth, h = plot.clientHeight;
			if (!w || !h) return;
			const slim = w < 600, left = 36, right = w - (slim ? 14 : 150), top = 16, foot = h - 22;
			const X = (s) => left + (right - left) * s / run.steps, Y = (v) => foot - (foot - top) * v / most;
			const parts = [];
			const line = (cls, x1, y1, x2, y2) => parts.push(el("line", { class: cls, x1, y1, x2, y2 }));
			const text = (cls, x, y, anchor, says) => { const t = el("text", { class: cls, x, y, "text-anchor": anchor }); t.append(says); parts.push(t); };
			const path = (cls, list) => list.length && parts.push(el("path", { class: cls, d: list.map(([s, v], i) => `${i ? "L" : "M"}${X(s).toFixed(1)} ${Y(v).toFixed(1)}`).join("") }));
			if (phase === "opening") {
				parts.push(el("rect", { class: "field", x: X(run.ask), y: top, width: right - X(run.ask), height: foot - top }));
				text("note quiet", (X(run.ask) + right) / 2, Y(60), "middle", "not yet played");
			}
			for (const v of [0, most / 2, most]) { line("tick", left, Y(v), right, Y(v)); text("label", left - 7, Y(v) + 4.5, "end", String(v)); }
			for (const q of [0, .5, 1]) text("label", X(q * run.steps), h - 4, q === 0 ? "start" : q === 1 ? "end" : "middle", q === 0 ? "0 steps" : count(q * run.steps));
			line("question", X(run.ask), top - 4, X(run.ask), foot);
			const early = X(run.ask) - left < 100;
			if (!early || phase === "opening") text("label halo", X(run.ask) + (early ? 6 : -6), top + 12, early ? "start" : "end", "the question");
			const ends = [];
			for (const one of run.lines) {
				const list = one.at.map((v, i) => [(i + 1) * run.steps / points, v]).filter(([s, v]) => v !== null && s <= steps + 1);
				path("run " + one.tone, list);
				if (list.length && phase !== "opening") ends.push({ y: Y(list.at(-1)[1]), x: X(list.at(-1)[0]), cls: one.tone, says: one.words });
			}
			// What was guessed: a dotted line from the question, with a ring at its end.
			const from = value(asked, run.ask), mine = guess(), shown = phase === "opening" || touched();
			if (shown) {
				const start = run.mean ? mine : from ?? 0;
				const drawing = handles.length ? handles.map((one) => [one.dataset.at * run.steps / 100, one.value * most / 100]) : [[run.steps, mine]];
				path("guess", [[run.ask, start], ...drawing]);
				parts.push(el("circle", { class: "ring", cx: right, cy: Y(mine), r: 7.5, "data-part": "ring" }));
				ends.push({ y: Y(mine), x: right, cls: "strong", says: touched() ? `your guess ${Math.round(mine)}` : "your guess" });
			}
			if (phase === "over") {
				const is = truth();
				if (run.mean) { line("question level", X(run.ask), Y(is), right, Y(is)); ends.push({ y: Y(is), x: right, cls: asked.tone, says: `mean ${Math.round(is)}` }); }
				if (touched()) {
					const off = Math.round(mine) - Math.round(is), x = right - 24;
					line("gap", x, Y(mine), x, Y(is));
					const mid = Math.min(Math.max((Y(mine) + Y(is)) / 2 + 5, top + 14), foot - 8);
					text("note halo", x - 8, mid, "end", Math.abs(off) <= 5 ? "that is close" : `${Math.abs(off)} too ${off > 0 ? "hopeful" : "gloomy"}`);
				}
			}
			// Names stand right of the ends, apart from each other; on a phone above the ends.
			ends.sort((a, b) => a.y - b.y);
			let edge = top - 12;
			for (const e of ends) { e.at = Math.max(e.y + 4.5, edge + 16); edge = e.at; }
			let floor = h - 4;
			for (const e of ends.toReversed()) { e.at = Math.min(e.at, floor); floor = e.at - 16; }
			for (const e of ends) text("end halo " + e.cls, slim ? right - 12 : right + 14, slim ? e.at - 10 : e.at, slim ? "end" : "start", e.says);
			plot.setAttribute("viewBox", `0 0 ${w} ${h}`);
			plot.replaceChildren(...parts);
		};

		const frame = (now) => {
			const steps = where(now);
			if (phase === "answer" && steps >= run.steps) { phase = "over"; end(); }
			const pose = Math.floor(now / each), curve = phase + Math.floor(points * steps / run.steps);
			if (pose !== posed || phase === "over") { posed = pose; showSticks(now, steps); }
			if (curve !== drawn || phase === "over") { drawn = curve; showPlot(steps); }
		};
		const end = () => {
			words.textContent = "Played to the end";
			const is = Math.round(truth());
			plot.setAttribute("aria-label", `The mean of the last hundred episodes over ${run.steps} steps of practice. ${asked.words} ${run.mean ? "has the mean" : "ends at"} ${is}.`);
			done?.();
			done = null;
		};
		// answer plays on from the question, and then calls back.
		const answer = (then) => {
			done = then;
			figure.removeAttribute("data-muted");
			words.textContent = "Continued from the question";
			phase = "answer";
			began = performance.now();
			drawn = "";
			show(one);
			if (calm.matches) frame(began);
			if (narrow.matches) figure.scrollIntoView({ block: "nearest" });
		};
		const rests = () => phase === "over" || calm.matches;
		form.addEventListener("input", () => { drawn = ""; if (rests()) frame(performance.now()); });

		// The ring is a handle of the guess.
		plot.addEventListener("pointerdown", (event) => {
			if (phase !== "opening" || !range || event.target.dataset.part !== "ring") return;
			event.preventDefault();
			plot.setPointerCapture(event.pointerId);
			const move = (e) => {
				const box = plot.getBoundingClientRect(), share = (box.height - 22 - (e.clientY - box.top)) / (box.height - 22 - 16);
				range.value = Math.max(range.min, Math.min(range.max, share * most));
				range.dispatchEvent(new Event("input", { bubbles: true }));
			};
			plot.addEventListener("pointermove", move);
			plot.addEventListener("lostpointercapture", () => plot.removeEventListener("pointermove", move), { once: true });
		});
		new ResizeObserver(() => { drawn = ""; frame(performance.now()); }).observe(plot);
		words.textContent = calm.matches ? "Real runs, up to the question" : narrow.matches ? "Plays up to the question" : "Plays up to the question, again and again";
		const one = { figure, step, frame, answer, begin: () => { if (phase === "opening") began = performance.now(); drawn = ""; }, rests };
		return one;
	};

	// still is a figure that plays nothing.
	const still = (figure) => ({ figure, step: document.getElementById("step-" + figure.dataset.figure), frame() {}, begin() {}, rests: () => true });
	const all = figures.map((figure) => figure.dataset.run ? make(figure) : still(figure));
	let shown = all[0];
	const show = (one) => {
		if (one === shown && !one.figure.hidden) return;
		shown = one;
		one.begin();
		for (const other of all) other.figure.hidden = !narrow.matches && other !== one;
		one.frame(performance.now());
	};
	// On a wide page one figure stands beside the text: that of the step in view. On a narrow one each later figure stands in its step.
	const place = () => {
		for (const one of all.slice(1)) {
			if (narrow.matches) one.step.querySelector("[data-part=predict]").before(one.figure);
			else live.before(one.figure);
		}
		for (const one of all) one.figure.hidden = !narrow.matches && one !== shown;
	};
	narrow.addEventListener("change", place);
	place();
	if (all[0].step.hidden) show(all.find((one) => !one.step.hidden) ?? all[0]);
	const sight = new IntersectionObserver((entries) => {
		for (const e of entries) if (e.isIntersecting && !narrow.matches) show(all.find((one) => one.step === e.target));
	}, { rootMargin: "-35% 0px -45% 0px" });
	for (const one of all) sight.observe(one.step);

	// A live run takes the place of the figures, until a reader asks for them.
	const back = live.querySelector("[data-part=back]");
	for (const a of document.querySelectorAll("a.turn")) a.addEventListener("click", () => {
		if (narrow.matches) return;
		beside.dataset.lives = "";
		back.hidden = false;
	});
	back.addEventListener("click", () => {
		delete beside.dataset.lives;
		back.hidden = true;
		live.querySelector("iframe").hidden = true;
		live.querySelector("iframe").src = "about:blank";
		live.querySelector("[data-part=running]").textContent = "";
		live.querySelector("[data-part=out]").hidden = true;
	});

	let last = 0;
	const tick = (now) => {
		if (now - last >= 30 && !document.hidden && beside.dataset.lives === undefined) {
			last = now;
			for (const one of narrow.matches ? all : [shown]) if (!one.rests() && inSight(one.figure)) one.frame(now);
		}
		requestAnimationFrame(tick);
	};
	const inSight = (e) => { const b = e.getBoundingClientRect(); return b.bottom > 0 && b.top < innerHeight; };
	requestAnimationFrame(tick);
	window.Opening = { answers: (step, then) => { const one = all.find((o) => o.step === step && o.answer); one?.answer(then); return !!one; } };
})();
