package learned

import "embed"

// A page would have to load megabytes of the other agents, which it may never show.
//
//go:embed agents/cheetah.gz
var files embed.FS
