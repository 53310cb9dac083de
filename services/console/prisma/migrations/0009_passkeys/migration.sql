-- WebAuthn credentials: public keys only, so nothing here has to be sealed.
CREATE TABLE passkey (
  id            text PRIMARY KEY,
  user_id       text NOT NULL REFERENCES console_user (id),
  credential_id bytea NOT NULL UNIQUE,
  -- COSE_Key (RFC 9052, section 7).
  public_key    bytea NOT NULL,
  -- 0 for authenticators that do not count.
  sign_count    bigint NOT NULL,
  transports    text[] NOT NULL,
  backed_up     boolean NOT NULL,
  name          text NOT NULL,
  created_at    timestamptz NOT NULL,
  last_used_at  timestamptz
);
CREATE INDEX passkey_user ON passkey (user_id, created_at);

-- Each is used once, for one purpose, within five minutes.
CREATE TABLE passkey_challenge (
  challenge_sha256 bytea PRIMARY KEY,
  purpose          text NOT NULL,
  -- The session that asked for it; null before a sign-in by passkey alone.
  sign_in_id       text REFERENCES sign_in (id) ON DELETE CASCADE,
  -- Without a session: the known browser or the address that requested it, whose open challenges are limited.
  requester        text,
  expires_at       timestamptz NOT NULL,
  -- The newest challenge of a session replaces the one before; rows without a session do not conflict.
  UNIQUE (sign_in_id, purpose)
);
CREATE INDEX passkey_challenge_requester ON passkey_challenge (requester, expires_at) WHERE sign_in_id IS NULL;
CREATE INDEX passkey_challenge_age ON passkey_challenge (expires_at);
