-- Documents that an app refuses: the keyed hash alone, so that an entry outlives the session it came from.
CREATE TABLE blocked_document (
  id          text PRIMARY KEY,
  app_id      text NOT NULL,
  fingerprint text NOT NULL,
  created_at  timestamptz NOT NULL,
  UNIQUE (app_id, fingerprint)
);
