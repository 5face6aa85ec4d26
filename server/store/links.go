package store

// Short links: a code for the fragment of a long link. The code is the beginning of the fragment's hash, so the same
// fragment has the same code.

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
)

const (
	fragmentLimit = 64 << 10 // bytes
	codeLength    = 8        // 40 bits; longer if two fragments would have the same code
)

// Shorten stores a fragment and returns its code: letters and digits, at least 8, in lower case.
func (tx *Tx) Shorten(fragment string) (code string, err error) {
	if len(fragment) > fragmentLimit {
		return "", fmt.Errorf("%w: a link of %d bytes; at most %d are kept", ErrInvalid, len(fragment), fragmentLimit)
	}
	hash := sha256.Sum256([]byte(fragment))
	whole := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(hash[:]))
	for n := codeLength; n <= len(whole); n++ {
		kept, err := tx.Expand(whole[:n])
		if errors.Is(err, ErrNotFound) {
			if err := tx.allow(&shortLinks, fragment); err != nil {
				return "", err
			}
			if _, err := tx.exec("INSERT INTO links (code, fragment) VALUES ($1, $2) ON CONFLICT DO NOTHING", whole[:n],
				fragment); err != nil {
				return "", err
			}
			kept, err = tx.Expand(whole[:n])
		}
		if err != nil || kept == fragment {
			return whole[:n], err
		}
	}
	return "", fmt.Errorf("the link %s: %w", whole, ErrConflict)
}

// Expand returns the fragment of a code, or ErrNotFound.
func (tx *Tx) Expand(code string) (fragment string, err error) {
	return read[string](tx, "SELECT fragment FROM links WHERE code = $1", code)
}
