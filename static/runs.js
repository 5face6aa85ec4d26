// Lists the runs of this browser's key, newest first: search, stars, one chart of the chosen runs, and all as CSV.
"use strict";
(() => {
	const { base } = document.body.dataset, part = (name) => document.querySelector(`[data-part=${name}]`);
	const list = part("rows"), said = part("said"), page = 100, most = 4, letters = "ABCD";
	const presets = JSON.parse(document.getElementById("presets").textContent), first = presets[""].differ;
	delete presets[""];
	let key = "";
	try { key = localStorage.getItem("impalab-key") ?? ""; } catch { /* a browser that stores nothing */ }
	const el = (name, attributes, ...children) => {
		const e = document.createElement(name);
		for (const [k, v] of Object.entries(attributes)) {
			if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
			else if (v !== false) e.setAttribute(k, v === true ? "" : v);
		}
		e.append(...children);
		return e;
	};
	const short = (x) => x === null ? "–" : String(Number(x.toPrecision(4)));
	const ago = (time) => {
		const min = Math.max(0, (Date.now() - new Date(time)) / 60000);
		return min < 1 ? "now" : min < 60 ? `${Math.floor(min)} min` : min < 1440 ? `${Math.floor(min / 60)} h` : `${Math.floor(min / 1440)} d`;
	};

	// differs lists the settings of a run that differ from its preset.
	const ignored = ["seed", "steps", "speed", "preset"];
	const differs = (run) => {
		const of = presets[run.preset]?.differ ?? {};
		return Object.entries(run.settings).filter(([k, v]) => !ignored.includes(k) && k in first && v !== (of[k] ?? first[k]));
	};
	const usual = (run) => presets[run.preset]?.title ?? run.settings.world;
	const rows = []; // { runs, run, turned, words }, newest first
	// gather adds runs. Runs over seeds that started within two minutes of each other share a row.
	const gather = (runs) => {
		for (const run of runs) {
			const turned = differs(run), { seed, ...rest } = run.settings;
			const kind = run.preset + JSON.stringify(rest);
			const row = rows.find((r) => r.kind === kind && run.purpose !== "interactive" &&
				Math.abs(new Date(r.run.created) - new Date(run.created)) < 120000 && r.runs.every((o) => o.settings.seed !== seed));
			if (row) row.runs.push(run);
			else rows.push({ kind, run, runs: [run], turned });
		}
	};
	const named = (row) => Own.of(row.run.id).name || usual(row.run);
	// labelled adds what was turned, where no name of the visitor's tells rows apart.
	const labelled = (row) => Own.of(row.run.id).name || [named(row), ...row.turned.slice(0, 2).map(([k, v]) => `${k} ${v}`), `seed ${row.run.settings.seed}`].join(", ");
	const words = (row) => `${named(row)} ${Own.of(row.run.id).note ?? ""} ${row.run.preset} ${usual(row.run)} ${row.run.settings.world} ${row.turned.map(([k, v]) => `${k} ${v} ${k}=${v}`).join(" ")} seed ${row.run.settings.seed}`.toLowerCase();

	// The chosen runs, in the order of their letters.
	let chosen = [];
	const shown = { find: "", starred: false, preset: "", rows: page };
	const chart = part("chart"), open = part("open");
	let asked = 0;
	const drawChart = async () => {
		const mine = ++asked, ids = chosen.map((row) => row.run.id);
		open.disabled = ids.length === 0;
		open.textContent = ids.length < 2 ? "Open in the Lab" : `Open as ${[...letters.slice(0, ids.length)].join(", ")}`;
		part("chosen").textContent = ids.length === 0 ? "" : `${ids.length} chosen`;
		chart.hidden = ids.length === 0;
		if (!ids.length) return;
		try {
			const answer = await fetch(`${base}runs/together?${ids.map((id) => "run=" + id).join("&")}`), text = await answer.text();
			if (mine !== asked) return;
			if (!answer.ok) throw new Error(text.trim());
			chart.innerHTML = text; // our own server drew it; it has no words of people
			chart.append(el("p", { class: "legend" }, ...chosen.map((row, k) => el("span", { "data-letter": letters[k] }, `${letters[k]} ${labelled(row)}`))));
			said.textContent = "";
		} catch (error) { if (mine === asked) said.textContent = `No chart: ${error.message}`; }
	};
	const choose = (row, on) => {
		chosen = chosen.filter((one) => one !== row);
		if (on) {
			const world = chosen[0]?.run.settings.world;
			if (chosen.length === most) said.textContent = "One chart shows four runs. Take one out first.";
			else if (world && world !== row.run.settings.world) said.textContent = `${named(row)} plays ${row.run.settings.world}, the chosen runs play ${world}. Their returns do not compare.`;
			else { chosen.push(row); said.textContent = ""; }
		}
		draw();
		drawChart();
	};

	// Small curves, for the rows in view.
	const sparks = new Map();
	let wanted = [], timer = 0;
	const paint = (place, d) => { if (d) place.innerHTML = `<svg viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true"><path d="${d.replace(/[^ML0-9. ]/g, "")}"></path></svg>`; };
	const seen = new IntersectionObserver((entries) => {
		for (const e of entries) if (e.isIntersecting) {
			seen.unobserve(e.target);
			if (sparks.has(e.target.dataset.id)) paint(e.target, sparks.get(e.target.dataset.id));
			else wanted.push(e.target);
		}
		clearTimeout(timer);
		timer = setTimeout(async () => {
			while (wanted.length) {
				const now = wanted.splice(0, 50);
				const answer = await fetch(`${base}runs/sparks?${now.map((p) => "run=" + p.dataset.id).join("&")}`).catch(() => null);
				const paths = answer?.ok ? await answer.json() : {};
				for (const place of now) {
					sparks.set(place.dataset.id, paths[place.dataset.id] ?? "");
					paint(place, paths[place.dataset.id]);
				}
			}
		}, 60);
	});

	const rename = (row, cell) => {
		const field = el("input", { "aria-label": "Name", maxlength: "200", value: Own.of(row.run.id).name ?? "", placeholder: usual(row.run) });
		const close = (store) => {
			if (store) Own.set(row.run.id, { name: field.value.trim() });
			draw();
			list.querySelector(`[data-run="${row.run.id}"] [data-does-rename]`)?.focus();
		};
		cell.replaceChildren(el("form", { onsubmit: (e) => { e.preventDefault(); close(true); } }, field, " ", el("button", {}, "Store")));
		field.addEventListener("keydown", (e) => { if (e.key === "Escape") close(false); });
		field.select();
	};
	// remove asks in the row's place, and then deletes its runs on the server and their names here.
	const remove = (row, line) => {
		const many = row.runs.length;
		const keep = () => { draw(); list.querySelector(`[data-run="${row.run.id}"] [data-does-delete]`)?.focus(); };
		const act = async (e) => {
			e.preventDefault();
			const left = [];
			for (const run of row.runs) {
				const answer = await fetch(`${base}api/v1/runs/${run.id}`, { method: "DELETE", headers: { Authorization: "Bearer " + key } }).catch(() => null);
				if (answer?.ok || answer?.status === 404) Own.set(run.id, { name: "", star: false, note: "" });
				else left.push(run);
			}
			row.runs = left;
			if (left.length) row.run = left[0]; else rows.splice(rows.indexOf(row), 1);
			choose(row, false);
			said.textContent = left.length ? `${left.length} of ${many} runs were not deleted.` : `${many === 1 ? "The run is" : many + " runs are"} deleted.`;
			part("find").focus();
		};
		const no = el("button", { type: "button", onclick: keep }, "Keep");
		line.replaceChildren(el("form", { class: "sure", onsubmit: act, onkeydown: (e) => { if (e.key === "Escape") keep(); } },
			el("span", {}, many === 1 ? `Delete ${named(row)} with its curves and its tape? Nothing brings it back.` : `Delete ${many} runs of ${named(row)} with their curves and tapes? Nothing brings them back.`),
			el("span", { class: "buttons" }, no, " ", el("button", { "data-does-really": true }, "Delete"))));
		no.focus();
	};
	const item = (row) => {
		const { run, runs } = row, own = Own.of(run.id), at = chosen.indexOf(row), many = runs.length > 1;
		const mean = many ? (() => { const all = runs.map((r) => r.return_mean_100).filter((v) => v !== null); return all.length ? all.reduce((a, b) => a + b) / all.length : null; })() : run.return_mean_100;
		const box = el("input", { type: "checkbox", "aria-label": `Draw ${named(row)}`, onchange: (e) => choose(row, e.target.checked) });
		box.checked = at >= 0;
		const cell = el("span", { class: "who" }, el("a", { href: `${base}r/${run.id}` }, named(row)));
		if (own.note) cell.append(el("small", {}, own.note));
		const spark = el("span", { class: "spark", "data-id": run.id });
		seen.observe(spark);
		const line = el("li", { "data-run": run.id, "data-chosen": at >= 0 && letters[at] },
			el("label", { class: "tick" }, box, at >= 0 ? el("b", {}, letters[at]) : ""),
			el("button", { type: "button", class: "star", "aria-pressed": String(Boolean(own.star)), "aria-label": `Star ${named(row)}`, onclick: () => { Own.set(run.id, { star: !own.star }); draw(); } }, own.star ? "★" : "☆"),
			cell,
			el("span", { class: "turned" }, ...row.turned.slice(0, 3).map(([k, v]) => el("span", { class: "chip" }, `${k} ${v}`)), row.turned.length > 3 ? el("span", { class: "quiet" }, `and ${row.turned.length - 3} more`) : ""),
			el("span", { class: "seed" }, many ? `${runs.length} seeds` : `seed ${run.settings.seed}`),
			spark,
			el("b", { class: "number", title: many ? "mean over the seeds" : "mean of the last 100 episodes" }, short(mean)),
			el("span", { class: "number steps" }, `${short(run.steps / 1000)} k`),
			el("span", { class: "number when" }, ago(run.created)),
			el("button", { type: "button", class: "link", "data-does-rename": true, "aria-label": `Rename ${named(row)}`, onclick: () => rename(row, cell) }, "Rename"),
			el("button", { type: "button", class: "link", "data-does-delete": true, "aria-label": `Delete ${named(row)}`, onclick: () => remove(row, line) }, "Delete"));
		return line;
	};
	const matching = () => {
		const parts = shown.find.toLowerCase().split(/\s+/).filter(Boolean);
		return rows.filter((row) => (!shown.starred || Own.of(row.run.id).star) && (!shown.preset || row.run.preset === shown.preset) &&
			(!parts.length || parts.every((p) => words(row).includes(p))));
	};
	const draw = () => {
		const found = matching();
		seen.disconnect();
		list.replaceChildren(...found.slice(0, shown.rows).map(item));
		part("more").hidden = found.length <= shown.rows;
		if (rows.length && !found.length) said.textContent = "No run matches.";
		else if (said.textContent === "No run matches.") said.textContent = "";
	};

	part("find").addEventListener("input", (e) => { shown.find = e.target.value; shown.rows = page; draw(); });
	part("starred").addEventListener("click", (e) => {
		shown.starred = !shown.starred;
		e.target.setAttribute("aria-pressed", String(shown.starred));
		draw();
	});
	part("presets").addEventListener("change", (e) => { shown.preset = e.target.value; shown.rows = page; draw(); });
	part("more").querySelector("button").addEventListener("click", () => { shown.rows += page; draw(); });

	// The Lab resumes the runs that it finds beside its link.
	open.addEventListener("click", () => {
		const link = (run) => `p=${encodeURIComponent(run.preset)}&seed=${encodeURIComponent(run.settings.seed)}`;
		const runs = chosen.map((row) => row.run);
		const hash = "#v=1&" + link(runs[0]) + runs.slice(1).map((run) => "&b=" + encodeURIComponent(link(run)).replaceAll("%3D", "=")).join("");
		try { localStorage.setItem("impalab-run", `${runs.map((run) => run.id).join(",")} ${hash}`); } catch { /* the Lab starts them again */ }
		location.href = base + "lab" + hash;
	});
	part("csv").addEventListener("click", () => {
		const keys = [...new Set(rows.flatMap((row) => row.runs.flatMap((run) => differs(run).map(([k]) => k))))].sort();
		const quote = (v) => /[",\n\r]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v;
		const head = ["id", "name", "star", "note", "preset", "seed", "steps", "updates", "episodes", "return_mean_100", "state", "created", "params_sha256", ...keys];
		const lines = rows.flatMap((row) => row.runs.map((run) => {
			const own = Own.of(run.id);
			return [run.id, own.name ?? "", own.star ? 1 : 0, own.note ?? "", run.preset, run.settings.seed, run.steps, run.updates, run.episodes,
				run.return_mean_100 ?? "", run.state, run.created, run.params_sha256, ...keys.map((k) => run.settings[k] ?? "")];
		}));
		const text = [head, ...lines].map((line) => line.map((v) => quote(String(v))).join(",")).join("\r\n") + "\r\n";
		const at = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
		el("a", { href: at, download: "impalab-runs.csv" }).click();
		setTimeout(() => URL.revokeObjectURL(at), 10000);
	});

	(async () => {
		if (!key) { said.textContent = "This browser has started no run. The Lab starts one."; return; }
		said.textContent = "Asking the server.";
		try {
			for (let cursor = ""; cursor !== null;) {
				const answer = await fetch(`${base}api/v1/runs?limit=200${cursor && "&cursor=" + encodeURIComponent(cursor)}`, { headers: { Authorization: "Bearer " + key } });
				const { runs, next, error } = await answer.json();
				if (error) throw new Error(error.message);
				gather(runs);
				cursor = next;
			}
			said.textContent = rows.length ? "" : "The server has no run of this browser.";
			part("filters").hidden = part("deeds").hidden = part("heads").hidden = rows.length === 0;
			const used = [...new Set(rows.map((row) => row.run.preset))];
			part("presets").append(...used.map((name) => el("option", { value: name }, presets[name]?.title ?? name)));
			draw();
		} catch (error) { said.textContent = `The list is missing: ${error.message}`; }
	})();
})();
