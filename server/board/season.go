package board

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Season is the time for which secret seeds stay the same. Its key makes them; who has the key knows all of them.
type Season struct {
	Number int
	key    [32]byte
	over   bool
}

// KeyFile is where a data folder keeps a season's key. It is no part of the database, nor of its backup.
func KeyFile(data string, season int) string {
	return filepath.Join(data, fmt.Sprintf("board-season-%d.key", season))
}

// OpenSeason reads a season's key, and makes it on first use. A key that others can read is refused.
func OpenSeason(data string, number int) (*Season, error) {
	s, name := &Season{Number: number}, KeyFile(data, number)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case err == nil:
		rand.Read(s.key[:]) // it never fails
		_, err = file.WriteString(hex.EncodeToString(s.key[:]) + "\n")
		if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
			os.Remove(name)
			return nil, unkept(err)
		}
		return s, nil
	case !errors.Is(err, fs.ErrExist):
		return nil, unkept(err)
	}
	return readSeason(data, number)
}

// unkept is why a season cannot begin: it may when there is room, or the folder can be written again.
func unkept(err error) error {
	return &Error{Code: Full, Err: fmt.Errorf("the season's key cannot be kept, so nothing has changed: %w", err)}
}

// readSeason reads a season's key, which must be there.
func readSeason(data string, number int) (*Season, error) {
	s, name := &Season{Number: number}, KeyFile(data, number)
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s can be read by others (mode %04o): the season's seeds may be known; run chmod 600 on it, "+
			"or begin another season", name, info.Mode().Perm())
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != len(s.key) {
		return nil, fmt.Errorf("%s holds no key of %d digits: bring it back from where you keep a copy; a new one makes "+
			"other seeds", name, 2*len(s.key))
	}
	copy(s.key[:], key)
	return s, nil
}

// Digest is the SHA-256 of the key. It is told from the season's first day, so that everybody can check then that the
// key told on its last is the same.
func (s *Season) Digest() []byte {
	sum := sha256.Sum256(s.key[:])
	return sum[:]
}

// Over is a season whose key has been told: its seeds are secret no more.
func Over(number int, key []byte) (*Season, error) {
	s := &Season{Number: number, over: true}
	if len(key) != len(s.key) {
		return nil, fmt.Errorf("the key of season %d has %d bytes, and should have %d", number, len(key), len(s.key))
	}
	copy(s.key[:], key)
	return s, nil
}

// Seeds are the secret seeds of a track: of HMAC-SHA256(key, track, i) the first four bytes that make a seed which
// neither the public ones nor those before it are.
func (s *Season) Seeds(t *Track) Seeds {
	seeds := Seeds{secret: true}
	for i := range t.Secret {
		mac := hmac.New(sha256.New, s.key[:])
		fmt.Fprintf(mac, "%s\x00%d", t.Name, i)
		sum := mac.Sum(nil)
		seed := uint64(binary.BigEndian.Uint32(sum))
		for k := 4; k < len(sum) && (slices.Contains(t.Public, seed) || slices.Contains(seeds.values, seed)); k += 4 {
			seed = uint64(binary.BigEndian.Uint32(sum[k:]))
		}
		seeds.values = append(seeds.values, seed)
	}
	return seeds
}

// Told are the secret seeds of a track once the season is over; nil before.
func (s *Season) Told(t *Track) []uint64 {
	if !s.over {
		return nil
	}
	return s.Seeds(t).values
}

// String keeps the key out of whatever is printed.
func (s *Season) String() string { return fmt.Sprintf("season %d", s.Number) }

// GoString does so for %#v.
func (s *Season) GoString() string { return s.String() }
