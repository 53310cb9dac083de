-- What was read of each side, until the session is purged. `sealed_reading` is under the session's data key.
CREATE TABLE document_side (
  session_id     text NOT NULL,
  round          integer NOT NULL,
  side           text NOT NULL CHECK (side IN ('front', 'back')),
  app_id         text NOT NULL,
  object_id      text NOT NULL,
  document_type  text NOT NULL,
  country        text,
  capture_method text NOT NULL,
  sealed_reading bytea NOT NULL,
  read_at        timestamptz NOT NULL,
  PRIMARY KEY (session_id, round, side)
);

-- Which document a submitted session used, recognisable only under a key of the app.
CREATE TABLE document_fingerprint (
  session_id       text PRIMARY KEY,
  app_id           text NOT NULL,
  fingerprint      text NOT NULL,
  -- Keyed hash of the client's own reference: the same person coming again is no duplicate.
  vendor_data_hash text,
  status           text NOT NULL,
  status_sequence  integer NOT NULL,
  submitted_at     timestamptz NOT NULL
);
CREATE INDEX document_fingerprint_match ON document_fingerprint (app_id, fingerprint);

-- From where a session was submitted, as a keyed hash; rows older than a day serve no more.
CREATE TABLE client_visit (
  session_id   text NOT NULL,
  round        integer NOT NULL,
  app_id       text NOT NULL,
  address_hash text NOT NULL,
  seen_at      timestamptz NOT NULL,
  PRIMARY KEY (session_id, round)
);
CREATE INDEX client_visit_address ON client_visit (app_id, address_hash, seen_at);
