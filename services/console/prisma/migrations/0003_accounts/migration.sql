ALTER TABLE console_user
  ADD COLUMN name              text,
  -- The apps the person sees; null: all.
  ADD COLUMN app_ids           text[],
  -- Sealed by the vault. The pending one counts once a code of it was given.
  ADD COLUMN totp_secret       bytea,
  ADD COLUMN totp_pending      bytea,
  -- The last time step whose code was used: a code works once.
  ADD COLUMN totp_last_step    bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_signed_in_at timestamptz;

-- Codes have 80 random bits: a slow hash would add nothing.
CREATE TABLE recovery_code (
  user_id     text NOT NULL REFERENCES console_user (id),
  code_sha256 bytea NOT NULL,
  used_at     timestamptz,
  PRIMARY KEY (user_id, code_sha256)
);

CREATE TABLE sign_in (
  id                 text PRIMARY KEY,
  user_id            text NOT NULL REFERENCES console_user (id),
  token_sha256       bytea NOT NULL UNIQUE,
  state              text NOT NULL,
  created_at         timestamptz NOT NULL,
  last_seen_at       timestamptz NOT NULL,
  reauthenticated_at timestamptz,
  ended_at           timestamptz,
  address            text,
  device             text NOT NULL
);
CREATE INDEX sign_in_user ON sign_in (user_id, created_at) WHERE ended_at IS NULL;
CREATE INDEX sign_in_age ON sign_in (last_seen_at);

-- Invitations and password resets: one link, once.
CREATE TABLE link (
  id           text PRIMARY KEY,
  kind         text NOT NULL,
  token_sha256 bytea NOT NULL UNIQUE,
  email        text NOT NULL,
  user_id      text REFERENCES console_user (id),
  role         text,
  app_ids      text[],
  made_by      text NOT NULL,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  used_at      timestamptz
);
CREATE INDEX link_email ON link (lower(email)) WHERE used_at IS NULL;

-- Fixed windows of wrong passwords and codes, by address, by account, by both.
CREATE TABLE throttle (
  subject  text PRIMARY KEY,
  began_at timestamptz NOT NULL,
  count    integer NOT NULL
);
CREATE INDEX throttle_age ON throttle (began_at);

-- Where a person has signed in from: strangers who guess elsewhere do not slow them down there.
CREATE TABLE known_address (
  user_id text NOT NULL REFERENCES console_user (id),
  address text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, address)
);

-- Entries of the installation belong to no app; the address is that of a console user.
ALTER TABLE audit_entry ALTER COLUMN app_id DROP NOT NULL;
ALTER TABLE audit_entry ADD COLUMN ip text;
CREATE INDEX audit_entry_action ON audit_entry (action, seq DESC);
CREATE INDEX audit_entry_target ON audit_entry (target, seq DESC);
CREATE INDEX audit_entry_actor ON audit_entry ((actor ->> 'id'), seq DESC);

CREATE TABLE audit_head (
  day       text PRIMARY KEY,
  seq       bigint NOT NULL,
  hash      text NOT NULL,
  key_id    text NOT NULL,
  signature text NOT NULL
);
