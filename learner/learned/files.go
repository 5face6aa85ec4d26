//go:build !js

package learned

import "embed"

//go:embed agents
var files embed.FS
