// The page of the corrections: the slider moves the batch under all curves, a grip changes a number of its row, and the
// filter folds rows. It computes no weight: the server weighs, with the learner's code, and this draws the answer.
const { base, weigh } = document.body.dataset;
const page = JSON.parse(document.getElementById("rows").dataset.weights);
const { lags, places } = page;
const slider = document.getElementById("lag");
const rows = [...document.querySelectorAll("#rows article")];
const part = (of, name) => of.querySelector(`[data-part="${name}"]`);
const made = { ...page.forms };
const turned = Object.fromEntries(rows.map((row) => [row.id, {}])); // numbers that differ from a row's defaults
let at = Number(slider.defaultValue), look = "";

// The strip, the curve and the links of a row at the lag of the slider.
function draw(row) {
	const one = made[row.id], fates = one.fates[at], counts = [];
	for (const { fate, words, strokes } of page.fates) {
		let d = "", n = 0;
		for (let i = 0; i < fates.length; i++) if (fates[i] === fate) {
			n++;
			for (const stroke of strokes) d += `M${places[at][i]} ${stroke}`;
		}
		row.querySelector(`[data-fate="${fate}"]`).setAttribute("d", d);
		if (n) counts.push(`${n} ${words}`);
	}
	for (const sign of ["good", "bad"]) part(row, sign).setAttribute("d", one[sign][Math.min(at, one[sign].length - 1)]);
	part(row, "counts").textContent = counts.join(", ");
	for (const [i, grip] of [...row.querySelectorAll(".grip")].entries()) {
		place(grip, ...one.grips[i]);
		grip.setAttribute("aria-valuenow", one.values[i]);
		grip.setAttribute("aria-valuetext", `${one.values[i]}, ${counts.join(", ")}`);
		row.querySelector(`[data-of="${grip.dataset.key}"]`).textContent = one.values[i];
	}
	const beside = row.id === "none" ? "" : "&b=correction%3Dnone";
	part(row, "run").href = `${base}lab#v=1&p=${page.preset}&lag=${lags[at]}&${one.settings}${beside}`;
	part(row, "unroll").href = `${base}microscope#${one.settings}`;
	const near = Math.round(Math.max(0, Math.log2(lags[at]) / 2)); // of the lags 0, 4, 16 and 64
	for (const figure of row.querySelectorAll("figure")) {
		const shown = part(figure, "return");
		shown.textContent = shown.dataset.returns.split(",")[near];
		figure.querySelectorAll(".dot").forEach((dot) => dot.classList.toggle("near", dot.dataset.lag === String([0, 4, 16, 64][near])));
	}
	const back = row.querySelector("[data-act=default]");
	if (back) back.hidden = Object.keys(turned[row.id]).length === 0;
}
function place(grip, x, y) {
	for (const circle of grip.children) {
		circle.setAttribute("cx", x + "%");
		circle.setAttribute("cy", y + "%");
	}
}
// The batch of the slider, in the large picture and under every curve.
function drawAll() {
	const words = lags[at] === 1 ? "1 update old" : `${lags[at]} updates old`;
	slider.value = at;
	slider.setAttribute("aria-valuetext", words);
	part(document, "lag").textContent = words;
	const height = (x) => page.least + (page.most - page.least) * x / page.wide;
	const dots = places[at].map((x) => `M${x} ${height(x).toFixed(1)}`);
	part(document, "steps").setAttribute("d", dots.map((d) => d + "h0").join(""));
	part(document, "error").setAttribute("d", dots.map((d) => `${d}V${page.one}`).join(""));
	part(document, "saying").textContent = page.says.findLast((one) => lags[at] >= one.from).says;
	rows.forEach(draw);
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
	if (look) query.set("looks", look);
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
		const answer = await fetch(`${weigh}?${new URLSearchParams({ correction: row.id, ...turned[row.id] })}`);
		refused.hidden = answer.ok;
		if (answer.ok) made[row.id] = await answer.json();
		else {
			refused.textContent = (await answer.text()).trim();
			turned[row.id] = {};
			made[row.id] = page.forms[row.id];
		}
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
	const button = event.target.closest("button");
	if (button?.dataset.look !== undefined) { look = button.dataset.look; filter(); remember(); }
	if (button?.dataset.act === "default") {
		const row = button.closest("article");
		turned[row.id] = {};
		ask(row);
		row.querySelector(".grip").focus();
	}
});

// What the address asks for.
for (const [key, value] of new URLSearchParams(location.search)) {
	const [id, number] = key.split(".");
	if (key === "lag") {
		const asked = lags.indexOf(Number(value));
		if (asked >= 0) at = asked;
	} else if (key === "looks" && document.querySelector(`[data-look="${CSS.escape(value)}"]`)) look = value;
	else if (number !== undefined && turned[id] && weigh) turned[id][number] = value;
}
if (location.search) {
	drawAll();
	filter();
	for (const row of rows) if (Object.keys(turned[row.id]).length) ask(row);
}
