// Carries the trainer into a web worker. The first message says where its parts are. Every other brings a port to talk
// through, or to hear moments made again, unrolls or the score of a run through. Or it asks for the hash of the
// parameters that a run ended with, or has it act for a run on a server. What comes before the trainer has begun waits.
"use strict";
const waiting = [];
let ready = false;
self.failed = (reason) => postMessage({ failed: reason });
self.began = () => {
	ready = true;
	for (const data of waiting.splice(0)) hear(data);
};
const hear = ({ port, moments, unrolls, scored, ended, act }) => {
	if (moments) again(port, moments.run, moments.from, moments.to, moments.parameters);
	else if (unrolls) look(port, unrolls.run, unrolls.update);
	else if (scored) score(port, scored.settings, scored.points);
	else if (port) talk(port);
	else if (ended) postMessage({ paramsSHA256: paramsSHA256(ended) });
	else if (act) actFor(act, 500);
};

// actFor acts for a run, and comes back when the connection breaks, until it is told to leave for good.
function actFor(act, pause) {
	const one = actor(act.run, act.key);
	if (one.reason) { postMessage({ left: one.reason }); return; }
	const line = new WebSocket(act.url);
	line.binaryType = "arraybuffer";
	let over = { reason: "the connection is gone", again: true };
	line.onopen = () => line.send(one.join);
	line.onmessage = ({ data }) => {
		const answer = one.hear(new Uint8Array(data));
		if (answer?.reason) { over = answer; line.close(); return; }
		pause = 500;
		if (answer && line.readyState === WebSocket.OPEN) line.send(answer);
	};
	line.onclose = () => {
		postMessage({ left: over.reason, again: over.again });
		if (over.again) setTimeout(actFor, pause * (1 + Math.random()), act, Math.min(2 * pause, 15000));
	};
}
async function start({ exec, kernels, program, module, programs, makes, build, number }) {
	importScripts(exec, kernels);
	const go = new Go();
	go.argv = ["worker", programs || "", build, String(number), makes || ""];
	if (!module) { // the page has not compiled it
		const answer = await fetch(program);
		if (answer.status === 503) throw new Error(await answer.text()); // make run has not compiled it yet
		if (!answer.ok) throw new Error(program + " is missing: the folder of this site is incomplete");
		module = await answer.arrayBuffer(); // not instantiateStreaming: some hosts do not know the type of the file
	}
	await go.run(await instantiateGo(module, go.importObject));
	throw new Error("the trainer stopped; reload the page to start it again");
}
onmessage = ({ data }) => {
	if (data.start) start(data.start).catch((err) => failed(err.message));
	else if (ready) hear(data);
	else waiting.push(data);
};
