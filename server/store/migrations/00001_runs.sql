-- +goose Up
-- One schema for SQLite and PostgreSQL: TEXT, BIGINT, DOUBLE PRECISION, BOOLEAN and BYTEA mean the same to both.
-- Times are milliseconds since 1970, UTC.

CREATE TABLE runs (
    id              TEXT PRIMARY KEY,   -- 128 random bits in hex; whoever has it may read
    key_sha256      BYTEA NOT NULL,     -- of the key that steers, stops and deletes
    owner           TEXT NOT NULL,      -- a hash, made by the caller
    purpose         TEXT NOT NULL,
    name            TEXT NOT NULL,
    settings        TEXT NOT NULL,      -- a JSON object
    seed            TEXT NOT NULL,      -- a number, or a reference such as secret:3
    build           TEXT NOT NULL,
    arithmetic      TEXT NOT NULL,
    parent          TEXT NOT NULL,      -- the run it was forked from, which may be gone by now; or empty
    parent_update   BIGINT NOT NULL,
    state           TEXT NOT NULL,
    reason          TEXT NOT NULL,
    steps           BIGINT NOT NULL,
    updates         BIGINT NOT NULL,
    episodes        BIGINT NOT NULL,
    return_mean_100 DOUBLE PRECISION,   -- NULL before the first episode ended
    params_sha256   TEXT NOT NULL,
    created         BIGINT NOT NULL,
    changed         BIGINT NOT NULL,
    bytes           BIGINT NOT NULL,    -- of its tape, curves and snapshots
    snapshot_bytes  BIGINT NOT NULL     -- of its snapshots alone
);
CREATE INDEX runs_of_owner ON runs (owner, created, id);
CREATE INDEX runs_in_state ON runs (state, created, id);

CREATE TABLE tape (
    run    TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,             -- from 1, without gaps
    line   TEXT NOT NULL,
    PRIMARY KEY (run, number)
);

CREATE TABLE curves (
    run        TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    series     TEXT NOT NULL,
    first_step BIGINT NOT NULL,
    last_step  BIGINT NOT NULL,
    points     BIGINT NOT NULL,
    blob       BYTEA NOT NULL,          -- see points.go
    PRIMARY KEY (run, series, first_step)
);

CREATE TABLE snapshots (
    run       TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    at_update BIGINT NOT NULL,
    step      BIGINT NOT NULL,
    marked    BOOLEAN NOT NULL,         -- somebody may want to come back here
    created   BIGINT NOT NULL,
    bytes     BIGINT NOT NULL,          -- of blob
    blob      BYTEA NOT NULL,           -- zstd
    PRIMARY KEY (run, at_update)
);

CREATE TABLE links (
    code     TEXT PRIMARY KEY,
    fragment TEXT NOT NULL,             -- what stands behind the # of a long link
    created  BIGINT NOT NULL
);

-- +goose Down
DROP TABLE links;
DROP TABLE snapshots;
DROP TABLE curves;
DROP TABLE tape;
DROP TABLE runs;
