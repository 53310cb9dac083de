-- What open pages are told, for as long as one that lost its connection may come back. Ids and codes only.
CREATE TABLE live_event (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  app_id  text NOT NULL,
  payload jsonb NOT NULL,
  at      timestamptz NOT NULL
);
CREATE INDEX live_event_app ON live_event (app_id, id);
CREATE INDEX live_event_age ON live_event (at);
