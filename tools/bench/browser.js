// For a page of impalab that trains nothing: starts its worker, and measures runs there.
(async () => {
	const { dataset } = new DOMParser().parseFromString(await (await fetch("../lab")).text(), "text/html").body;
	const at = (name) => dataset[name] && new URL(dataset[name], location.origin).href;
	const worker = new Worker(at("worker"));
	const failed = new Promise((_, fail) => { worker.onerror = fail; worker.addEventListener("message", ({ data }) => data.failed && fail(Error(data.failed))); });
	const start = { build: dataset.build, number: 0 };
	for (const part of ["exec", "kernels", "program", "programs", "makes"]) start[part] = at(part);
	worker.postMessage({ start });

	// begin starts a run by a Hello, and returns the first frame of its answer. Both are base64.
	window.begin = (hello) => Promise.race([failed, new Promise((first) => {
		const { port1, port2 } = new MessageChannel();
		window.from = performance.now();
		window.line = port1;
		port1.onmessage = ({ data }) => first(btoa(String.fromCharCode(...data)));
		worker.postMessage({ port: port2 }, [port2]);
		port1.postMessage(Uint8Array.from(atob(hello), (c) => c.charCodeAt(0)));
	})]);

	// ended waits for a run's end. It returns the time since begin, and that between the page's frames, in ms.
	window.ended = (id) => Promise.race([failed, new Promise((over) => {
		const frames = [];
		let last = performance.now(), done = false;
		const frame = (now) => { frames.push(now - last); last = now; if (!done) requestAnimationFrame(frame); };
		requestAnimationFrame(frame);
		const hear = ({ data }) => {
			if (data.paramsSHA256 === undefined) return;
			if (!data.paramsSHA256) { setTimeout(ask, 20); return; }
			done = true;
			worker.removeEventListener("message", hear);
			window.line.postMessage(null);
			over({ ms: performance.now() - window.from, sha: data.paramsSHA256, frames: frames.slice(1) });
		};
		const ask = () => worker.postMessage({ ended: id });
		worker.addEventListener("message", hear);
		ask();
	})]);
})()
