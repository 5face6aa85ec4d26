// Has the browser keep the site: after the first visit it opens without a network too. A browser or a host that cannot
// do that changes nothing else.
if ("serviceWorker" in navigator) {
	navigator.serviceWorker.register(document.currentScript.dataset.keeper)
		.then(() => navigator.serviceWorker.ready)
		.then(() => { document.documentElement.dataset.kept = "true"; })
		.catch(() => {});
}
