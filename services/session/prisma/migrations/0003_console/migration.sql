-- What the console searches and works with: assignment, timeline, notes, match reviews, name and warning indexes, analytics.

ALTER TABLE session
  -- When it last came to review; the order of the queue.
  ADD COLUMN in_review_at   timestamptz,
  ADD COLUMN assignee_id    text,
  ADD COLUMN assigned_at    timestamptz,
  -- Until when the assignee is thought to be at it.
  ADD COLUMN held_until     timestamptz,
  -- Of medium and high severity.
  ADD COLUMN warning_count  integer NOT NULL DEFAULT 0,
  ADD COLUMN worst_severity text;
UPDATE session SET in_review_at = updated_at WHERE status = 'in_review';

CREATE INDEX session_app_created ON session (app_id, created_at, seq);
CREATE INDEX session_app_workflow ON session (app_id, workflow_id, seq DESC);
CREATE INDEX session_app_reason ON session (app_id, decision_reason, seq DESC) WHERE decision_reason IS NOT NULL;
CREATE INDEX session_app_assignee ON session (app_id, assignee_id, seq DESC) WHERE assignee_id IS NOT NULL;
-- The queue, for each of its filters in its order.
CREATE INDEX session_queue ON session (app_id, in_review_at, seq) WHERE status = 'in_review';
CREATE INDEX session_queue_free ON session (app_id, in_review_at, seq) WHERE status = 'in_review' AND assignee_id IS NULL;
CREATE INDEX session_queue_assignee ON session (app_id, assignee_id, in_review_at, seq) WHERE status = 'in_review';
CREATE INDEX session_queue_reason ON session (app_id, decision_reason, in_review_at, seq) WHERE status = 'in_review';
CREATE INDEX session_queue_workflow ON session (app_id, workflow_id, in_review_at, seq) WHERE status = 'in_review';
-- Status and reason go together: without knowing it, the planner takes rare pairs for common ones.
CREATE STATISTICS session_state (dependencies, mcv) ON status, decision_reason, workflow_id FROM session;

ALTER TABLE workflow_version ADD COLUMN created_by text;

-- Warning codes of sessions, by code. A purge keeps codes.
CREATE TABLE session_warning (
  app_id text NOT NULL,
  code   text NOT NULL,
  seq    bigint NOT NULL,
  PRIMARY KEY (app_id, code, seq)
);
CREATE INDEX session_warning_seq ON session_warning (seq);

-- Keyed hashes of the words of the name on the document: who has the tables alone cannot try out names. Gone with a purge.
CREATE TABLE session_name (
  app_id     text NOT NULL,
  word_hash  bytea NOT NULL,
  seq        bigint NOT NULL,
  session_id text NOT NULL,
  PRIMARY KEY (app_id, word_hash, seq)
);
CREATE INDEX session_name_session ON session_name (session_id);

-- What happened to a session, ids and codes only: its timeline, and the source of analytics.
CREATE TABLE session_event (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null once the session was purged, where only the count is still to be taken.
  session_id  text,
  app_id      text NOT NULL,
  workflow_id text NOT NULL,
  kind        text NOT NULL,
  actor_type  text NOT NULL,
  actor_id    text,
  details     jsonb NOT NULL DEFAULT '{}',
  at          timestamptz NOT NULL,
  -- The day (UTC) on which the session was created: the funnel follows the sessions of a day.
  cohort      date NOT NULL,
  -- Whether analytics have it.
  counted     boolean NOT NULL DEFAULT false
);
CREATE INDEX session_event_session ON session_event (session_id, id);
CREATE INDEX session_event_uncounted ON session_event (id) WHERE NOT counted;

-- The course so far of sessions from before there were events.
INSERT INTO session_event (session_id, app_id, workflow_id, kind, actor_type, details, at, cohort)
SELECT session_id, app_id, workflow_id, 'created', 'system', '{}'::jsonb, created_at, (created_at AT TIME ZONE 'UTC')::date
FROM session
UNION ALL
SELECT session_id, app_id, workflow_id, 'status_changed', 'end_user',
  '{"from":"not_started","to":"in_progress","round":1}'::jsonb, started_at, (created_at AT TIME ZONE 'UTC')::date
FROM session WHERE started_at IS NOT NULL
UNION ALL
SELECT session_id, app_id, workflow_id, 'status_changed', 'end_user',
  '{"from":"in_progress","to":"processing","round":1}'::jsonb, submitted_at, (created_at AT TIME ZONE 'UTC')::date
FROM session WHERE submitted_at IS NOT NULL
UNION ALL
SELECT session_id, app_id, workflow_id, 'status_changed', 'system',
  jsonb_build_object('from', CASE WHEN submitted_at IS NULL THEN 'in_progress' ELSE 'processing' END,
    'to', status, 'reason', decision_reason, 'round', round),
  completed_at, (created_at AT TIME ZONE 'UTC')::date
FROM session WHERE completed_at IS NOT NULL AND status <> 'in_progress'
ORDER BY 7;

CREATE TABLE session_note (
  id          text PRIMARY KEY,
  app_id      text NOT NULL,
  session_id  text NOT NULL,
  author_id   text NOT NULL,
  at          timestamptz NOT NULL,
  sealed_text bytea NOT NULL
);
CREATE INDEX session_note_session ON session_note (session_id, at);

-- The last verdict on each AML match.
CREATE TABLE match_review (
  session_id  text NOT NULL,
  match_id    text NOT NULL,
  status      text NOT NULL,
  reviewed_by text NOT NULL,
  reviewed_at timestamptz NOT NULL,
  sealed_note bytea,
  PRIMARY KEY (session_id, match_id)
);

-- The reviewer's own code for a decision, beside the session's decision_reason.
ALTER TABLE review ADD COLUMN reason text;

-- Sums by day and workflow; durations in buckets that are a tenth wide.
CREATE TABLE analytics_day (
  app_id      text NOT NULL,
  day         date NOT NULL,
  workflow_id text NOT NULL,
  metric      text NOT NULL,
  key         text NOT NULL,
  bucket      smallint NOT NULL DEFAULT 0,
  count       bigint NOT NULL,
  sum         double precision NOT NULL DEFAULT 0,
  PRIMARY KEY (app_id, day, workflow_id, metric, key, bucket)
) WITH (fillfactor = 70);
