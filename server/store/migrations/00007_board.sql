-- +goose Up
-- The board: its seasons, what was handed in, and what each seed of that came to.

CREATE TABLE board_seasons (
    number     BIGINT PRIMARY KEY,      -- from 1
    key_sha256 BYTEA NOT NULL,          -- of the key that its secret seeds are made of
    seed_key   BYTEA,                   -- that key; told to nobody before the season is over
    opened     BIGINT NOT NULL,
    closes     BIGINT NOT NULL,         -- from then on nothing is handed in
    over       BIGINT NOT NULL          -- when all was trained and the key was told; 0 until then
);

CREATE TABLE board_entries (
    id         TEXT PRIMARY KEY,        -- a hash of season, track and configuration: these have one entry
    season     BIGINT NOT NULL REFERENCES board_seasons (number) ON DELETE CASCADE,
    track      TEXT NOT NULL,
    form       TEXT NOT NULL,           -- a hash of what the track fixes: another form is another track
    settings   TEXT NOT NULL,           -- KEY=VALUE with spaces between, as the track writes them
    nickname   TEXT NOT NULL,
    key_sha256 BYTEA NOT NULL,          -- of the key of who handed it in first
    address    TEXT NOT NULL,           -- as a run's
    run        TEXT NOT NULL,           -- that shows it, and may be gone; or empty
    job        TEXT NOT NULL,           -- that trains it; or empty
    tried      BIGINT NOT NULL,         -- how often it was handed in
    state      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    public_row TEXT NOT NULL,           -- a JSON object; empty until all public seeds are trained
    secret_row TEXT NOT NULL,           -- likewise
    created    BIGINT NOT NULL,
    changed    BIGINT NOT NULL
);
CREATE INDEX board_entries_of ON board_entries (season, track, form);
CREATE INDEX board_entries_open ON board_entries (created, id) WHERE state IN ('queued', 'training');

CREATE TABLE board_results (
    entry  TEXT NOT NULL REFERENCES board_entries (id) ON DELETE CASCADE,
    seed   TEXT NOT NULL,               -- a number, or secret:3, whose number is kept nowhere
    result TEXT NOT NULL,               -- a JSON object
    curve  TEXT NOT NULL,               -- a JSON object; empty once it is part of a row
    made   BIGINT NOT NULL,
    PRIMARY KEY (entry, seed)
);

-- +goose Down
DROP TABLE board_results;
DROP TABLE board_entries;
DROP TABLE board_seasons;
