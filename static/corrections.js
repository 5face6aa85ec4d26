// The page of the corrections: the slider moves the batch under all curves, a grip changes a number of its row, a switch
// takes the ratios of whole responses, and the filter folds rows. It computes no weight: the server weighs, with the
// learner's code, and this draws the answer.
const { base, weigh } = document.body.dataset;
const page = JSON.parse(document.getElementById("rows").dataset.weights);
const { lags } = page;
const slider = document.getElementById("lag");
const rows = [...document.querySelectorAll("#rows article")];
const part = (of, name) => of.querySelector(`[data-part="${name}"]`);
const turned = Object.fromEntries(rows.map((row) => [row.id, {}])); // numbers that differ from a row's defaults
let at = Number(slider.defaultValue), look = "", level = "step", opened = null;
let made = { ...page.levels.step.forms };

// levelOf is the level of a row's ratios: a correction that has no others takes those of steps.
const levelOf = (row) => page.levels[level].forms[row.id] ? level : "step";
const placesOf = (row) => page.levels[levelOf(row)].places[at];
const pick = (all) => all[Math.min(at, all.length - 1)]; // of lists that all lags may share

// The strip, the curve and the links of a row at the lag of the slider.
function draw(row) {
	const one = made[row.id], fates = one.fates[at], places = placesOf(row), counts = [];
	for (const { fate, words, strokes } of page.fates) {
		let d = "", n = 0;
		for (let i = 0; i < fates.length; i++) if (fates[i] === fate) {
			n++;
			for (const stroke of strokes) d += `M${places[i]} ${stroke}`;
		}
		row.querySelector(`[data-fate="${fate}"]`).setAttribute("d", d);
		if (n) counts.push(`${n} ${words}`);
	}
	const said = counts.join(", "), plot = row.querySelector(".plot");
	for (const sign of ["good", "bad"]) part(plot, sign).setAttribute("d", pick(one[sign]));
	part(row, "counts").textContent = said;
	plot.setAttribute("aria-label", `${plot.dataset.says} Of a batch ${age()}: ${said}.`);
	for (const [end, x] of [["under", 0], ["over", page.wide]]) {
		const n = places.filter((place) => place === x).length;
		part(row, end).textContent = n ? `+${n}` : "";
	}
	for (const [i, grip] of [...row.querySelectorAll(".grip")].entries()) {
		place(grip, ...one.grips[i]);
		grip.setAttribute("aria-valuenow", one.values[i]);
		grip.setAttribute("aria-valuetext", `${one.values[i]}, ${said}`);
		row.querySelector(`[data-of="${grip.dataset.key}"]`).textContent = one.values[i];
	}
	for (const of of row.querySelectorAll("[data-level]")) of.hidden = of.dataset.level !== levelOf(row);
	row.classList.toggle("lacks", levelOf(row) !== level);
	const beside = row.id === "none" ? "" : "&b=correction%3Dnone";
	part(row, "run").href = `${base}lab#v=1&p=${page.preset}&lag=${lags[at]}&${one.settings}${beside}`;
	part(row, "unroll").href = `${base}microscope#${one.settings}`;
	const near = Math.round(Math.max(0, Math.log2(lags[at]) / 2)); // of the lags 0, 4, 16 and 64
	for (const figure of row.querySelectorAll(".returns figure")) {
		const shown = part(figure, "return");
		shown.textContent = shown.dataset.returns.split(",")[near];
		figure.querySelectorAll(".dot").forEach((dot) => dot.classList.toggle("near", dot.dataset.lag === String([0, 4, 16, 64][near])));
	}
	const back = row.querySelector("[data-act=default]");
	if (back) back.hidden = Object.keys(turned[row.id]).length === 0;
	const numbers = document.querySelector(`#table [data-form="${row.id}"]`);
	numbers.querySelectorAll("[data-mark]").forEach((cell, i) => { cell.textContent = pick(one.marks)[i]; });
	part(numbers, "counts").textContent = said;
	if (row === opened) dots(row, said);
}
// dots puts each step of the batch on the large curve of an open row: good ones above their line, bad ones below.
function dots(row, said) {
	const one = made[row.id], places = placesOf(row), big = part(row, "large").firstElementChild;
	if (!big) return;
	const lines = {};
	for (const sign of ["good", "bad"]) {
		lines[sign] = part(big, sign);
		lines[sign].setAttribute("d", pick(one[sign]));
	}
	const d = {};
	for (const [i, fate] of [...one.fates[at]].entries()) {
		const good = one.signs[at][i] === "+", off = (good ? -1 : 1) * (2.5 + 1.4 * (i % 4));
		const y = fate === "o" ? page.none : fate === "l" ? diagonal(places[i]) : height(lines[good ? "good" : "bad"], places[i]);
		d[fate] = (d[fate] ?? "") + `M${places[i]} ${(y + off).toFixed(1)}h0`;
	}
	for (const path of big.querySelectorAll("[data-dots]")) path.setAttribute("d", d[path.dataset.dots] ?? "");
	big.setAttribute("aria-label", `The weights of a batch ${age()} on the curve of ${row.querySelector("h2").textContent}: ${said}`);
}
const diagonal = (x) => page.least + (page.most - page.least) * x / page.wide;
// height is how high a line runs at x. The line leads to the right.
function height(line, x) {
	let low = 0, high = line.getTotalLength();
	for (let k = 0; k < 16; k++) {
		const middle = (low + high) / 2;
		if (line.getPointAtLength(middle).x < x) low = middle; else high = middle;
	}
	return line.getPointAtLength(high).y;
}
function place(grip, x, y) {
	for (const circle of grip.children) {
		circle.setAttribute("cx", x + "%");
		circle.setAttribute("cy", y + "%");
	}
}
const age = () => lags[at] === 1 ? "1 update old" : `${lags[at]} updates old`;
// The batch of the slider, in the large picture and under every curve.
function drawAll() {
	slider.value = at;
	slider.setAttribute("aria-valuetext", age());
	part(document, "lag").textContent = age();
	const { places, says } = page.levels[level];
	const dots = places[at].map((x) => `M${x} ${diagonal(x).toFixed(1)}`);
	part(document, "steps").setAttribute("d", dots.map((d) => d + "h0").join(""));
	part(document, "error").setAttribute("d", dots.map((d) => `${d}V${page.one}`).join(""));
	part(document, "saying").textContent = (lags[at] > 0 && says) || page.says.findLast((one) => lags[at] >= one.from).says;
	for (const button of document.querySelectorAll("[data-to]")) button.setAttribute("aria-pressed", String(button.dataset.to === level));
	rows.forEach(draw);
}
// to takes the ratios of steps or of whole responses. The numbers that were turned are weighed again.
function to(next) {
	level = next;
	made = { ...page.levels.step.forms, ...page.levels[level].forms };
	drawAll();
	for (const row of rows) if (Object.keys(turned[row.id]).length) ask(row);
}
// open shows the names and the large curve of a row, and closes the row that was open.
function open(row) {
	const before = opened;
	opened = row === opened ? null : row;
	for (const one of [before, opened]) if (one) {
		const is = one === opened;
		one.classList.toggle("open", is);
		one.querySelector(".opened").hidden = !is;
		one.querySelector("[data-act=open]").setAttribute("aria-expanded", String(is));
		part(one, "large").replaceChildren(...(is ? [document.getElementById("large").content.cloneNode(true)] : []));
	}
	if (opened) draw(opened);
}
// The filter keeps the rows that look at one thing.
function filter() {
	for (const row of rows) row.classList.toggle("off", look !== "" && !row.dataset.looks.split(" ").includes(look));
	for (const button of document.querySelectorAll("[data-look]")) button.setAttribute("aria-pressed", String(button.dataset.look === look));
}
// The address carries the lag, the filter and the numbers of all rows.
function remember() {
	const query = new URLSearchParams();
	if (at !== Number(slider.defaultValue)) query.set("lag", lags[at]);
	if (level !== "step") query.set("level", level);
	if (look) query.set("looks", look);
	if (opened) query.set("open", opened.id);
	for (const row of rows) for (const [key, value] of Object.entries(turned[row.id])) query.set(`${row.id}.${key}`, value);
	history.replaceState(null, "", (query.size ? "?" + query : location.pathname) + location.hash);
}

