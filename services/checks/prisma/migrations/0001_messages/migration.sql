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
