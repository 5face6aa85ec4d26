// Stores the site for when there is no network. web/staticsite prepends `build`, the site's build, and `files`, its
// addresses relative to this one. A new build is stored beside the old build, whose pages may still be open. It replaces
// the old build when they are closed.
const name = "impalab " + build + " " + registration.scope;
addEventListener("install", (event) => event.waitUntil(caches.open(name).then((kept) => kept.addAll(files))));
addEventListener("activate", (event) => event.waitUntil(caches.keys()
	.then((all) => Promise.all(all.filter((one) => one !== name && one.endsWith(" " + registration.scope))
		.map((one) => caches.delete(one))))
	.then(() => clients.claim())));
addEventListener("fetch", (event) => {
	const { request } = event, url = new URL(request.url);
	if (request.method !== "GET" || !url.href.startsWith(registration.scope)) return;
	url.search = url.hash = "";
	const path = url.href.slice(registration.scope.length) || "./";
	if (request.mode === "navigate" && files.includes(path + "/")) { // as the host of the files would answer
		event.respondWith(Response.redirect(url.href + "/"));
	} else if (files.includes(path)) {
		// A browser that drops the storage while a page is left refuses to open it. Then the network answers.
		event.respondWith(caches.open(name).then((kept) => kept.match(url.href)).catch(() => undefined)
			.then((has) => has || fetch(request)));
	}
});
