-- The table that other services have as well names the app; rows written before it are gone after a day.
-- "key" and "body_sha256" hold keyed hashes from now on.
ALTER TABLE idempotent_reply ADD COLUMN app_id text;
CREATE INDEX idempotent_reply_session ON idempotent_reply (session_id) WHERE session_id IS NOT NULL;
