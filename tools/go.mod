module impalab/tools

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/andybalholm/brotli v1.2.8
	github.com/gorilla/websocket v1.5.3
	github.com/mmcloughlin/avo v0.5.0
	impalab v0.0.0
)

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

replace impalab => ..
