// Starts the client. All behaviour is Go; this only carries it in, and says so when it cannot.
const go = new Go();
const tell = (text) => {
	document.getElementById("note").textContent = text;
	document.body.classList.add("stopped");
};
const client = document.currentScript.dataset.client;
WebAssembly.instantiateStreaming(fetch(client), go.importObject)
	.catch(async (err) => { // some hosts do not know the type of the file
		if (!(err instanceof TypeError)) throw err;
		return WebAssembly.instantiate(await (await fetch(client)).arrayBuffer(), go.importObject);
	})
	.then(({ instance }) => new Promise((soon) => setTimeout(() => soon(go.run(instance))))) // not in the same task
	.then(() => tell("The client stopped. Reload the page to start it again."))
	.catch((err) => tell("The client did not start: " + err.message));
