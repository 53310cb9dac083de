-- A reason is looked for within each status: a pair that never occurs then costs one look, not a walk over all of the status.
DROP INDEX session_app_reason;
CREATE INDEX session_app_reason ON session (app_id, decision_reason, status, seq DESC) WHERE decision_reason IS NOT NULL;
