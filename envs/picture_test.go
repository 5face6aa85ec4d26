package envs_test

import (
	"strings"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
)

// A world's picture changes only on purpose. The pictures of the rooms are stored beside them.
func TestPicturesEqualTheStoredOnes(t *testing.T) {
	for i := range envs.Table {
		if name := envs.Table[i].Spec.Name; !strings.HasPrefix(name, "rooms-") {
			envtest.Picture(t, envs.MidGame(name), 160)
		}
	}
}
