-- +goose Up
-- Sweeps: one plan, many runs, which belong to the sweep's own key.

CREATE TABLE sweeps (
    id         TEXT PRIMARY KEY,        -- 128 random bits in hex; whoever has it may read
    key_sha256 BYTEA NOT NULL,          -- of the key that stops and deletes it, and steers its runs
    owner      TEXT NOT NULL,           -- a hash, made by the caller
    plan       TEXT NOT NULL,           -- a JSON object
    state      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created    BIGINT NOT NULL,
    changed    BIGINT NOT NULL
);
CREATE INDEX sweeps_in_state ON sweeps (state, created, id);

CREATE TABLE sweep_runs (
    sweep           TEXT NOT NULL REFERENCES sweeps (id) ON DELETE CASCADE,
    number          BIGINT NOT NULL,    -- its place in the plan, from 0
    run             TEXT NOT NULL,      -- which may be gone by now
    outcome         TEXT NOT NULL,      -- empty until it is over
    reason          TEXT NOT NULL,
    steps           BIGINT NOT NULL,
    return_mean_100 DOUBLE PRECISION,   -- NULL before the first episode ended
    PRIMARY KEY (sweep, number)
);

-- +goose Down
DROP TABLE sweep_runs;
DROP TABLE sweeps;
