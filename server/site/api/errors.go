package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"impalab/server/errcode"

	"github.com/danielgtaylor/huma/v2"

	"impalab/server/store"
)

// Problem is what a request that fails is answered with.
type Problem struct {
	Fault  Fault `json:"error"`
	status int
}

// Fault is a code for programs and a sentence for people: the one that the page would show.
type Fault struct {
	Code    string `json:"code" enum:"not_found,forbidden,refused,conflict,full,key_needed,too_fast,too_large,not_allowed,internal"`
	Message string `json:"message" doc:"One sentence, with the next step where there is one."`
}

// Error implements error.
func (p *Problem) Error() string { return p.Fault.Message }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.status }

func problem(status int, sentence string) *Problem {
	return &Problem{Fault{codeOf(status), sentence}, status}
}

func codeOf(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "key_needed"
	case http.StatusForbidden:
		return "forbidden"
	case http.StatusNotFound:
		return string(errcode.NotFound)
	case http.StatusMethodNotAllowed:
		return "not_allowed"
	case http.StatusConflict:
		return string(errcode.Conflict)
	case http.StatusRequestEntityTooLarge:
		return "too_large"
	case http.StatusTooManyRequests:
		return "too_fast"
	case http.StatusServiceUnavailable:
		return string(errcode.Full)
	}
	if status >= 500 {
		return "internal"
	}
	return string(errcode.Refused)
}

// huma makes its errors with a function that all its APIs share; there is no other here.
func init() {
	huma.NewError = func(status int, sentence string, causes ...error) huma.StatusError {
		for _, cause := range causes { // what stands against the request says more than that something does
			if detail := (*huma.ErrorDetail)(nil); errors.As(cause, &detail) {
				sentence = detail.Message
				if detail.Location != "" && detail.Location != "body" {
					sentence = detail.Location + ": " + sentence
				}
				break
			}
		}
		return problem(status, sentence)
	}
}

const unstored = "the server cannot store anything at the moment; try again later"

const internal = "internal error; the server's log has the details"

// said turns an error of the lab's into an answer.
func (a *api) said(err error) error {
	switch errcode.Of(err) {
	case errcode.NotFound:
		return problem(http.StatusNotFound, err.Error())
	case errcode.Refused:
		return problem(http.StatusUnprocessableEntity, err.Error())
	case errcode.Conflict:
		return problem(http.StatusConflict, err.Error())
	case errcode.Full:
		return huma.ErrorWithHeaders(problem(http.StatusServiceUnavailable, err.Error()), http.Header{"Retry-After": {"10"}})
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrFull), errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrHeld):
		a.Log.Error("the store refused a request", "error", err)
		return huma.ErrorWithHeaders(problem(http.StatusServiceUnavailable, unstored), http.Header{"Retry-After": {"10"}})
	case errors.Is(err, context.Canceled): // whoever asked has gone: nobody hears this, and nothing is wrong
		return problem(http.StatusServiceUnavailable, "the request was given up")
	}
	a.Log.Error("a request failed", "error", err)
	return problem(http.StatusInternalServerError, internal)
}

// Fail answers with an error that has a code, where huma does not.
func Fail(w http.ResponseWriter, err error) {
	status := http.StatusServiceUnavailable
	if errcode.Of(err) == errcode.NotFound {
		status = http.StatusNotFound
	} else {
		w.Header().Set("Retry-After", "5")
	}
	Write(w, status, err.Error())
}

// Write answers with a sentence where huma does not.
func Write(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(problem(status, sentence)) // a line that is broken hears nothing anyway
}
