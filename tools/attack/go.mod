module impalab/tools/attack

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/gorilla/websocket v1.5.3
	impalab v0.0.0
)

replace impalab => ../..
