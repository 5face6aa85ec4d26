// Updates the rows of the board, which the server draws, and submits settings.
const { base, track } = document.body.dataset;
const live = () => document.getElementById("live");
const api = base + "api/v1/board/" + (track ?? location.pathname.slice(base.length).split("/")[1]);
let key = "", busy = false, again = false;
try {
	key = localStorage.getItem("impalab-key") ?? "";
} catch { /* a browser that keeps nothing */ }

// The new rows replace the old ones. Focus and open details stay.
async function show() {
	if (busy) { again = true; return; }
	busy = true;
	try {
		const at = new URL(location);
		at.searchParams.set("part", "live");
		const answer = await fetch(at);
		if (answer.ok) {
			const html = await answer.text(), old = live();
			const open = [...old.querySelectorAll("details[open] summary")].map((s) => s.textContent);
			const focus = [...old.querySelectorAll("a, summary, [tabindex]")].indexOf(document.activeElement);
			old.outerHTML = html;
			for (const s of live().querySelectorAll("summary")) s.parentElement.open = open.includes(s.textContent);
			if (focus >= 0) live().querySelectorAll("a, summary, [tabindex]")[focus]?.focus({ preventScroll: true });
			mark();
			if (over()) events.close();
		}
	} catch { /* the line is down; the next event asks again */ }
	if (waits) await showTries();
	busy = false;
	if (again) { again = false; show(); }
}

// The panel's list of the rows that this browser submitted, newest first. The server draws it.
const tries = document.getElementById("tries");
let waits = false; // the newest try is in the queue or in training
let began = null; // when the newest try was first seen in training, and with how many seeds
async function showTries() {
	if (!tries || !own.length) return;
	try {
		const at = new URL(location.pathname, location);
		at.search = new URLSearchParams({ part: "tries", own: own.toReversed().join(",") });
		const answer = await fetch(at);
		if (!answer.ok) return;
		const html = await answer.text(), inside = tries.contains(document.activeElement);
		const focus = [...tries.querySelectorAll("a")].indexOf(document.activeElement);
		tries.innerHTML = html; // our own server drew it
		if (inside) tries.querySelectorAll("a")[focus]?.focus({ preventScroll: true });
		const newest = tries.querySelector("[data-state]");
		if (!newest) return;
		const { state, id, done, of } = newest.dataset, ended = state === "done" || state === "failed";
		if (ended && waits) form.querySelector("[data-part=ranked]").textContent = newest.querySelector("h2").textContent;
		waits = !ended;
		if (state !== "training" || began?.id !== id) began = state === "training" ? { id, at: Date.now(), done: +done } : null;
		else if (+done > began.done) newest.querySelector("[data-part=left]").textContent =
			` About ${duration((of - done) / (done - began.done) * (Date.now() - began.at) / 1000)} left.`;
	} catch { /* the line is down; the next event asks again */ }
}
const duration = (seconds) => seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;

// The rows that this browser submitted are marked. The page opens at the newest of them.
let own = [];
try { own = JSON.parse(localStorage.getItem("impalab-entries")) ?? []; } catch { /* none is known */ }
if (!Array.isArray(own)) own = [];
function mark() {
	for (const id of own) document.getElementById("row-" + id)?.classList.add("own");
}
mark();
if (!location.hash && own.length) document.getElementById("row-" + own.at(-1))?.scrollIntoView({ block: "nearest" });

const over = () => ["done", "failed"].includes(live().dataset.entry);
let events = { close() {} };
if (!over()) {
	events = new EventSource(api + "/events");
	events.addEventListener("rows", show); // the first comes with the line, for what is newer than the page
}

// The panel Rank mine. The field holds all settings that differ; a knob writes into it and follows it.
const form = document.getElementById("hand-in");
let handed = null; // the settings that were submitted last, as the field had them
// pairs reads settings as hyper.ParseText does: a value with spaces is in double quotes, or ends the text.
const named = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", a: "\x07", v: "\v" };
const unquoted = (text) => text.slice(1, -1).replace(/\\(?:x(..)|u(....)|U(.{8})|(.))/g, (_, x, u, U, other) =>
	other ? named[other] ?? other : String.fromCodePoint(parseInt(x ?? u ?? U, 16)));
