-- +goose Up
-- One schema for SQLite and PostgreSQL: TEXT, BIGINT, DOUBLE PRECISION, BOOLEAN and BYTEA mean the same to both.
-- Times are milliseconds since 1970, UTC. A JSON column holds an object.

CREATE TABLE runs (
    id              TEXT PRIMARY KEY,   -- 128 random bits in hex; everybody who has it may read
    owner           TEXT NOT NULL,      -- a hash of the key that steers, stops and deletes, made by the caller
    purpose         TEXT NOT NULL,
    name            TEXT NOT NULL,
    settings        TEXT NOT NULL,      -- JSON
    seed            TEXT NOT NULL,      -- a number
    build           TEXT NOT NULL,
    arithmetic      TEXT NOT NULL,
    parent          TEXT NOT NULL,      -- the run it was forked from, which may be deleted; or empty
    parent_update   BIGINT NOT NULL,
    address         TEXT NOT NULL,      -- a keyed hash of the visitor's address; empty once the run is over
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
    marked    BOOLEAN NOT NULL,         -- kept longer than others
    bytes     BIGINT NOT NULL,          -- of blob
    blob      BYTEA NOT NULL,           -- zstd
    PRIMARY KEY (run, at_update)
);

CREATE TABLE links (
    code     TEXT PRIMARY KEY,
    fragment TEXT NOT NULL              -- the part of a long link after #
);

-- Sweeps: one plan, many runs, which belong to the sweep's own key.

CREATE TABLE sweeps (
    id         TEXT PRIMARY KEY,        -- as a run's
    owner      TEXT NOT NULL,           -- as a run's
    address    TEXT NOT NULL,           -- as a run's
    plan       TEXT NOT NULL,           -- JSON
    state      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created    BIGINT NOT NULL,
    changed    BIGINT NOT NULL
);
CREATE INDEX sweeps_in_state ON sweeps (state, created, id);

CREATE TABLE sweep_runs (
    sweep           TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
    number          BIGINT NOT NULL,    -- in the plan, from 0
    run             TEXT NOT NULL,      -- may be deleted
    outcome         TEXT NOT NULL,      -- empty until it is over
    reason          TEXT NOT NULL,
    steps           BIGINT NOT NULL,
    return_mean_100 DOUBLE PRECISION,   -- NULL before the first episode ended
    PRIMARY KEY (sweep, number)
);

-- Rooms: a teacher, a class and its answers.

CREATE TABLE rooms (
    code       TEXT PRIMARY KEY,        -- six letters; everybody who has them may join
    key_sha256 BYTEA NOT NULL,          -- of the teacher's key
    secret     BYTEA NOT NULL,          -- makes hidden seeds and receipts; never sent
    state      TEXT NOT NULL,           -- the teacher's settings, JSON
    closed     BOOLEAN NOT NULL,
    created    BIGINT NOT NULL,
    changed    BIGINT NOT NULL
);
CREATE INDEX rooms_changed ON rooms (changed);

CREATE TABLE room_members (
    room          TEXT NOT NULL REFERENCES rooms (code) ON DELETE CASCADE,
    number        BIGINT NOT NULL,      -- from 1
    nickname      TEXT NOT NULL,
    folded        TEXT NOT NULL,        -- the nickname as it is compared; empty when the member was removed
    secret_sha256 BYTEA NOT NULL,       -- of the secret with which the browser comes back
    step          BIGINT NOT NULL,      -- of the room's plan, from 0
    help          BOOLEAN NOT NULL,     -- the student asks for help
    reopen        BOOLEAN NOT NULL,     -- the next browser with this nickname becomes this member
    joined        BIGINT NOT NULL,
    PRIMARY KEY (room, number)
);
CREATE UNIQUE INDEX room_nicknames ON room_members (room, folded) WHERE folded <> '';

