CREATE TABLE api_key (
  id                    text PRIMARY KEY,
  app_id                text NOT NULL,
  environment           text NOT NULL,
  name                  text NOT NULL,
  prefix                text NOT NULL,
  -- SHA-256: the key has 256 random bits, so a slow hash would add nothing.
  key_sha256            bytea NOT NULL UNIQUE,
  rate_limit_per_minute integer,
  created_at            timestamptz NOT NULL,
  expires_at            timestamptz,
  last_used_at          timestamptz,
  revoked_at            timestamptz
);
CREATE INDEX api_key_app ON api_key (app_id, created_at);
CREATE INDEX api_key_revoked ON api_key (revoked_at) WHERE revoked_at IS NOT NULL;

-- Every replica hears of a change when it commits.
CREATE FUNCTION tell_api_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('gateway_api_key', encode(NEW.key_sha256, 'hex'));
  RETURN NULL;
END $$;
CREATE TRIGGER api_key_told AFTER UPDATE OF revoked_at, expires_at, rate_limit_per_minute ON api_key
  FOR EACH ROW EXECUTE FUNCTION tell_api_key_change();
