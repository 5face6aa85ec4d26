// For node: has Go's own script for tests (wasm_exec_node.js) start programs with the kernels of static/kernels.js.
"use strict";
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (program, imports) => {
	if (!imports?.gojs || imports.kernels) return instantiate(program, imports);
	return { instance: await instantiateGo(program, imports) };
};
