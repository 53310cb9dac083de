-- Where a person stands in one round of a session.
CREATE TABLE flow_session (
  session_id            text NOT NULL,
  round                 integer NOT NULL,
  app_id                text NOT NULL,
  locale                text NOT NULL,
  -- Sealed: the address the person began from.
  sealed_client_address bytea,
  created_at            timestamptz NOT NULL,
  PRIMARY KEY (session_id, round)
);

CREATE TABLE flow_step (
  session_id    text NOT NULL,
  round         integer NOT NULL,
  step          text NOT NULL,
  status        text NOT NULL,
  attempts_used integer NOT NULL DEFAULT 0,
  -- A change is a compare-and-set on it.
  version       integer NOT NULL DEFAULT 1,
  -- Nothing personal: versions, sides, flags.
  progress      jsonb NOT NULL DEFAULT '{}',
  updated_at    timestamptz NOT NULL,
  PRIMARY KEY (session_id, round, step)
);

CREATE TABLE evidence (
  session_id     text NOT NULL,
  round          integer NOT NULL,
  kind           text NOT NULL,
  position       integer NOT NULL,
  object_id      text NOT NULL,
  sha256         text NOT NULL,
  capture_method text NOT NULL,
  document_type  text,
  country        text,
  created_at     timestamptz NOT NULL,
  PRIMARY KEY (session_id, round, kind, position)
);

CREATE TABLE email_verification (
  session_id   text NOT NULL,
  round        integer NOT NULL,
  sealed_email bytea NOT NULL,
  -- Keyed hash of the code; null once it is used up.
  code_hash    text,
  sends        integer NOT NULL,
  tries        integer NOT NULL,
  sent_at      timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  verified_at  timestamptz,
  PRIMARY KEY (session_id, round)
);

-- A second link to a session, for a phone: alive once the code was confirmed there.
CREATE TABLE handoff (
  token_sha256         text PRIMARY KEY,
  session_id           text NOT NULL,
  session_token_sha256 text NOT NULL,
  code_hash            text NOT NULL,
  tries                integer NOT NULL DEFAULT 0,
  expires_at           timestamptz NOT NULL,
  confirmed_at         timestamptz
);
CREATE INDEX handoff_session ON handoff (session_id);

CREATE TABLE flow_event (
  seq        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text NOT NULL,
  app_id     text NOT NULL,
  name       text NOT NULL,
  at         timestamptz NOT NULL
);
CREATE INDEX flow_event_session ON flow_event (session_id);

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
