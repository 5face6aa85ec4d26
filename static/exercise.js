// Answers one request in a web worker, which static/class-program.js starts and ends: it runs a student's program, or
// judges an exercise. It sends nothing to the server.
"use strict";
const mostMemory = 256 << 20; // bytes
onmessage = async ({ data }) => {
	try {
		importScripts(data.exec);
		const go = new Go(), grown = go.importObject.gojs["runtime.resetMemoryDataView"];
		go.importObject.gojs["runtime.resetMemoryDataView"] = (...args) => { // Go calls it whenever its memory has grown
			grown(...args);
			if (go.mem.buffer.byteLength > mostMemory) throw new RangeError("The program needs too much memory: make its lists and texts shorter.");
		};
		const answer = await fetch(data.module);
		if (answer.status === 503) throw new Error(await answer.text()); // make run has not compiled it yet
		if (!answer.ok) throw new Error("The module that runs programs is missing: reload the page.");
		const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), go.importObject);
		self.asked = JSON.stringify(data.asked);
		self.ended = (result) => postMessage(JSON.parse(result));
		postMessage({ began: true });
		await go.run(instance);
	} catch (error) { postMessage({ error: error.message, printed: "" }); }
};
