-- +goose Up
-- A snapshot names its state, and several snapshots may name one: a fork shares its parent's. A state has parts, each
-- stored in a transaction of its own, so that no other writer waits for a large network.

CREATE TABLE states (
    id      TEXT NOT NULL,              -- random
    part    BIGINT NOT NULL,            -- from 0
    created BIGINT NOT NULL,            -- Retain deletes a state that no snapshot names an hour later
    blob    BYTEA NOT NULL,             -- all parts together: zstd
    PRIMARY KEY (id, part)
);

ALTER TABLE snapshots ADD COLUMN state TEXT NOT NULL DEFAULT '';
INSERT INTO states (id, part, created, blob) SELECT run || ' ' || at_update, 0, 0, blob FROM snapshots;
UPDATE snapshots SET state = run || ' ' || at_update;
ALTER TABLE snapshots DROP COLUMN blob;
CREATE INDEX snapshots_of_state ON snapshots (state);

ALTER TABLE job_snapshots ADD COLUMN shown BYTEA; -- what pages show of the job; NULL for nothing yet
