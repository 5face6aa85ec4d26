// Written by tools/simd: make gen. The products of a learner in a browser, and its other kernels, as WebAssembly with
// vectors of four numbers. They work in the memory of a Go program, which imports them before it has a memory: so it
// imports a door, which calls whatever is behind it.
"use strict";
const kernelModules = ["DOOR", "KERNELS"].map((base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));

// instantiateGo is WebAssembly.instantiate for a program of Go with these kernels: its bytes, or a module of them.
globalThis.instantiateGo = async (program, imports) => {
	const [door, behind] = kernelModules;
	if (!WebAssembly.validate(behind)) throw new Error("this browser's WebAssembly has no vectors (SIMD); use a newer browser");
	imports.kernels = (await WebAssembly.instantiate(door)).instance.exports;
	const made = await WebAssembly.instantiate(program, imports);
	const instance = made.instance ?? made; // of bytes, or of a module
	await WebAssembly.instantiate(behind, { go: instance.exports, door: imports.kernels });
	return instance;
};