const pairs = (text) => {
	const all = new Map();
	for (let rest = text.trim(); rest; rest = rest.trim()) {
		const [word, key, value] = rest.match(/^([^\s=]+)=("(?:[^"\\]|\\.)*"|[^\s"]\S*)/) ?? [rest.split(/\s/, 1)[0]];
		const ends = value && !value.startsWith('"') && form.querySelector(`[data-text="${CSS.escape(key)}"]`);
		all.set(key ?? word, ends ? rest.slice(key.length + 1) : value?.startsWith('"') ? unquoted(value) : value ?? null);
		rest = ends ? "" : rest.slice(word.length);
	}
	return all;
};
if (form) {
	const knobs = [...form.querySelectorAll("[data-knob]")].map((box) => ({
		box, key: box.dataset.knob, start: box.dataset.start, values: JSON.parse(box.dataset.values),
		range: box.querySelector("[type=range]"), typed: box.querySelector(".typed"),
	}));
	const choices = [...form.querySelectorAll("[data-choice]")], texts = [...form.querySelectorAll("[data-text]")], field = form.settings, button = form.querySelector("button.main");
	const readable = (value) => value === "inf" ? "∞" : value;
	const textOf = (k) => texts.find((one) => one.dataset.text === k);
	const write = (key, value, start) => {
		const all = pairs(field.value);
		if (value === start) all.delete(key); else all.set(key, value);
		field.value = [...all].map(([k, v]) => v === null ? k : `${k}=${/[\s"]/.test(v) || textOf(k) ? JSON.stringify(v) : v}`).join(" ");
		follow();
	};
	const number = (value) => {
		const [whole, parts = 1] = value.split("/");
		return /^(inf|∞)$/i.test(value) ? Infinity : Number(whole) / Number(parts);
	};
	const follow = () => {
		const all = pairs(field.value);
		for (const { box, key, start, values, range, typed } of knobs) {
			const value = all.get(key) ?? start, nearest = values.reduce((best, v, i) =>
				Math.abs(number(v) - number(value)) < Math.abs(number(values[best]) - number(value)) || v === value ? i : best, 0);
			if (values[range.value] !== value && !Number.isNaN(number(value))) range.value = nearest;
			if (typed !== document.activeElement) typed.value = readable(value);
			range.setAttribute("aria-valuetext", readable(value));
			range.style.setProperty("--start", values.indexOf(start) / (values.length - 1));
			box.toggleAttribute("data-differs", value !== start);
		}
		for (const choice of choices) choice.value = all.get(choice.dataset.choice) ?? choice.dataset.start;
		for (const text of texts) if (text !== document.activeElement) text.value = all.get(text.dataset.text) ?? text.dataset.start;
		check();
		button.disabled = all.size === 0;
		form.classList.toggle("handed", field.value === handed);
		button.textContent = field.value === handed ? "Turn a knob, rank again" : "Rank mine";
		if (field.value === handed) button.disabled = true;
		const sum = form.querySelector("[data-part=differ]");
		sum.textContent = all.size === 0 ? "Change at least one setting" :
			`${all.size} setting${all.size === 1 ? " differs" : "s differ"} from the start`;
		const knobOf = (k) => knobs.find((one) => one.key === k), choiceOf = (k) => choices.find((one) => one.dataset.choice === k);
		form.querySelector("[data-part=differing]").replaceChildren(...[...all].flatMap(([k, v], i) => {
			const knob = knobOf(k), words = document.createElement("span");
			const choice = choiceOf(k), name = knob?.box.querySelector(".symbol")?.textContent ?? knob?.box.querySelector("label").textContent.trim().toLowerCase() ?? k;
			words.className = knob ? knob.range.className : "";
			words.textContent = textOf(k) ? textOf(k).labels[0].textContent.toLowerCase() : choice ? choice.selectedOptions[0]?.textContent ?? v : knob ? `${name} ${readable(knob.start)} → ${readable(v)}` : `${k} ${readable(v ?? "?")}`;
			return i ? [", ", words] : [words];
		}));
		if ([...all.keys()].some((k) => !knobOf(k) && !choiceOf(k) && !textOf(k))) unfold(true);
	};
	// check asks the server which of the settings the track refuses, and shows each sentence at its knob or at the field.
	let asked = "", soon = 0;
	const places = [...form.querySelectorAll(".refused")], rest = places.find((one) => one.id === "refused-");
	const refuse = (sentences) => {
		const at = (sentence) => places.find((one) => one !== rest && sentence.match(/^[\w-]+/)?.[0] === one.id.slice(8)) ?? rest;
		for (const one of places) {
			one.textContent = sentences.filter((sentence) => at(sentence) === one).join(". ");
			for (const input of form.querySelectorAll(`[aria-describedby~="${one.id}"]`)) input.setAttribute("aria-invalid", String(!!one.textContent));
		}
		if (rest.textContent) unfold(true);
		if (sentences.length) button.disabled = true;
	};
	const check = () => {
		if (field.value === asked) return;
		asked = field.value;
		clearTimeout(soon);
		refuse([]);
		if (asked) soon = setTimeout(async () => {
			const text = asked, at = new URL(location.pathname, location);
			at.search = new URLSearchParams({ part: "check", settings: text });
			try {
				const answer = await fetch(at), { refused, idle } = await answer.json();
				if (text !== asked) return; // more was typed
				refuse(refused ?? []);
				if (idle) document.getElementById("hand-in-said").textContent = idle + ".";
			} catch { /* the answer to a submission says the same */ }
		}, 150);
	};
	const more = form.querySelector("[data-part=more-settings]"), every = form.querySelector("[data-part=every]");
	const unfold = (open) => { every.hidden = !open; more.setAttribute("aria-expanded", String(open)); };
	more.addEventListener("click", () => { unfold(every.hidden); if (!every.hidden) field.focus(); });
	for (const { key, start, values, range, typed } of knobs) {
		range.addEventListener("input", () => write(key, values[range.value], start));
		typed.addEventListener("input", () => {
			const value = typed.value.trim().replace("∞", "inf");
			write(key, value === "" || number(value) === number(start) ? start : value, start);
		});
		typed.addEventListener("change", () => { if (!typed.value.trim()) typed.value = readable(start); });
	}
	for (const choice of choices) choice.addEventListener("change", () => write(choice.dataset.choice, choice.value, choice.dataset.start));
	for (const text of texts) text.addEventListener("input", () => write(text.dataset.text, text.value.trim(), text.dataset.start));
	field.addEventListener("input", follow);
	const name = form.nickname, letters = document.getElementById("letters");
	name.addEventListener("input", () => { letters.textContent = name.value && `${[...name.value].length} of ${name.maxLength} letters`; });
	follow();
	showTries();
}
form?.addEventListener("submit", async (event) => {
	event.preventDefault();
	const said = document.getElementById("hand-in-said"), settings = {};
	for (const [name, value] of pairs(form.settings.value)) {
		if (value === null) { said.textContent = name + ": must be KEY=VALUE, like rho=2"; return; }
		settings[name] = value;
	}
	said.textContent = "Submitting…";
	try {
		const answer = await fetch(api + "/entries", {
			method: "POST", headers: key ? { Authorization: "Bearer " + key } : {},
			body: JSON.stringify({ settings, nickname: form.nickname.value.trim(), run: form.run?.checked ? form.run.value : "" }),
		});
		const entry = await answer.json();
		if (!answer.ok) { said.textContent = entry.error.message; return; }
		if (entry.key) {
			key = entry.key;
			try { localStorage.setItem("impalab-key", key); } catch { /* it is told no more */ }
		}
		own = own.filter((id) => id !== entry.id).concat(entry.id).slice(-100);
		try { localStorage.setItem("impalab-entries", JSON.stringify(own)); } catch { /* the row is not marked */ }
		said.textContent = "";
		handed = form.settings.value;
		form.settings.dispatchEvent(new Event("input"));
		await showTries();
		show();
	} catch {
		said.textContent = "The server does not answer. Try again.";
	}
});