// One request of a row is under way at a time; the newest numbers follow it.
const asking = new Map();
async function ask(row) {
	if (asking.has(row)) { asking.set(row, true); return; }
	asking.set(row, false);
	const refused = part(row, "refused");
	try {
		const asked = levelOf(row), whole = asked === "step" ? {} : { ratio: asked };
		const answer = await fetch(`${weigh}?${new URLSearchParams({ correction: row.id, ...whole, ...turned[row.id] })}`);
		refused.hidden = answer.ok;
		const one = answer.ok ? await answer.json() : page.levels[asked].forms[row.id];
		if (!answer.ok) {
			refused.textContent = (await answer.text()).trim();
			turned[row.id] = {};
			if (row !== opened) open(row);
		}
		if (asked === levelOf(row)) made[row.id] = one;
		draw(row);
	} catch {
		refused.textContent = "The server did not answer; the curve is the one before.";
		refused.hidden = false;
	}
	const again = asking.get(row);
	asking.delete(row);
	if (again) ask(row); else remember();
}
function turn(row, grip, value) {
	const { min, max } = grip.dataset;
	turned[row.id][grip.dataset.key] = String(Number(Math.min(Number(max), Math.max(Number(min), value)).toPrecision(3)));
	ask(row);
}
const upright = (grip) => grip.getAttribute("aria-orientation") === "vertical";
for (const row of rows) for (const grip of row.querySelectorAll(".grip")) {
	const a = Number(grip.dataset.a), b = Number(grip.dataset.b);
	grip.addEventListener("pointerdown", (event) => {
		grip.setPointerCapture(event.pointerId);
		grip.focus({ preventScroll: true });
		event.preventDefault();
	});
	grip.addEventListener("pointermove", (event) => {
		if (!grip.hasPointerCapture(event.pointerId)) return;
		const box = grip.ownerSVGElement.getBoundingClientRect();
		const y = 100 * (event.clientY - box.top) / box.height, x = (event.clientX - box.left) / box.width;
		turn(row, grip, a + b * 10 ** (2 * (upright(grip) ? (page.least - y) / (page.least - page.most) : x) - 1));
	});
	grip.addEventListener("dblclick", () => { delete turned[row.id][grip.dataset.key]; ask(row); });
	grip.addEventListener("keydown", (event) => {
		const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
		if (!by) return;
		event.preventDefault();
		const value = Number(grip.getAttribute("aria-valuenow"));
		turn(row, grip, upright(grip) ? value + .05 * by * Math.sign(b) : a + (value - a) * 1.06 ** by);
	});
}
slider.addEventListener("input", () => { at = Number(slider.value); drawAll(); });
slider.addEventListener("change", remember);
addEventListener("click", (event) => {
	const button = event.target.closest("button"), row = button?.closest("article");
	if (!button) return;
	if (button.dataset.look !== undefined) { look = button.dataset.look; filter(); }
	if (button.dataset.to) to(button.dataset.to);
	if (button.dataset.act === "open") open(row);
	if (button.dataset.act === "default") {
		turned[row.id] = {};
		ask(row);
		row.querySelector(".grip").focus();
	}
	remember();
});
addEventListener("keydown", (event) => { // T opens the table
	if (event.ctrlKey || event.altKey || event.metaKey || event.key.toLowerCase() !== "t") return;
	document.getElementById("table").open = true;
	document.querySelector("#table summary").focus();
});

