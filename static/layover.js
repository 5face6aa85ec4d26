// Lists the stored runs of this browser on the Lab's world, and hands the curves of the chosen run to the client.
"use strict";
(() => {
	const sheet = document.getElementById("lay-over"), { base } = sheet.dataset, most = 20;
	const list = sheet.querySelector("[data-part=lay-runs]"), said = sheet.querySelector("[data-part=lay-said]"), laid = sheet.querySelector("[data-part=laid]");
	const titles = new Map([...document.querySelectorAll("#preset option")].map((o) => [o.value, o.textContent]));
	const stored = () => { try { return localStorage.getItem("impalab-key") ?? ""; } catch { return ""; } };
	const hand = (csv, name, world) => {
		Object.assign(laid.dataset, { name, world });
		laid.value = csv;
		laid.dispatchEvent(new Event("change"));
		sheet.hidePopover();
	};
	const item = (words, act) => {
		const row = document.createElement("li"), button = document.createElement("button");
		Object.assign(button, { type: "button", className: "link", textContent: words, onclick: act });
		row.append(button);
		list.append(row);
	};
	const lay = async (run, name) => {
		const answer = await fetch(`${base}api/v1/runs/${run.id}/curves.csv`).catch(() => null);
		if (!answer?.ok) { said.textContent = "The server does not answer. Try again."; return; }
		hand(await answer.text(), name, run.settings.world);
	};
	sheet.addEventListener("beforetoggle", async (event) => {
		if (event.newState !== "open") return;
		list.textContent = "";
		said.textContent = "Asking for your runs.";
		const key = stored(), answer = key ? await fetch(`${base}api/v1/runs?limit=200`, { headers: { Authorization: "Bearer " + key } }).catch(() => null) : null;
		if (key && !answer?.ok) { said.textContent = "The server does not answer. Try again."; return; }
		const all = answer ? (await answer.json()).runs : [];
		const runs = all.filter((run) => run.settings.world === sheet.dataset.world && !sheet.dataset.runs.split(",").includes(run.id) && run.return_mean_100 !== null);
		runs.sort((a, b) => Boolean(Own.of(b.id).star) - Boolean(Own.of(a.id).star)); // the server lists the newest first
		said.textContent = runs.length ? "Your runs of this world. The chosen run is drawn in grey." : "You have no other run of this world.";
		if (laid.value) item("None", () => hand("", "", ""));
		for (const run of runs.slice(0, most)) {
			const own = Own.of(run.id), name = own.name || titles.get(run.preset) || run.settings.world;
			item(`${own.star ? "★ " : ""}${name}, seed ${run.settings.seed}: ${Number(run.return_mean_100.toPrecision(4))} after ${Math.round(run.steps / 1000)} k steps`, () => lay(run, `${name}, seed ${run.settings.seed}`));
		}
	});
})();
