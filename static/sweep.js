// Keeps the page of a sweep up to date: the server draws it, this only asks for what is new, and carries keys.
const figure = () => document.getElementById("figure");
const { base, sweep } = document.body.dataset;
const api = base + "api/v1/sweeps/" + sweep;
const say = (words) => { document.getElementById("announce").textContent = words; };
let yours = false, busy = false, next = null; // next is the cell that is asked for while an answer is under way

// The figure with this cell chosen takes the place of the one that is there; focus and the open table stay.
async function show(cell) {
	if (busy) { next = cell; return; }
	busy = true;
	try {
		const answer = await fetch("?" + query(cell) + "&part=figure");
		if (answer.ok) {
			const focus = document.activeElement?.id, column = document.activeElement?.closest("[data-chart] [data-number]");
			const open = document.getElementById("table").open;
			const html = await answer.text();
			figure().outerHTML = html;
			document.getElementById("table").open = open;
			if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
			if (column) columns().find((a) => a.dataset.number === figure().dataset.cell)?.focus({ preventScroll: true });
			own();
			offer();
			border();
		}
	} catch { /* the line is down; the next event asks again */ }
	busy = false;
	if (next !== null) {
		const cell = next;
		next = null;
		show(cell);
	}
}
// columns are the links of the chart that this width of the page shows: from left to right, and on a map row by row.
const columns = () => [...document.querySelectorAll("[data-chart] [data-number]")].filter((a) => a.getClientRects().length > 0);
// query names a cell, and the sweep beside.
function query(cell) {
	const at = new URLSearchParams(location.search);
	at.set("cell", cell);
	return at;
}
// The sweeps that this browser has opened can stand beside this one.
let seen = [];
try { seen = JSON.parse(localStorage.getItem("impalab-sweeps")) ?? []; } catch { /* none is known */ }
const others = seen.filter((one) => one.id !== sweep);
try {
	localStorage.setItem("impalab-sweeps", JSON.stringify([{ id: sweep, title: document.getElementById("title").textContent }, ...others].slice(0, 20)));
} catch { /* this browser stores nothing */ }
function offer() {
	const form = document.getElementById("beside"), list = form.elements.beside;
	form.hidden = others.length === 0 && !list.dataset.shown;
	for (const one of others) list.append(new Option(`${one.title} (${one.id.slice(0, 6)})`, one.id));
	if (list.dataset.shown && !others.some((one) => one.id === list.dataset.shown)) list.append(new Option(list.dataset.shown.slice(0, 6), list.dataset.shown));
	list.value = list.dataset.shown;
	list.addEventListener("change", () => {
		const at = query(figure().dataset.cell);
		if (list.value) at.set("beside", list.value); else at.delete("beside");
		location.search = at;
	});
}
function own() {
	const cancel = document.getElementById("cancel");
	if (cancel) cancel.hidden = !yours;
}
async function cancel() {
	if (!yours || figure().dataset.state !== "running") return;
	const answer = await fetch(api + "/stop", { method: "POST", headers: Sweeps.auth() });
	say(answer.ok ? "Cancelled" : (await answer.json()).error.message);
}
function choose(cell) {
	history.replaceState(null, "", "?" + query(cell));
	for (const a of document.querySelectorAll("[data-number]")) {
		if (a.dataset.number === cell) a.setAttribute("aria-current", "true"); else a.removeAttribute("aria-current");
	}
	figure().dataset.cell = cell;
	show(cell);
}
document.addEventListener("click", (event) => {
	if (event.target.closest("#cancel")) cancel();
	const view = event.target.closest("[data-view][href]"), cell = event.target.closest("[data-number]");
	if (view && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
		event.preventDefault();
		const at = query(figure().dataset.cell);
		if (view.dataset.view === "curves") at.set("view", "curves"); else at.delete("view");
		history.replaceState(null, "", "?" + at);
		show(figure().dataset.cell);
	}
	if (cell && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
		event.preventDefault();
		choose(cell.dataset.number);
	}
});
const ways = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
document.addEventListener("keydown", (event) => {
	if (event.ctrlKey || event.altKey || event.metaKey) return;
	if (event.key === "x" || event.key === "X") cancel();
	const cell = event.target.closest?.("[data-number]"), way = ways[event.key];
	if ((event.key === "t" || event.key === "T") && figure().contains(event.target)) {
		document.getElementById("table").open = true;
		document.querySelector("#table summary").focus();
	}
	if (!cell || !way) return;
	const drawn = cell.closest("[data-chart]");
	if (drawn) {
		const all = columns(), at = all.indexOf(cell), across = Number(drawn.dataset.across ?? 0);
		event.preventDefault();
		const edge = across && way[1] && Math.floor((at + way[1]) / across) !== Math.floor(at / across);
		const to = across ? all[at + way[1] - across * way[0]] : all[at + way[0] + way[1]];
		if (to && !edge) { to.focus(); choose(to.dataset.number); }
		return;
	}
	const td = cell.closest("td"), row = td.parentElement.parentElement.rows[td.parentElement.rowIndex + way[0]];
	event.preventDefault();
	row?.cells[td.cellIndex + way[1]]?.querySelector("[data-number]")?.focus();
});
// The border of another correction: the same sweep with that one setting, beside this one.
function border() {
	const form = document.getElementById("border");
	if (!form) return;
	form.hidden = figure().dataset.state === "running";
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		const body = JSON.parse(form.dataset.body);
		Object.assign(body.settings, Object.fromEntries(new URLSearchParams(form.elements.correction.value)));
		form.querySelector("button").disabled = true;
		const said = form.querySelector("[role=alert]");
		try {
			const at = query(figure().dataset.cell);
			at.set("beside", await Sweeps.begin(body));
			location.search = at;
			return;
		} catch (error) {
			said.textContent = error.message;
		}
		form.querySelector("button").disabled = false;
	});
}
offer();
border();
fetch(api, { headers: Sweeps.auth() }).then((a) => a.json()).then((s) => { yours = s.yours; own(); }).catch(() => {});
function follow(id, over) {
	const events = new EventSource(base + "api/v1/sweeps/" + id + "/events");
	events.addEventListener("progress", (event) => {
		const now = JSON.parse(event.data);
		show(next ?? figure().dataset.cell);
		if (now.state !== "running") {
			events.close();
			say(`${over}: ${now.over} of ${now.runs} runs`);
		}
	});
}
if (figure().dataset.state === "running") follow(sweep, "The sweep is over");
const beside = new URLSearchParams(location.search).get("beside");
if (beside && document.querySelector(".guest[data-state=running]")) follow(beside, "The sweep beside it is over");
