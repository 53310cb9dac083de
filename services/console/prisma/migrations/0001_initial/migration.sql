CREATE TABLE app (
  app_id         text PRIMARY KEY,
  revision       integer NOT NULL,
  environment    text NOT NULL,
  name           text NOT NULL,
  logo_url       text,
  accent         text,
  retention_days integer NOT NULL,
  created_at     timestamptz NOT NULL
);

CREATE TABLE console_user (
  id            text PRIMARY KEY,
  email         text NOT NULL,
  role          text NOT NULL,
  password_hash text NOT NULL,
  created_at    timestamptz NOT NULL,
  disabled_at   timestamptz
);
CREATE UNIQUE INDEX console_user_email ON console_user (lower(email));

-- Append-only and hash-chained: each entry's hash covers the one before it.
CREATE TABLE audit_entry (
  seq       bigint PRIMARY KEY,
  id        text NOT NULL UNIQUE,
  app_id    text NOT NULL,
  at        text NOT NULL,
  actor     jsonb NOT NULL,
  action    text NOT NULL,
  target    text NOT NULL,
  details   jsonb NOT NULL,
  prev_hash text NOT NULL,
  hash      text NOT NULL
);
CREATE INDEX audit_entry_app ON audit_entry (app_id, seq DESC);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

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
