package design

import (
	"fmt"
	"hash/crc32"

	"impalab/learner/hyper"
)

// Key tells the network of a configuration from all others: configurations of one key learn from the same stored
// programs, whatever their unroll and batch.
func Key(cfg *hyper.Config) (string, error) {
	spec, err := Of(cfg)
	if err != nil {
		return "", err
	}
	flat := spec.Flat()
	key := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(flat.Text())))
	if cfg.Algorithm().TunesItself { // its programs have a third list
		key += "t"
	}
	return key, nil
}