// What the address asks for. What it has wrong is said, and the usual is shown.
const wrong = [];
const named = (of, key) => [...document.querySelectorAll("." + of)].map((one) => one.dataset[key]).join(", ");
const numbersOf = (row) => {
	const all = [...row.querySelectorAll(".numbers [data-of]")].map((number) => `${row.id}.${number.dataset.of}`);
	return all.length ? `this correction has ${all.join(" and ")}.` : "this correction has no numbers.";
};
let opens = null;
for (const [key, value] of new URLSearchParams(location.search)) {
	const [id, number] = key.split("."), said = `${key}=${value.slice(0, 40)}`;
	if (key === "lag") {
		const asked = lags.indexOf(Number(value));
		if (value !== "" && asked >= 0) at = asked;
		else wrong.push(`${said}: there are batches of the lags ${lags.join(", ")}; ${lags[at]} is shown.`);
	} else if (key === "level") {
		if (Object.hasOwn(page.levels, value)) level = value;
		else wrong.push(`${said}: a ratio is of a ${named("steer [data-to]", "to")}; that of a step is shown.`);
	} else if (key === "looks") {
		if (document.querySelector(`[data-look="${CSS.escape(value)}"]`)) look = value;
		else wrong.push(`${said}: there is no such filter; all corrections are shown.`);
	} else if (key === "open" || number !== undefined) {
		const row = rows.find((one) => one.id === (number === undefined ? value : id));
		if (!row) wrong.push(`${said}: there is no such correction; their names are ${rows.map((one) => one.id).join(", ")}.`);
		else if (number === undefined) opens = row;
		else if (!row.querySelector(`.numbers [data-of="${CSS.escape(number)}"]`)) wrong.push(`${said}: ${numbersOf(row)}`);
		else if (weigh) turned[id][number] = value;
		else wrong.push(`${said}: this copy of the page has no server that weighs; the usual number is shown.`);
	}
}
part(document, "address").textContent = wrong.join(" ");
part(document, "address").hidden = wrong.length === 0;
filter();
to(level);
if (opens) open(opens);
