-- Filters that a person keeps for themselves: codes and ids only.
CREATE TABLE saved_view (
  id         text PRIMARY KEY,
  user_id    text NOT NULL REFERENCES console_user (id),
  app_id     text NOT NULL,
  page       text NOT NULL,
  name       text NOT NULL,
  filters    jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (app_id, user_id, page, name)
);
