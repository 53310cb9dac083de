-- Hosts that a callback_url may name; null: any.
ALTER TABLE app ADD COLUMN callback_hosts text[];
