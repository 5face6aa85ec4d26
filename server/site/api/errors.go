package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"impalab/server/errcode"
	"impalab/server/store"
)

// Problem is the answer to a request that failed.
type Problem struct {
	Fault  Fault `json:"error"`
	status int
}

// Fault is a code for programs and a sentence for people. The pages show the same sentence.
type Fault struct {
	Code    string `json:"code" enum:"not_found,forbidden,refused,conflict,full,key_needed,too_fast,too_large,not_allowed,internal"`
	Message string `json:"message" doc:"One sentence, with the next step if there is one."`
}

// Error implements error.
func (p *Problem) Error() string { return p.Fault.Message }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.status }

// statuses are the HTTP statuses of the other packages' error codes.
var statuses = map[errcode.Code]int{
	errcode.NotFound: http.StatusNotFound, errcode.Forbidden: http.StatusForbidden,
	errcode.Refused: http.StatusUnprocessableEntity, errcode.Conflict: http.StatusConflict,
	errcode.Full: http.StatusServiceUnavailable, errcode.TooFast: http.StatusTooManyRequests,
}

// codes are the codes of the statuses.
var codes = map[int]string{
	http.StatusUnauthorized: "key_needed", http.StatusMethodNotAllowed: "not_allowed",
	http.StatusRequestEntityTooLarge: "too_large", http.StatusInternalServerError: "internal",
}

func init() {
	for code, status := range statuses {
		codes[status] = string(code)
	}
	// All APIs of huma in a program share one function that makes errors. This is the only API.
	huma.NewError = func(status int, sentence string, causes ...error) huma.StatusError {
		for _, cause := range causes { // the first detail says more than the sentence
			if detail := (*huma.ErrorDetail)(nil); errors.As(cause, &detail) {
				sentence = detail.Message
				if detail.Location != "" && detail.Location != "body" {
					sentence = detail.Location + ": " + sentence
				}
				break
			}
		}
		if sentence == "request body is required" {
			sentence = "the body is empty; send a JSON object, like {\"preset\": \"lag-cliff\"} for a run"
		}
		return problem(status, sentence)
	}
}

func problem(status int, sentence string) *Problem {
	code := codes[status]
	switch {
	case code == "" && status >= 500:
		code = "internal"
	case code == "":
		code = string(errcode.Refused)
	}
	return &Problem{Fault{code, sentence}, status}
}

const (
	unstored = "the server cannot store anything at the moment; try again later"
	internal = "internal error; the server's log has the details"
	damaged  = "these data are damaged on the server's disk; its log has the details, and its host can restore a backup"
)

// refuse returns err as the refusal of an invalid request.
func refuse(err error) error { return problem(http.StatusUnprocessableEntity, OneLine(err)) }

// OneLine returns the sentences of an error as one line.
func OneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// said returns the answer to a request that failed with err.
func (a *api) said(err error) error {
	if known := huma.StatusError(nil); err == nil || errors.As(err, &known) {
		return err
	}
	status, known := statuses[errcode.Of(err)]
	switch {
	case status == http.StatusServiceUnavailable:
		return retry("10", problem(status, OneLine(err)))
	case status == http.StatusTooManyRequests:
		return retry("30", problem(status, OneLine(err)))
	case known:
		return problem(status, OneLine(err))
	case errors.Is(err, store.ErrFull), errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrHeld):
		a.Log.Error("the store refused a request", "error", err)
		return retry("10", problem(http.StatusServiceUnavailable, unstored))
	case errors.Is(err, store.ErrDamaged):
		a.Log.Error("a request met damaged data", "error", err)
		return problem(http.StatusInternalServerError, damaged)
	case errors.Is(err, context.Canceled): // the client disconnected, which is not a fault
		return problem(http.StatusServiceUnavailable, "the request was cancelled")
	}
	a.Log.Error("a request failed", "error", err)
	return problem(http.StatusInternalServerError, internal)
}

func retry(after string, p *Problem) error {
	return huma.ErrorWithHeaders(p, http.Header{"Retry-After": {after}})
}

// Fail answers with an error that has a code, outside huma.
func Fail(w http.ResponseWriter, err error) {
	status := http.StatusServiceUnavailable
	if errcode.Of(err) == errcode.NotFound {
		status = http.StatusNotFound
	} else {
		w.Header().Set("Retry-After", "5")
	}
	Write(w, status, err.Error())
}

// Write answers with a sentence, outside huma.
func Write(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(problem(status, sentence)) // fails only if the client has disconnected
}
