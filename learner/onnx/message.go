package onnx

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The messages of onnx.proto3 that a network needs, by their field numbers.
// Source: https://github.com/onnx/onnx/blob/v1.17.0/onnx/onnx.proto

// Element types, onnx.TensorProto.DataType.
const (
	elemFloat = 1
	elemInt64 = 7
)

// Attribute types, onnx.AttributeProto.AttributeType.
const (
	attrFloat = 1
	attrInt   = 2
	attrInts  = 7
)

// message is an encoded protobuf message.
type message []byte

func (m *message) text(field protowire.Number, s string) {
	*m = protowire.AppendTag(*m, field, protowire.BytesType)
	*m = protowire.AppendString(*m, s)
}

func (m *message) raw(field protowire.Number, b []byte) {
	*m = protowire.AppendTag(*m, field, protowire.BytesType)
	*m = protowire.AppendBytes(*m, b)
}

func (m *message) number(field protowire.Number, n int) {
	*m = protowire.AppendTag(*m, field, protowire.VarintType)
	*m = protowire.AppendVarint(*m, uint64(n))
}

// attribute is an argument of a node: an int, a float32 or an []int.
type attribute struct {
	name  string
	value any
}

func (a *attribute) encode() (m message) {
	m.text(1, a.name)
	switch v := a.value.(type) {
	case int:
		m.number(3, v)
		m.number(20, attrInt)
	case float32:
		m = protowire.AppendTag(m, 2, protowire.Fixed32Type)
		m = protowire.AppendFixed32(m, math.Float32bits(v))
		m.number(20, attrFloat)
	case []int:
		for _, n := range v {
			m.number(8, n)
		}
		m.number(20, attrInts)
	}
	return m
}

// node is one operation.
func node(op string, inputs, outputs []string, attributes ...attribute) (m message) {
	for _, name := range inputs {
		m.text(1, name)
	}
	for _, name := range outputs {
		m.text(2, name)
	}
	m.text(3, outputs[0])
	m.text(4, op)
	for i := range attributes {
		m.raw(5, attributes[i].encode())
	}
	return m
}

// floats is a constant tensor of float32 values, little-endian as the format asks.
func floats(name string, values []float32, dims ...int) (m message) {
	for _, n := range dims {
		m.number(1, n)
	}
	m.number(2, elemFloat)
	m.text(8, name)
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	m.raw(9, data)
	return m
}

// ints is a constant vector of int64 values.
func ints(name string, values ...int) (m message) {
	m.number(1, len(values))
	m.number(2, elemInt64)
	m.text(8, name)
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, uint64(v))
	}
	m.raw(9, data)
	return m
}

// tensor describes an input or output of shape [N, width].
func tensor(name string, width int, doc string) (m message) {
	var n, w, shape, kind, whole message
	n.text(2, "N")
	w.number(1, width)
	shape.raw(1, n)
	shape.raw(1, w)
	kind.number(1, elemFloat)
	kind.raw(2, shape)
	whole.raw(1, kind)
	m.text(1, name)
	m.raw(2, whole)
	m.text(3, doc)
	return m
}

// pair is an entry of a model's metadata.
func pair(key, value string) (m message) {
	m.text(1, key)
	m.text(2, value)
	return m
}
