// The page of the guess: a line of one product of policy lag and learning rate, dragged over an empty map, then the sweep
// that shows where agents fall. Go draws the map; this moves the line.
const page = document.getElementById("guess");
const { base } = document.body.dataset;
const body = JSON.parse(page.dataset.body);
const part = (of, name) => of.querySelector(`[data-part="${name}"]`);
const form = page.querySelector("form"), slider = document.getElementById("line");
const maps = [...page.querySelectorAll("[data-guess]")].map((map) => ({ map, g: JSON.parse(map.dataset.guess) }));

// two digits of a product, as .0175 or .06.
const two = (v) => String(Number(v.toPrecision(2))).replace(/^0/, "");
const product = () => 2 ** Number(slider.value);
function draw() {
	const c = product(), rate = Number(page.dataset.rate), lag = c / rate;
	for (const { map, g } of maps) {
		const doublings = Math.log2(c / g.Product);
		part(map, "line").setAttribute("transform", `translate(${doublings * g.Column} 0)`);
		// The grip stands where the line is nearest to the middle of the map.
		const columns = (g.Right - g.X) / g.Column - 0.5, rows = (g.Y - g.Top) / g.Row - 0.5;
		const row = Math.min(rows, Math.max(0, rows / 2 + (doublings - (columns + rows) / 2) / 2));
		const x = g.X + (doublings - row) * g.Column, y = g.Y - row * g.Row;
		const grip = part(map, "grip");
		grip.setAttribute("cx", x);
		grip.setAttribute("cy", y);
		const away = map.classList.contains("narrow") ? 20 : 30, most = g.Right - part(map, "fall").getComputedTextLength();
		for (const [name, at] of [["stand", x - away], ["fall", Math.min(x + away, most)]]) {
			part(map, name).setAttribute("x", at - doublings * g.Column);
			part(map, name).setAttribute("y", y + 5);
		}
	}
	part(page, "product").textContent = two(c);
	part(page, "run").textContent = `My line is ${two(c)}: run them`;
	const trusts = lag < 1 ? "not even fresh data" : `data up to ${Math.round(lag)} update${Math.round(lag) === 1 ? "" : "s"} old`;
	part(page, "means").textContent = `So at a rate of ${two(rate)} you trust ${trusts}.`;
	slider.setAttribute("aria-valuetext", `${two(c)}: ${trusts}`);
}
function through({ map, g }, event) {
	const box = map.getBoundingClientRect(), scale = map.viewBox.baseVal.width / box.width;
	const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
	slider.value = Math.log2(g.Product) + (x - g.X) / g.Column + (g.Y - y) / g.Row;
	draw();
}
for (const one of maps) {
	one.map.addEventListener("pointerdown", (event) => {
		one.map.setPointerCapture(event.pointerId);
		through(one, event);
	});
	one.map.addEventListener("pointermove", (event) => { if (one.map.hasPointerCapture(event.pointerId)) through(one, event); });
}
slider.addEventListener("input", draw);

// What begins: eight seeds that nobody has chosen, and the correction of the list.
function asked() {
	const seeds = Number(page.dataset.seeds), first = 10_000 + Math.floor(Math.random() * 900_000);
	return { ...body, settings: Object.fromEntries(new URLSearchParams(form.elements.correction.value)), seeds: `${first}-${first + seeds - 1}` };
}
async function size() {
	try {
		const answer = await Sweeps.post("estimates", asked());
		if (!answer.ok) return;
		const { runs, steps, seconds } = await answer.json();
		const time = seconds === null ? "" : seconds < 90 ? ` They take about ${Math.round(seconds)} s.` : ` They take about ${Math.round(seconds / 60)} min.`;
		part(page, "size").textContent = `${runs} runs wait: ${Math.round(steps / 1e6)} M steps.${time}`;
	} catch { /* it only says how long */ }
}
async function begin(guess) {
	const said = part(page, "refused");
	said.textContent = "";
	try {
		location.href = `${base}s/${await Sweeps.begin(asked())}${guess ? "?guess=" + two(product()) : ""}`;
	} catch (error) {
		said.textContent = error.message;
	}
}
form.addEventListener("submit", (event) => { event.preventDefault(); begin(true); });
part(page, "without").addEventListener("click", () => begin(false));
form.elements.correction.addEventListener("change", size);
for (const name of ["run", "without"]) part(page, name).disabled = false;
slider.value = Math.log2(Number(page.dataset.first));
draw();
size();
