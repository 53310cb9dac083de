-- What was answered under an Idempotency-Key, for 24 hours.
CREATE TABLE idempotent_reply (
  app_id      text NOT NULL,
  key_id      text NOT NULL,
  path        text NOT NULL,
  -- Keyed hashes: neither the key nor the body can be guessed from them.
  key         text NOT NULL,
  body_sha256 bytea NOT NULL,
  -- Null while the first request runs.
  status      integer,
  -- Of an answer about a session: sealed under its key, emptied by its purge.
  session_id  text,
  sealed_body bytea,
  started_at  timestamptz NOT NULL,
  PRIMARY KEY (app_id, key_id, path, key)
);
CREATE INDEX idempotent_reply_age ON idempotent_reply (started_at);
