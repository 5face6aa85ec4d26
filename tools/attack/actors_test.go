package attack

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/websocket"

	"impalab/web/wire"
)

// unfinishedBlocks has forty actors of one address that each send most of a block, as large as any block may be.
func unfinishedBlocks(ctx context.Context, t *target) error {
	const actors, most = 40, 60e6 // bytes above rest: a block of this run has 10 kB
	b, w, err := t.visit(ctx, attacker, &wire.Hello{Settings: []wire.Setting{{Key: "preset", Value: "cartpole"}}})
	if err != nil {
		return err
	}
	defer b.conn.Close()
	rest, err := t.usage()
	if err != nil {
		return err
	}
	join, err := wire.Append(nil, &wire.Join{Run: w.Run, Key: w.Key, Build: w.Build})
	if err != nil {
		return err
	}
	d := websocket.Dialer{HandshakeTimeout: patience, NetDialContext: from(attacker)}
	part := make([]byte, 64<<10)
	for range actors {
		conn, _, err := d.DialContext(ctx, "ws://"+t.host+"/api/actor", http.Header{})
		if err != nil {
			return err
		}
		defer conn.Close()
		if err := conn.WriteMessage(websocket.BinaryMessage, join); err != nil {
			return err
		}
		frame, err := conn.NextWriter(websocket.BinaryMessage)
		for sent := 0; err == nil && sent < wire.MaxFromActor-len(part); sent += len(part) { // until it is sent away
			_, err = frame.Write(part)
		}
	}
	sleep(ctx, 2*time.Second)
	now, err := t.usage()
	if err != nil {
		return err
	}
	fmt.Printf("      %d actors left their blocks unfinished; the server takes %.0f MB, before %.0f MB\n", actors,
		now.rss/1e6, rest.rss/1e6)
	if now.rss > rest.rss+most {
		return fmt.Errorf("unfinished blocks take %.0f MB", (now.rss-rest.rss)/1e6)
	}
	return nil
}
