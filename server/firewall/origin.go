package firewall

import (
	"cmp"
	"fmt"
	"net/http"
)

// SameOrigin refuses what a page from elsewhere asks for: net/http's CrossOriginProtection, applied to every method.
// It lets safe methods pass, because a GET should change nothing; but a websocket and an event stream begin with a
// GET, and lead into a run. origins are those, as "https://host", whose pages may call although the server has another
// name: what browsers see of it behind a proxy.
func SameOrigin(refused Refused, origins ...string) (func(http.Handler) http.Handler, error) {
	check := http.NewCrossOriginProtection()
	for _, origin := range origins {
		if err := check.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			unsafe := *r
			unsafe.Method = http.MethodPost
			if check.Check(&unsafe) != nil {
				refused(ForeignOrigin)
				refuse(w, r, http.StatusForbidden, fmt.Sprintf("a page from %.100s may not connect here; behind a proxy, "+
					"start the server with --base-url and the URL that browsers see", cmp.Or(r.Header.Get("Origin"), "elsewhere")))
				return
			}
			next.ServeHTTP(w, r)
		})
	}, nil
}
