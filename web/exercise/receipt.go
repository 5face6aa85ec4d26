package exercise

// Receipts: of a room, which only its server can write, and of a page without a server. The letters are the same.

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
)

var alphabet = base32.StdEncoding.WithPadding(base32.NoPadding)

// Letters writes bytes as letters and digits that people can copy, in groups of four.
func Letters(b []byte) string {
	var groups []string
	for text := alphabet.EncodeToString(b); text != ""; text = text[min(4, len(text)):] {
		groups = append(groups, text[:min(4, len(text))])
	}
	return strings.Join(groups, "-")
}

var errLetters = errors.New("this is not a receipt: a letter is wrong or missing; copy it again, or open the file " +
	"that was saved")

// FromLetters reads the bytes that Letters has written. Case, spaces and hyphens do not matter.
func FromLetters(text string) ([]byte, error) {
	text = strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToUpper(c)
		}
		return -1
	}, text)
	b, err := alphabet.DecodeString(text)
	if err != nil || alphabet.EncodeToString(b) != text { // the last letter has unused bits
		return nil, errLetters
	}
	return b, nil
}

// Receipt is a hand-in that a page without a server has judged. Anybody can write one, so a reader judges its answer
// again.
type Receipt struct {
	Exercise string   `json:"exercise"`
	Said     Answer   `json:"said"` // without targets; a program's text is Said.Text
	Credit   float64  `json:"credit"`
	Figure   *float64 `json:"figure,omitempty"` // to two decimals
}

const (
	sumBytes    = 5        // of a receipt's hash, before its content
	mostReceipt = 16 << 10 // bytes of its JSON
)

// usual is text that receipts often have: they become shorter. Older receipts can be read only while it is the same.
const usual = `{"exercise":"by-hand","said":{"numbers":[],"choice":1,"second":0,"text":"def vtrace(r, gamma, V, ratio, ` +
	`rho_bar, c_bar, lam):\n    return vs, adv\n","settings":{"algo":"","alpha":"0.","lag":"16","lift":"0.","lr":"0.00` +
	`","entropy":"0.0","mix":"0.","taper":"bad","trust":"correction":"vtrace","c":"1","rho":"2"}},"credit":0.333,` +
	`"credit":1,"figure":49`

// NewReceipt returns the receipt of a judged hand-in.
func NewReceipt(e *Exercise, said *Answer, v *Verdict) *Receipt {
	r := &Receipt{Exercise: e.Name, Said: *said, Credit: v.Credit}
	r.Said.Targets, r.Said.Draw = nil, ""
	if v.Figure != nil && !math.IsNaN(*v.Figure) {
		figure := math.Round(*v.Figure*100) / 100
		r.Figure = &figure
	}
	return r
}

// Code returns the receipt as letters in groups of four. The first are a hash of the others.
func (r *Receipt) Code() (string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	var content bytes.Buffer
	w, err := flate.NewWriterDict(&content, flate.BestCompression, []byte(usual))
	if err != nil {
		return "", err
	}
	if _, err = w.Write(text); err == nil {
		err = w.Close()
	}
	sum := sha256.Sum256(content.Bytes())
	return Letters(append(sum[:sumBytes:sumBytes], content.Bytes()...)), err
}

// ReadReceipt reads the letters of a receipt. It returns an error if one of them has changed.
func ReadReceipt(code string) (*Receipt, error) {
	b, err := FromLetters(code)
	if err != nil || len(b) < sumBytes {
		return nil, errLetters
	}
	content := b[sumBytes:]
	if sum := sha256.Sum256(content); !bytes.Equal(sum[:sumBytes], b[:sumBytes]) {
		return nil, errLetters
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReaderDict(bytes.NewReader(content), []byte(usual)), mostReceipt))
	r := &Receipt{}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		return nil, errors.New("this receipt is of another build: check it on the site that has given it")
	}
	return r, nil
}

// Result writes the credit and the figure, like "1 of 1, at 496.31".
func (r *Receipt) Result() string {
	text := short(r.Credit) + " of 1"
	if r.Figure != nil {
		text += ", at " + strconv.FormatFloat(*r.Figure, 'f', -1, 64)
	}
	return text
}
