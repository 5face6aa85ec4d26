// Starts the client. All behaviour is Go; this only carries it in, and says so when it cannot.
const go = new Go();
const note = document.getElementById("note");
WebAssembly.instantiateStreaming(fetch(document.currentScript.dataset.client), go.importObject)
	.then(({ instance }) => go.run(instance))
	.then(() => { note.textContent = "The client stopped. Reload the page to start it again."; })
	.catch((err) => { note.textContent = "The client did not start: " + err.message; });
