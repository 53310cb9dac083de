-- One purge: asked of every service again and again until all have confirmed; then it has its certificate.
CREATE TABLE purge (
  session_id    text PRIMARY KEY,
  app_id        text NOT NULL,
  purged_at     timestamptz NOT NULL,
  -- Rows of this service that were emptied, by table.
  deleted       jsonb NOT NULL,
  -- What the vault destroyed; null until key and files are gone.
  vault         jsonb,
  asked_at      timestamptz NOT NULL,
  asks          integer NOT NULL DEFAULT 1,
  completed_at  timestamptz,
  -- The signed certificate, canonical.
  certificate   json,
  -- When the services were asked once more for what was under way at the moment of the purge.
  swept_at      timestamptz
);
CREATE INDEX purge_open ON purge (asked_at) WHERE completed_at IS NULL;
CREATE INDEX purge_unswept ON purge (completed_at) WHERE completed_at IS NOT NULL AND swept_at IS NULL;

-- Purged before there were certificates: asked again, so that they get theirs.
INSERT INTO purge (session_id, app_id, purged_at, deleted, asked_at)
SELECT session_id, app_id, purged_at, '{}', purged_at FROM session WHERE purged_at IS NOT NULL;

ALTER TABLE purge_confirmation ADD COLUMN remaining jsonb NOT NULL DEFAULT '{}';
DELETE FROM purge_confirmation;

DROP INDEX session_undestroyed;
ALTER TABLE session DROP COLUMN data_destroyed_at;

-- The receipt of every decision, sealed: its hashes are those of personal files.
CREATE TABLE receipt (
  session_id text NOT NULL,
  sequence   integer NOT NULL,
  sealed     bytea NOT NULL,
  PRIMARY KEY (session_id, sequence)
);
