-- New sessions come many in one statement: they are counted once per statement, in one part of the counts. Apps are
-- taken in order, and only their `not_started` rows: no circle of waits with a transition, which takes two rows of one app.
CREATE FUNCTION count_new_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_count (app_id, status, part, count)
  SELECT app_id, status, pg_backend_pid() % 16, count(*) FROM added GROUP BY app_id, status ORDER BY app_id, status
  ON CONFLICT (app_id, status, part) DO UPDATE SET count = session_count.count + excluded.count;
  RETURN NULL;
END $$;
DROP TRIGGER session_counted_insert ON session;
CREATE TRIGGER session_counted_insert AFTER INSERT ON session REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new_sessions();
