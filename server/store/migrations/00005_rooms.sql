-- +goose Up
-- Rooms: a teacher, a class, and what the class has answered.

CREATE TABLE rooms (
    code       TEXT PRIMARY KEY,        -- six letters; whoever has them may join
    key_sha256 BYTEA NOT NULL,          -- of the teacher's key
    secret     BYTEA NOT NULL,          -- that hidden seeds are drawn from; it is never told
    state      TEXT NOT NULL,           -- what the teacher has set, a JSON object
    closed     BOOLEAN NOT NULL,
    created    BIGINT NOT NULL,
    changed    BIGINT NOT NULL
);
CREATE INDEX rooms_changed ON rooms (changed);

CREATE TABLE room_members (
    room          TEXT NOT NULL REFERENCES rooms (code) ON DELETE CASCADE,
    number        BIGINT NOT NULL,      -- from 1
    nickname      TEXT NOT NULL,
    folded        TEXT NOT NULL,        -- the nickname as it is compared; empty when its bearer was removed
    secret_sha256 BYTEA NOT NULL,       -- of what the browser keeps to come back
    state         TEXT NOT NULL,        -- a JSON object
    joined        BIGINT NOT NULL,
    PRIMARY KEY (room, number)
);
CREATE UNIQUE INDEX room_nicknames ON room_members (room, folded) WHERE folded <> '';

CREATE TABLE room_answers (
    room    TEXT NOT NULL REFERENCES rooms (code) ON DELETE CASCADE,
    number  BIGINT NOT NULL,            -- from 1, in the order in which they came
    member  BIGINT NOT NULL,
    kind    TEXT NOT NULL,
    task    TEXT NOT NULL,              -- the exercise or the question
    answer  TEXT NOT NULL,              -- a JSON object
    verdict TEXT NOT NULL,              -- a JSON object; empty until it has been judged
    credit  DOUBLE PRECISION,           -- NULL where there is none, or none yet
    sent    BIGINT NOT NULL,
    judged  BIGINT NOT NULL,            -- 0 until then
    PRIMARY KEY (room, number)
);
CREATE INDEX room_answers_open ON room_answers (room) WHERE verdict = '';

-- +goose Down
DROP TABLE room_answers;
DROP TABLE room_members;
DROP TABLE rooms;
