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

CREATE TABLE list_state (
  list            text PRIMARY KEY,
  version         text,
  fetched_at      timestamptz,
  checked_at      timestamptz,
  attempted_at    timestamptz,
  failures        integer NOT NULL DEFAULT 0,
  failure_code    text,
  failure_message text,
  source          text,
  etag            text,
  last_modified   text,
  CHECK ((version IS NULL) = (fetched_at IS NULL))
);

CREATE TABLE list_version (
  list         text NOT NULL,
  version      text NOT NULL,
  format       text NOT NULL,
  published_at timestamptz,
  fetched_at   timestamptz NOT NULL,
  entity_count integer NOT NULL,
  content      bytea NOT NULL,
  previous     text,
  delta        jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (list, version)
);
CREATE INDEX list_version_age ON list_version (list, created_at DESC);
-- Already gzipped: compressing it again costs time and gains nothing.
ALTER TABLE list_version ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE folder_reading (
  directory   text PRIMARY KEY,
  fingerprint text NOT NULL,
  read_at     timestamptz NOT NULL
);

CREATE TABLE monitored_session (
  session_id       text PRIMARY KEY,
  app_id           text NOT NULL,
  round            integer NOT NULL,
  environment      text NOT NULL,
  sealed_identity  bytea NOT NULL,
  review_threshold double precision NOT NULL,
  lists            text[] NOT NULL,
  every_list       boolean NOT NULL,
  known_matches    text[] NOT NULL,
  active           boolean NOT NULL,
  updated_at       timestamptz NOT NULL
);
CREATE INDEX monitored_session_active ON monitored_session (session_id) WHERE active;
