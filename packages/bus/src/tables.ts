/** Quotes an SQL identifier. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** `outbox` or `"session"."outbox"`. Without a schema, the connection's search path decides. */
export const tableName = (schema: string | undefined, table: string): string =>
  schema === undefined ? table : `${quoteIdentifier(schema)}.${table}`

/**
 * A condition that is always true. Its side effect is that the statement's commit returns before it is flushed. For
 * bookkeeping whose loss in a database crash only repeats a step (a lease, a mark), because delivery is at-least-once
 * anyway.
 */
export const flushLater = `(SELECT set_config('synchronous_commit', 'off', true)) = 'off'`

/** The channel on which a service's outbox notifies the relay of new rows. */
export const outboxChannel = (schema: string): string => `outbox_${schema}`

/** The tables that every service that uses the bus has in its own schema. Copied into the service's first migration. */
export const busTablesSql = `CREATE TABLE outbox (
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
) WITH (fillfactor = 50);
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
`
