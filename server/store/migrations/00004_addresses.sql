-- +goose Up
-- Whom a run or a sweep counts for when room and cores are shared: a keyed hash of the address that began it, whose key
-- is not in the database; empty once it is over.
ALTER TABLE runs ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE sweeps ADD COLUMN address TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE sweeps DROP COLUMN address;
ALTER TABLE runs DROP COLUMN address;
