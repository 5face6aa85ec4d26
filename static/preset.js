// The Lab shows the preset that its link names, and what it is about, before the client is there: both stand in the page.
{
	// A query like ?p=stac is read as the link #p=stac. The other keys of the page's query, like stage=0, stay in it.
	const query = new URLSearchParams(location.search);
	if (location.hash.length < 2 && (query.has("p") || query.has("preset"))) {
		const stage = query.has("stage") ? "?stage=" + query.get("stage") : "";
		query.delete("stage");
		history.replaceState(null, "", location.pathname + stage + "#v=1&" + query);
	}
	const link = new URLSearchParams(location.hash.slice(1)), name = link.get("p") ?? link.get("preset");
	const about = [...document.querySelectorAll("#define-preset dd")].find((one) => one.dataset.preset === name);
	if (about) {
		document.getElementById("preset").value = name;
		// Another lag or correction has a sentence of its own, which the client writes.
		const own = link.has("lag") || link.has("correction");
		document.querySelector("[data-text=preset]").textContent = own ? "" : about.textContent.trim();
	}
}
