// Carries the trainer into a web worker. The first message says where its parts are; every other brings a port to talk
// through, or asks for the hash of the parameters that a run ended with. What comes before the trainer has begun waits.
"use strict";
const waiting = [];
let ready = false;
self.failed = (reason) => postMessage({ failed: reason });
self.began = () => {
	ready = true;
	for (const data of waiting.splice(0)) hear(data);
};
const hear = ({ port, ended }) => {
	if (port) talk(port);
	else if (ended) postMessage({ paramsSHA256: paramsSHA256(ended) });
};
async function start({ exec, program, programs, build, number }) {
	importScripts(exec);
	const go = new Go();
	go.argv = ["worker", programs, build, String(number)];
	const answer = await fetch(program);
	if (!answer.ok) throw new Error(program + " is not there: the folder of this site is not whole");
	// Not instantiateStreaming: some hosts do not know the type of the file.
	const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer(), go.importObject);
	await go.run(instance);
	throw new Error("the trainer stopped; reload the page to start it again");
}
onmessage = ({ data }) => {
	if (data.start) start(data.start).catch((err) => failed(err.message));
	else if (ready) hear(data);
	else waiting.push(data);
};
