package store

// Short links: a code that stands for the fragment of a long one. The code follows from the fragment, so that sharing
// the same thing twice gives the same link, and costs nothing.

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
)

const (
	fragmentLimit = 64 << 10 // bytes
	codeLength    = 8        // 40 bits; longer where two fragments would meet
)

// Shorten keeps a fragment and returns its code: letters and digits, at least 8, in lower case.
func (tx *Tx) Shorten(fragment string) (code string, err error) {
	if err := plain(fragment); err != nil {
		return "", err
	}
	if len(fragment) > fragmentLimit {
		return "", fmt.Errorf("%w: a link of %d bytes; at most %d are kept", ErrInvalid, len(fragment), fragmentLimit)
	}
	digest := sha256.Sum256([]byte(fragment))
	whole := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(digest[:]))
	if kept, err := tx.Expand(whole[:codeLength]); err == nil && kept == fragment {
		return whole[:codeLength], nil
	}
	if err := tx.take(fragment); err != nil {
		return "", err
	}
	return tx.shorten(fragment, whole)
}

// shorten finds the shortest beginning of whole that stands for no other fragment.
func (tx *Tx) shorten(fragment, whole string) (code string, err error) {
	for n := codeLength; n <= len(whole); n++ {
		_, err := tx.exec(`INSERT INTO links (code, fragment, created) VALUES ($1, $2, $3)
			ON CONFLICT (code) DO NOTHING`, whole[:n], fragment, tx.s.now())
		if err != nil {
			return "", err
		}
		switch kept, err := tx.Expand(whole[:n]); {
		case err != nil:
			return "", err
		case kept == fragment:
			return whole[:n], nil
		}
	}
	return "", fmt.Errorf("the link %s: %w", whole, ErrConflict)
}

// Expand is the fragment that a code stands for, or ErrNotFound.
func (tx *Tx) Expand(code string) (fragment string, err error) {
	err = tx.one("SELECT fragment FROM links WHERE code = $1", []any{code}, &fragment)
	return fragment, err
}
