-- What reviewers said of matches. The person is a keyed hash of the app; deleted with the session that was reviewed.
CREATE TABLE match_verdict (
  app_id         text NOT NULL,
  session_id     text NOT NULL,
  list           text NOT NULL,
  entity_id      text NOT NULL,
  person_hash    text NOT NULL,
  entity_version text NOT NULL,
  verdict        text NOT NULL,
  reviewed_at    timestamptz NOT NULL,
  PRIMARY KEY (app_id, session_id, list, entity_id)
);
CREATE INDEX match_verdict_person ON match_verdict (app_id, person_hash);

-- Sequence of the transition that set `active`, and matches that updates brought while the session waited for approval.
ALTER TABLE monitored_session
  ADD COLUMN status_sequence integer NOT NULL DEFAULT 0,
  ADD COLUMN missed_matches text[] NOT NULL DEFAULT '{}';