CREATE TABLE room_answers (
    room    TEXT NOT NULL REFERENCES rooms (code) ON DELETE CASCADE,
    number  BIGINT NOT NULL,            -- from 1, in order of arrival
    member  BIGINT NOT NULL,
    kind    TEXT NOT NULL,
    task    TEXT NOT NULL,              -- the exercise or the question
    answer  TEXT NOT NULL,              -- JSON
    verdict TEXT NOT NULL,              -- JSON; empty until it is judged
    job     TEXT NOT NULL,              -- judges it; or empty
    credit  DOUBLE PRECISION,           -- NULL for none, or none yet
    sent    BIGINT NOT NULL,
    judged  BIGINT NOT NULL,            -- 0 until then
    PRIMARY KEY (room, number)
);
CREATE INDEX room_answers_open ON room_answers (room) WHERE verdict = '';

-- Jobs: graded work and the runs of sweeps, for any worker. River's tables can be made again from these rows.

CREATE TABLE jobs (
    id         TEXT PRIMARY KEY,        -- 128 random bits in hex
    kind       TEXT NOT NULL,
    args       TEXT NOT NULL,           -- JSON
    priority   BIGINT NOT NULL,         -- 1 goes first, 4 last
    submitter  TEXT NOT NULL,           -- a hash, made by the caller: shares are fair between submitters
    cost       BIGINT NOT NULL,         -- counts in a share
    turn       BIGINT NOT NULL,         -- among the jobs of its priority; the lowest goes first
    build      TEXT NOT NULL,           -- only workers of this build and this arithmetic do it
    arithmetic TEXT NOT NULL,
    state      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    ticket     BIGINT NOT NULL,         -- River's number for it; each time it is queued again it gets another
    tries      BIGINT NOT NULL,         -- how often a worker took it since its last snapshot
    worker     TEXT NOT NULL,           -- its worker, for people to read; or empty
    token      TEXT NOT NULL,           -- the right to write for it; empty without a worker
    beats      BIGINT NOT NULL,         -- grows each second while a worker does it
    progress   BIGINT NOT NULL,         -- done so far
    total      BIGINT NOT NULL,         -- done at the end
    changed    BIGINT NOT NULL
);
CREATE INDEX jobs_in_state ON jobs (state, priority, turn, ticket);
CREATE INDEX jobs_of_submitter ON jobs (submitter, priority);

CREATE TABLE job_snapshots (
    job  TEXT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    blob BYTEA NOT NULL
);

-- The board: its seasons and its entries.

CREATE TABLE board_seasons (
    number   BIGINT PRIMARY KEY,        -- from 1
    seed_key BYTEA,                     -- makes its secret seeds; secret until the season is over
    opened   BIGINT NOT NULL,
    closes   BIGINT NOT NULL,           -- no entry is taken from then on
    over     BIGINT NOT NULL            -- when every entry was trained and the key was published; 0 until then
);

CREATE TABLE board_entries (
    id         TEXT PRIMARY KEY,        -- a hash of season, track and configuration
    season     BIGINT NOT NULL REFERENCES board_seasons (number) ON DELETE CASCADE,
    track      TEXT NOT NULL,
    form       TEXT NOT NULL,           -- a hash of the settings that the track fixes
    settings   TEXT NOT NULL,           -- KEY=VALUE with spaces between, as the track writes them
    nickname   TEXT NOT NULL,
    key_sha256 BYTEA NOT NULL,          -- of the first submitter's key
    address    TEXT NOT NULL,           -- as a run's
    run        TEXT NOT NULL,           -- shows the entry, and may be deleted; or empty
    job        TEXT NOT NULL,           -- trains the entry; or empty
    tried      BIGINT NOT NULL,         -- how often it was handed in
    state      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    public_row TEXT NOT NULL,           -- JSON; empty until all public seeds are trained
    secret_row TEXT NOT NULL,           -- likewise
    created    BIGINT NOT NULL,
    changed    BIGINT NOT NULL
);
CREATE INDEX board_entries_of ON board_entries (season, track, form);
CREATE INDEX board_entries_open ON board_entries (created, id) WHERE state = 'queued';

-- One row for each transaction of PostgreSQL, written in it. When the answer to a commit is lost, the row tells whether
-- the transaction happened. PostgreSQL's own transaction ids do not tell: after a crash it uses them again.
CREATE TABLE commits (
    token   TEXT PRIMARY KEY,
    created BIGINT NOT NULL
);
