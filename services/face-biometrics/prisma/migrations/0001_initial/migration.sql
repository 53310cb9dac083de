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

-- A nonce: asked once, answered once. The answer is kept so that a repeated request gets the same one.
CREATE TABLE liveness_challenge (
  challenge_id  text PRIMARY KEY,
  app_id        text NOT NULL,
  session_id    text NOT NULL,
  round         integer NOT NULL,
  actions       text[] NOT NULL,
  issued_at     timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  used_at       timestamptz,
  frames_digest text,
  answer        jsonb
);
CREATE INDEX liveness_challenge_session ON liveness_challenge (app_id, session_id);
CREATE INDEX liveness_challenge_expired ON liveness_challenge (expires_at) WHERE used_at IS NULL;

-- The latest attempt of each round: what the final check will say.
CREATE TABLE liveness_attempt (
  session_id   text NOT NULL,
  round        integer NOT NULL,
  app_id       text NOT NULL,
  attempts     integer NOT NULL,
  status       text NOT NULL,
  -- The frame that the document's portrait is compared with; null where no frame shows a face.
  best_frame   text,
  sealed_check bytea NOT NULL,
  updated_at   timestamptz NOT NULL,
  PRIMARY KEY (session_id, round)
);
CREATE INDEX liveness_attempt_app ON liveness_attempt (app_id, session_id);

-- Pictures that answered an active challenge, as keyed hashes: none answers a second one.
CREATE TABLE answered_frame (
  app_id     text NOT NULL,
  frame_hash text NOT NULL,
  session_id text NOT NULL,
  seen_at    timestamptz NOT NULL,
  PRIMARY KEY (app_id, frame_hash)
);
CREATE INDEX answered_frame_session ON answered_frame (app_id, session_id);

-- One face a session, sealed under the session's key. A purge empties the row and leaves it for a while, so that
-- every replica learns to forget it.
CREATE TABLE face (
  session_id  text PRIMARY KEY,
  app_id      text NOT NULL,
  vendor_data text,
  status      text NOT NULL,
  sealed      bytea,
  changed_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX face_app ON face (app_id, changed_at);
CREATE INDEX face_forgotten ON face (changed_at) WHERE sealed IS NULL;

-- Faces an app refuses, sealed under the app's key: they outlive the session they were taken from.
CREATE TABLE blocked_face (
  id         text PRIMARY KEY,
  app_id     text NOT NULL,
  sealed     bytea NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX blocked_face_app ON blocked_face (app_id);
