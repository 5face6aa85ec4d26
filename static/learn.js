// What a lesson does by itself: keeps guesses, compares them, opens what is revealed, has a run checked, and remembers.
// Texts, figures and the live figure's links are in the page; without this script all of it can still be read.
"use strict";
(() => {
	const all = (root, what) => [...root.querySelectorAll(what)];
	const lesson = document.body.dataset.lesson;
	const store = "impalab-lessons";
	let kept = {};
	try { kept = JSON.parse(localStorage.getItem(store)) || {}; } catch { /* nothing is kept here */ }
	const progress = (name) => kept[name] || { done: [], passed: false };
	const keep = (change) => {
		if (!lesson) return;
		kept[lesson] = Object.assign(progress(lesson), change);
		try { localStorage.setItem(store, JSON.stringify(kept)); } catch { /* the page goes on without */ }
	};

	// The theme that was chosen in the Lab.
	try {
		const theme = localStorage.getItem("theme");
		if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
	} catch { /* the machine's */ }

	// The list of lessons.
	for (const item of all(document, "li[data-lesson]")) {
		const { done, passed } = progress(item.dataset.lesson);
		item.toggleAttribute("data-passed", passed);
		if (passed) item.querySelector("[data-part=progress]").textContent = "Passed";
		else if (done.length) item.querySelector("[data-part=progress]").textContent = `${done.length} of ${item.dataset.steps} steps`;
	}
	if (!lesson) return;

	// The short path and the whole.
	const course = document.querySelector("[data-part=course]");
	const walk = (path) => {
		for (const b of all(course, "button")) b.setAttribute("aria-pressed", String(b.dataset.course === path));
		for (const s of all(document, "section[data-path=whole]")) s.hidden = path === "core";
		document.body.dataset.walked = "";
		keep({ path });
	};
	for (const b of all(course, "button")) b.addEventListener("click", () => walk(b.dataset.course));
	walk(progress(lesson).path || "core");
	const target = location.hash && document.getElementById(location.hash.slice(1));
	if (target && target.hidden) walk("whole");

	// The live figure: a link drives it; on a narrow page it stands where it was asked for.
	const live = document.getElementById("live"), frame = live.querySelector("iframe");
	const narrow = matchMedia("(max-width: 899.9px)");
	for (const a of all(document, "a.turn")) a.addEventListener("click", () => {
		frame.hidden = false;
		live.querySelector("[data-part=still]")?.remove();
		const place = a.closest(".runs"); // none: it is the still's
		if (narrow.matches && place && live.previousElementSibling !== place) place.after(live);
		live.querySelector("[data-part=running]").textContent = `${a.textContent.trim()}. The figure is live: turn whatever you like.`;
		const out = live.querySelector("[data-part=out]");
		out.hidden = !a.hash; // a page that is no run is not in the Lab
		out.href = a.href.replace("&embed=1", "");
	});

	// Scales: bar and dial.
	const scale = (box) => {
		const [from, to] = [Number(box.dataset.from), Number(box.dataset.to)];
		const log = box.dataset.log === "true";
		const at = (share) => log ? from * Math.pow(to / from, share) : from + (to - from) * share;
		const place = (x) => Math.max(0, Math.min(1, log ? Math.log(x / from) / Math.log(to / from) : (x - from) / (to - from)));
		return { at, place, log, answer: Number(box.dataset.answer), within: Number(box.dataset.within) };
	};
	const near = (s, x) => s.log ? x > 0 && x <= s.answer * s.within && x >= s.answer / s.within : Math.abs(x - s.answer) <= s.within + 1e-9;
	const few = (x) => String(Number(x.toPrecision(3)));

	for (const box of all(document, "[data-kind=scale]")) {
		const s = scale(box), range = box.querySelector("input[type=range]"), field = box.querySelector("input[type=number]");
		const guess = box.classList.contains("dial") && box.querySelector("[data-part=guess]");
		const mark = () => {
			range.setAttribute("aria-valuetext", `${field.value} ${box.dataset.unit}`);
			if (guess) guess.setAttribute("d", `M${100 * s.place(Number(field.value))} 0V100`);
		};
		range.addEventListener("input", () => { field.value = few(s.at(range.value / 1000)); mark(); });
		field.addEventListener("input", () => { range.value = 1000 * s.place(Number(field.value)); mark(); });
		mark();
	}

	// A curve: handles that the pointer moves where it passes, and the keyboard one at a time.
	const path = (box, of) => "M" + of.map((h) => `${h.dataset.at} ${100 - h.value}`).join("L");
	for (const box of all(document, "[data-kind=curve]")) {
		const handles = all(box, ".handles input"), svg = box.querySelector("svg"), guess = svg.querySelector("[data-part=guess]");
		const known = box.querySelector("path.curve");
		const end = known ? known.getAttribute("d").split(/[ML]/).pop() : "";
		const draw = () => guess.setAttribute("d", (end ? `M${end}L` : "M") + path(box, handles).slice(1));
		const at = (event) => {
			const r = svg.getBoundingClientRect();
			const x = 100 * (event.clientX - r.left) / r.width, y = 100 - 100 * (event.clientY - r.top) / r.height;
			const h = handles.reduce((a, b) => Math.abs(b.dataset.at - x) < Math.abs(a.dataset.at - x) ? b : a);
			h.value = y;
			box.dataset.drawn = "";
			draw();
		};
		svg.addEventListener("pointerdown", (e) => { svg.setPointerCapture(e.pointerId); at(e); });
		svg.addEventListener("pointermove", (e) => { if (e.buttons) at(e); });
		for (const h of handles) h.addEventListener("input", () => { box.dataset.drawn = ""; draw(); });
		draw();
	}

	// A guess is made, and what happens is shown.
	const judge = (form) => {
		const choice = form.querySelector("[data-kind=choice]"), box = form.querySelector("[data-kind=scale]");
		if (choice) {
			const picked = choice.querySelector("input:checked");
			if (!picked) return null;
			return picked.dataset.right === "true" ? "You chose right." : picked.dataset.why || "Not that one.";
		}
		if (box) {
			const s = scale(box), x = Number(box.querySelector("input[type=number]").value);
			const unit = box.dataset.unit ? " " + box.dataset.unit : "";
			for (const g of all(form.closest("section"), ".reveal [data-part=guess]")) {
				g.setAttribute("d", g.closest(".plotted") ? `M${100 * s.place(x)} 0V100` : `M${100 * s.place(x)} 0V20`);
			}
			return `You said ${few(x)}${unit}` + (near(s, x) ? ": right." : `. It is ${few(s.answer)}.`);
		}
		const drawn = form.querySelector("[data-kind=curve]"), handles = all(drawn, ".handles input");
		if (drawn.dataset.drawn === undefined) return null;
		const off = handles.reduce((sum, h) => sum + (h.value - h.dataset.truth), 0) / handles.length * drawn.dataset.to / 100;
		for (const g of all(form.closest("section"), ".reveal [data-part=guess]")) g.setAttribute("d", path(drawn, handles));
		if (Math.abs(off) <= drawn.dataset.within) return "Your curve lies close to what it did.";
		return `On average you were ${few(Math.abs(off))} too ${off > 0 ? "hopeful" : "gloomy"}.`;
	};
	for (const form of all(document, "[data-part=predict]")) form.addEventListener("submit", (event) => {
		event.preventDefault();
		const said = judge(form), section = form.closest("section"), reveal = section.querySelector(".reveal");
		form.querySelector("[data-part=said]").textContent = said !== null ? "" :
			form.querySelector("[data-kind=curve]") ? "Draw your curve first: drag across the picture." : "Choose an answer first.";
		if (said === null) return;
		form.dataset.done = "";
		if (reveal) {
			reveal.open = true;
			reveal.querySelector("[data-part=verdict]").textContent = said;
		}
		const n = Number(section.dataset.step), { done } = progress(lesson);
		if (!done.includes(n)) keep({ done: [...done, n] });
	});

	// The check: of the run that the live figure shows, or of a number.
	for (const form of all(document, "[data-part=check]")) form.addEventListener("submit", async (event) => {
		event.preventDefault();
		const said = form.querySelector("[data-part=said]"), run = form.querySelector("[name=run]");
		if (run) {
			let id = "";
			try { id = (localStorage.getItem("impalab-run") || "").split(" ")[0].split(",")[0]; } catch { /* none */ }
			if (frame.hidden || !id) {
				said.textContent = "Start a run in the live figure first.";
				return;
			}
			run.value = id;
		}
		try {
			const answer = await fetch(`${form.action}?${new URLSearchParams(new FormData(form))}`, { headers: { Accept: "application/json" } });
			const verdict = await answer.json();
			said.textContent = verdict.say;
			if (verdict.passed) keep({ passed: true });
		} catch {
			said.textContent = "The server did not answer; try again in a moment.";
		}
	});
})();
