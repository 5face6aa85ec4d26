// Compares a reader's guesses with the answers in the page, opens what they reveal, asks the server to check a run, and
// stores the progress. Without this script the page still has all texts, figures and links.
"use strict";
(() => {
	const all = (root, what) => [...root.querySelectorAll(what)];
	const lesson = document.body.dataset.lesson;
	const store = "impalab-lessons";
	let kept = {};
	try { kept = JSON.parse(localStorage.getItem(store)) || {}; } catch { /* this browser stores nothing */ }
	const progress = (name) => kept[name] || { done: [], passed: false };
	const keep = (change) => {
		if (!lesson) return;
		kept[lesson] = Object.assign(progress(lesson), change);
		try { localStorage.setItem(store, JSON.stringify(kept)); } catch { /* not stored */ }
	};

	// The list of lessons. The first that is not finished comes next.
	let next = true;
	for (const item of all(document, "li[data-lesson]")) {
		const { done, passed } = progress(item.dataset.lesson), words = item.querySelector("[data-part=progress]");
		item.toggleAttribute("data-passed", passed);
		item.toggleAttribute("data-next", next && !passed);
		words.textContent = passed ? "Passed" : done.length ? `${done.length} of ${item.dataset.steps} steps` : next ? "Next:" : "";
		next &&= passed;
	}
	for (const dash of all(document, "[data-dash]")) dash.toggleAttribute("data-done", progress(dash.dataset.dash).passed);
	if (!lesson) return;
	const passed = all(document, "[data-dash][data-done]").length, lessons = all(document, "[data-dash]").length;
	const closing = document.querySelector("[data-part=closing]");
	if (closing && passed) closing.textContent = passed === lessons ? `You have passed all ${lessons} lessons` : `You have passed ${passed} of ${lessons} lessons`;

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

	// The live figure: a link starts it. On a narrow page it moves to the link.
	const live = document.getElementById("live"), frame = live.querySelector("iframe");
	const narrow = matchMedia("(max-width: 899.9px)");
	for (const a of all(document, "a.turn")) a.addEventListener("click", () => {
		frame.hidden = false;
		const place = a.closest(".runs");
		if (narrow.matches && live.previousElementSibling !== place) place.after(live);
		live.querySelector("[data-part=running]").textContent = `${a.textContent.trim()}. The figure is live: change any setting.`;
		const out = live.querySelector("[data-part=out]");
		out.hidden = !a.hash; // only runs open in the Lab
		out.href = a.href.replace("&embed=1", "");
	});

	// Scales: bar and dial. A slider and a field hold the same guess; on a logarithmic scale the slider has its logarithm.
	const few = (x) => String(Number(x.toPrecision(3)));
	const scale = (box) => ({ log: box.dataset.log === "true", range: box.querySelector("input[type=range]"), field: box.querySelector("input[type=number]") });
	const mark = (box, guess) => {
		const { range } = scale(box), at = 100 * (range.value - range.min) / (range.max - range.min);
		guess.setAttribute("d", `M${at} 0V${guess.closest(".plotted") ? 100 : 20}`);
	};
	for (const box of all(document, "[data-kind=scale]")) {
		const { log, range, field } = scale(box), guess = box.classList.contains("dial") && box.querySelector("[data-part=guess]");
		const show = () => {
			range.setAttribute("aria-valuetext", `${field.value} ${box.dataset.unit}`);
			if (guess) mark(box, guess);
		};
		range.addEventListener("input", () => { field.value = few(log ? 10 ** range.value : Number(range.value)); show(); });
		field.addEventListener("input", () => { range.value = log ? Math.log10(field.value) : field.value; show(); });
		show();
	}

	// A curve: the pointer moves every handle that it passes, the keyboard one at a time.
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
			h.dispatchEvent(new Event("input", { bubbles: true }));
		};
		svg.addEventListener("pointerdown", (e) => { svg.setPointerCapture(e.pointerId); at(e); });
		svg.addEventListener("pointermove", (e) => { if (e.buttons) at(e); });
		for (const h of handles) h.addEventListener("input", () => { box.dataset.drawn = ""; draw(); });
		draw();
	}

	// A guess opens the reveal.
	const judge = (form) => {
		const choice = form.querySelector("[data-kind=choice]"), box = form.querySelector("[data-kind=scale]");
		if (choice) {
			const picked = choice.querySelector("input:checked");
			if (!picked) return null;
			return picked.dataset.right === "true" ? "You chose right." : picked.dataset.why || "Not that one.";
		}
		if (box) {
			const x = Number(scale(box).field.value), { low, high, answer, unit } = box.dataset;
			for (const g of all(form.closest("section"), ".reveal [data-part=guess]")) mark(box, g);
			return `You said ${few(x)}${unit && " " + unit}` + (x >= low && x <= high ? ": right." : `. It is ${answer}.`);
		}
		const drawn = form.querySelector("[data-kind=curve]"), handles = all(drawn, ".handles input");
		if (drawn.dataset.drawn === undefined) return null;
		const off = handles.reduce((sum, h) => sum + (h.value - h.dataset.truth), 0) / handles.length * drawn.dataset.to / 100;
		for (const g of all(form.closest("section"), ".reveal [data-part=guess]")) g.setAttribute("d", path(drawn, handles));
		if (Math.abs(off) <= drawn.dataset.within) return "Your curve lies close to what it did.";
		return `On average you were ${few(Math.abs(off))} too ${off > 0 ? "hopeful" : "gloomy"}.`;
	};
	for (const form of all(document, "[data-part=predict]")) {
		const section = form.closest("section"), reveal = section.querySelector(".reveal"), words = form.querySelector("[data-part=said]");
		const send = form.querySelector("[type=submit]");
		send.disabled = !!form.querySelector("[data-kind=scale]");
		form.addEventListener("input", () => { form.dataset.touched = ""; send.disabled = false; });
		// show opens the answer; a step with a figure is played on to its end first.
		const show = (said) => {
			const open = () => {
				words.textContent = "";
				if (!reveal) return;
				reveal.open = true;
				reveal.querySelector("[data-part=verdict]").textContent = said;
			};
			form.dataset.done = "";
			words.textContent = "The runs continue from the question.";
			if (!window.Opening?.answers(section, open)) open();
		};
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			const said = judge(form);
			if (said === null) {
				words.textContent = form.querySelector("[data-kind=curve]") ? "Draw your curve first: drag across the picture." : "Choose an answer first.";
				return;
			}
			const n = Number(section.dataset.step), { done } = progress(lesson);
			if (!done.includes(n)) keep({ done: [...done, n] });
			show(said);
		});
		form.querySelector("[data-does=skip]")?.addEventListener("click", () => show(""));
	}

	// The check of a number, or of the run in the live figure.
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
