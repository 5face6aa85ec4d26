//go:build js && wasm

package main

import (
	"reflect"
	"strings"
)

// object returns a value as JSON.parse would return its JSON, by the tags of its fields. encoding/json would be 60 kB
// more to download.
func object(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			name, omitempty, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if omitempty == "" || !v.Field(i).IsZero() {
				fields[name] = object(v.Field(i))
			}
		}
		return fields
	case reflect.Map:
		entries := map[string]any{}
		for _, key := range v.MapKeys() {
			entries[key.String()] = object(v.MapIndex(key))
		}
		return entries
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = object(v.Index(i))
		}
		return list
	case reflect.Pointer:
		return object(v.Elem())
	}
	return v.Interface()
}
