// Starts the client. All behaviour is Go; this only carries it in, and says so when it cannot.
const go = new Go();
const tell = (text) => {
	document.getElementById("note").textContent = text;
	document.body.classList.add("stopped");
};
// The page around the stage; a foreign one denies access.
let page = document;
try { page = parent.document; } catch { }
// whole resolves when the page has all its elements: the client binds to them.
const whole = new Promise((soon) => {
	if (page.readyState === "loading") page.addEventListener("DOMContentLoaded", soon);
	else soon();
});
// read resolves when the page's words are on the screen: they come before two megabytes of client.
const read = whole.then(() => page.fonts.ready).then(() => new Promise((soon) => {
	if (page.hidden) soon(); // and paints nothing
	else requestAnimationFrame(() => setTimeout(soon));
}));
// compileProgram compiles the workers' program once for all of them. In WebKit the second worker's own compilation would
// wait for half a minute, until the functions of the client and of the first are optimised.
globalThis.compileProgram = async (program) => {
	const answer = await fetch(program);
	if (answer.status === 503) throw new Error(await answer.text()); // make run has not compiled it yet
	if (!answer.ok) throw new Error(program + " is missing: the folder of this site is incomplete");
	return WebAssembly.compile(await answer.arrayBuffer());
};
const client = document.currentScript.dataset.client;
read.then(() => WebAssembly.instantiateStreaming(fetch(client), go.importObject))
	.catch(async (err) => { // some hosts do not know the type of the file
		if (!(err instanceof TypeError)) throw err;
		return WebAssembly.instantiate(await (await fetch(client)).arrayBuffer(), go.importObject);
	})
	.then(async ({ instance }) => {
		await new Promise((soon) => setTimeout(soon)); // not in the same task
		return go.run(instance);
	})
	.then(() => tell("The client stopped. Reload the page to start it again."))
	.catch((err) => tell("The client did not start: " + err.message));
