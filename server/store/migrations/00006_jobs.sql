-- +goose Up
-- Jobs: graded work, which any worker may do, and who is at it. Whose turn it is follows from these rows too; the tables
-- of the queue that hands them out can be made again from them.

CREATE TABLE jobs (
    id         TEXT PRIMARY KEY,        -- 128 random bits in hex
    kind       TEXT NOT NULL,
    args       TEXT NOT NULL,           -- a JSON object
    priority   BIGINT NOT NULL,         -- 1 goes first, 4 last
    submitter  TEXT NOT NULL,           -- a hash, made by the caller: shares are fair between submitters
    cost       BIGINT NOT NULL,         -- what it counts for in a share
    turn       BIGINT NOT NULL,         -- its place among those of its priority; the lower goes first
    build      TEXT NOT NULL,           -- only workers of this build and this arithmetic do it
    arithmetic TEXT NOT NULL,
    state      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    ticket     BIGINT NOT NULL,         -- the queue's number for it: another each time it is handed out anew
    tries      BIGINT NOT NULL,         -- how often it was taken since its last snapshot
    worker     TEXT NOT NULL,           -- who is at it, for people to read; or empty
    token      TEXT NOT NULL,           -- the right to write for it; empty when nobody is at it
    beats      BIGINT NOT NULL,         -- grows each second while somebody is at it
    progress   BIGINT NOT NULL,         -- so much of…
    total      BIGINT NOT NULL,         -- …so much is done
    created    BIGINT NOT NULL,
    changed    BIGINT NOT NULL
);
CREATE INDEX jobs_in_state ON jobs (state, priority, turn, ticket);
CREATE INDEX jobs_of_submitter ON jobs (submitter, priority);

CREATE TABLE job_snapshots (
    job     TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    created BIGINT NOT NULL,
    blob    BYTEA NOT NULL              -- what its worker made
);

-- +goose Down
DROP TABLE job_snapshots;
DROP TABLE jobs;
