package main

import "slices"

// Sections of a WebAssembly module, in their order.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	tableSection    = 4
	exportSection   = 7
	elementSection  = 9
	codeSection     = 10
)

// module is a WebAssembly module in the making.
type module struct{ bytes expr }

func newModule() *module { return &module{expr("\x00asm\x01\x00\x00\x00")} }

// section appends a section with a list.
func (m *module) section(id byte, items ...expr) {
	body := expr{}.unsigned(len(items))
	for _, item := range items {
		body = append(body, item...)
	}
	m.bytes = append(append(m.bytes, id).unsigned(len(body)), body...)
}

// name is a string.
func name(s string) expr { return append(expr{}.unsigned(len(s)), s...) }

// each makes a list of items, one of each function.
func each(list []*function, item func(i int, f *function) expr) (items []expr) {
	for i, f := range list {
		items = append(items, item(i, f))
	}
	return items
}

func signature(_ int, f *function) expr {
	e := expr{0x60}.unsigned(f.params)
	for _, k := range f.kinds[:f.params] {
		e = append(e, byte(k))
	}
	return append(e, 0) // no result
}

func index(i int, _ *function) expr { return expr{}.unsigned(i) }

// body is a function's variables and its code, in a field with its length.
func body(kinds []kind, code expr) expr {
	e := expr{}.unsigned(len(kinds))
	for _, k := range kinds {
		e = append(e, 1, byte(k))
	}
	e = append(slices.Concat(e, code), 0x0b)
	return append(expr{}.unsigned(len(e)), e...)
}

// door is a module that exports each function under its name, and calls whatever its table has in its place. So Go's
// program can import functions before its memory exists, which they need.
func door(list []*function) []byte {
	m := newModule()
	m.section(typeSection, each(list, signature)...)
	m.section(functionSection, each(list, index)...)
	m.section(tableSection, expr{0x70, 0x00}.unsigned(len(list)))
	m.section(exportSection, append(each(list, func(i int, f *function) expr {
		return append(name(f.name), 0x00).unsigned(i)
	}), append(name("table"), 0x01, 0))...)
	m.section(codeSection, each(list, func(i int, f *function) expr {
		var call expr
		for p := range f.params {
			call = append(call, local{index: p}.get()...)
		}
		return body(nil, append(append(append(call, whole(i)...), 0x11).unsigned(i), 0))
	})...)
	return m.bytes
}

// behind is the module of the functions themselves. It imports Go's memory, and puts them into the door's table.
func behind(list []*function) []byte {
	m := newModule()
	m.section(typeSection, each(list, signature)...)
	m.section(importSection,
		append(append(name("go"), name("mem")...), 0x02, 0x00, 0),
		append(append(name("door"), name("table")...), 0x01, 0x70, 0x00).unsigned(len(list)))
	m.section(functionSection, each(list, index)...)
	element := append(expr{0x00}, whole(0)...)
	element = append(element, 0x0b).unsigned(len(list))
	for i := range list {
		element = element.unsigned(i)
	}
	m.section(elementSection, element)
	m.section(codeSection, each(list, func(_ int, f *function) expr { return body(f.kinds[f.params:], f.code) })...)
	return m.bytes
}
