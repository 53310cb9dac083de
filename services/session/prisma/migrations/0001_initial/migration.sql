-- Apps: the part that sessions need, told by `app.configured`.
CREATE TABLE app (
  app_id         text PRIMARY KEY,
  revision       integer NOT NULL,
  environment    text NOT NULL,
  name           text NOT NULL,
  logo_url       text,
  accent         text,
  retention_days integer NOT NULL
);

CREATE TABLE workflow (
  id          text PRIMARY KEY,
  app_id      text NOT NULL,
  name        text NOT NULL,
  is_default  boolean NOT NULL,
  version     integer NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  archived_at timestamptz
);
CREATE INDEX workflow_live ON workflow (app_id, is_default DESC, created_at, id) WHERE archived_at IS NULL;
CREATE UNIQUE INDEX workflow_default ON workflow (app_id) WHERE is_default AND archived_at IS NULL;

-- A version never changes: it is the snapshot that sessions run.
CREATE TABLE workflow_version (
  workflow_id text NOT NULL REFERENCES workflow (id),
  version     integer NOT NULL,
  config      jsonb NOT NULL,
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (workflow_id, version)
);

CREATE TABLE session (
  seq              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id       text NOT NULL UNIQUE,
  app_id           text NOT NULL,
  environment      text NOT NULL,
  workflow_id      text NOT NULL,
  workflow_version integer NOT NULL,
  status           text NOT NULL,
  decision_reason  text,
  -- Transitions so far; a state change is a compare-and-set on it.
  sequence         integer NOT NULL DEFAULT 0,
  round            integer NOT NULL DEFAULT 1,
  vendor_data      text,
  callback_url     text,
  token_sha256     bytea NOT NULL UNIQUE,
  created_via      text NOT NULL,
  test_scenario    text,
  -- Sealed: metadata and contact data; the identity.
  sealed_personal  bytea,
  sealed_identity  bytea,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  started_at       timestamptz,
  submitted_at     timestamptz,
  completed_at     timestamptz,
  expires_at       timestamptz NOT NULL,
  -- When the clock moves it next: expiry, abandonment, or the deadline of its checks.
  due_at           timestamptz,
  last_activity_at timestamptz,
  asked_again_at   timestamptz,
  purged_at        timestamptz,
  data_destroyed_at timestamptz
);
CREATE INDEX session_app ON session (app_id, seq DESC);
CREATE INDEX session_app_status ON session (app_id, status, seq DESC);
CREATE INDEX session_app_vendor ON session (app_id, vendor_data, seq DESC) WHERE vendor_data IS NOT NULL;
CREATE INDEX session_due ON session (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX session_retention ON session (app_id, completed_at) WHERE purged_at IS NULL AND completed_at IS NOT NULL;
CREATE INDEX session_undestroyed ON session (purged_at) WHERE purged_at IS NOT NULL AND data_destroyed_at IS NULL;

-- How many sessions an app has in each status, in 16 parts so that parallel writers rarely meet. Its sum is the
-- `total` of a list, which counting a million rows would be too slow for.
CREATE TABLE session_count (
  app_id text NOT NULL,
  status text NOT NULL,
  part   integer NOT NULL,
  count  bigint NOT NULL,
  PRIMARY KEY (app_id, status, part)
) WITH (fillfactor = 50);

CREATE FUNCTION count_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The order of status is the order of locks: two transitions never wait for each other in a circle.
  INSERT INTO session_count (app_id, status, part, count)
  SELECT change.app_id, change.status, NEW.seq % 16, change.delta
  FROM (SELECT NEW.app_id, NEW.status, 1 AS delta
        UNION ALL
        SELECT OLD.app_id, OLD.status, -1 WHERE TG_OP = 'UPDATE') AS change
  ORDER BY change.status
  ON CONFLICT (app_id, status, part) DO UPDATE SET count = session_count.count + excluded.count;
  RETURN NULL;
END $$;
CREATE TRIGGER session_counted_insert AFTER INSERT ON session FOR EACH ROW EXECUTE FUNCTION count_session();
CREATE TRIGGER session_counted_update AFTER UPDATE OF status ON session FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_session();

CREATE TABLE session_check (
  session_id   text NOT NULL,
  kind         text NOT NULL,
  -- '' but for a check with several speakers.
  part         text NOT NULL DEFAULT '',
  round        integer NOT NULL,
  final        boolean NOT NULL,
  status       text NOT NULL,
  score        double precision,
  -- [{code, severity}]: what a purge keeps.
  warnings     jsonb NOT NULL,
  attempts     integer NOT NULL,
  started_at   timestamptz,
  completed_at timestamptz,
  timed_out    boolean NOT NULL DEFAULT false,
  sealed       bytea,
  PRIMARY KEY (session_id, kind, part)
);

-- Every decision of the engine with the inputs it had, so that it can be replayed.
CREATE TABLE decision (
  session_id      text NOT NULL,
  sequence        integer NOT NULL,
  inputs          jsonb NOT NULL,
  status          text NOT NULL,
  decision_reason text,
  decided_at      timestamptz NOT NULL,
  PRIMARY KEY (session_id, sequence)
);

CREATE TABLE review (
  session_id  text NOT NULL,
  sequence    integer NOT NULL,
  status      text NOT NULL,
  reviewed_by text,
  api_key_id  text,
  reviewed_at timestamptz NOT NULL,
  sealed_note bytea,
  PRIMARY KEY (session_id, sequence)
);

-- What went to `session.submitted`, to ask again for a check that does not come.
CREATE TABLE submission (
  session_id text NOT NULL,
  round      integer NOT NULL,
  payload    jsonb NOT NULL,
  PRIMARY KEY (session_id, round)
);

CREATE TABLE idempotent_reply (
  key_id      text NOT NULL,
  path        text NOT NULL,
  key         text NOT NULL,
  body_sha256 bytea NOT NULL,
  -- Null while the first request runs.
  status      integer,
  session_id  text,
  sealed_body bytea,
  started_at  timestamptz NOT NULL,
  PRIMARY KEY (key_id, path, key)
);
CREATE INDEX idempotent_reply_age ON idempotent_reply (started_at);

CREATE TABLE purge_confirmation (
  session_id   text NOT NULL,
  service      text NOT NULL,
  deleted      jsonb NOT NULL,
  confirmed_at timestamptz NOT NULL,
  PRIMARY KEY (session_id, service)
);

CREATE TABLE outbox (
  seq           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id            uuid NOT NULL UNIQUE,
  name          text NOT NULL,
  version       integer NOT NULL,
  payload       json NOT NULL,
  ordering_key  text,
  correlation_id text,
  traceparent   text,
  occurred_at   timestamptz NOT NULL,
  available_at  timestamptz NOT NULL,
  leased_until  timestamptz,
  attempts      integer NOT NULL DEFAULT 0,
  sent_at       timestamptz
);
CREATE INDEX outbox_unsent ON outbox (seq) WHERE sent_at IS NULL;
CREATE INDEX outbox_unsent_key ON outbox (ordering_key, seq) WHERE sent_at IS NULL;
CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL;

CREATE TABLE processed_message (
  consumer      text NOT NULL,
  message_id    text NOT NULL,
  processed_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, message_id)
);
CREATE INDEX processed_message_age ON processed_message (processed_at);
