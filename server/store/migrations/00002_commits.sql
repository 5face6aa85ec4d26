-- +goose Up
-- A row for each transaction of PostgreSQL, written in it: when the answer to a commit is lost, its row tells whether
-- it happened. Transaction ids would not do: after a crash PostgreSQL gives those that left no trace to others.
CREATE TABLE commits (
    token   TEXT PRIMARY KEY,
    created BIGINT NOT NULL
);

-- +goose Down
DROP TABLE commits;
