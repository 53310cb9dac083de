-- Null: everything of the app.
ALTER TABLE api_key ADD COLUMN scopes text[];
