-- Browsers in which a person has signed in, by the SHA-256 of their cookie (OWASP, "device cookies"): guesses made elsewhere, or by
-- neighbours at the same address, do not slow the person down there. It replaces known_address: its rows are
-- addresses of people, so they go now, and a later version drops the table.
CREATE TABLE known_browser (
  user_id        text NOT NULL REFERENCES console_user (id),
  browser_sha256 bytea NOT NULL,
  seen_at        timestamptz NOT NULL,
  PRIMARY KEY (browser_sha256, user_id)
);
CREATE INDEX known_browser_age ON known_browser (seen_at);

-- The browser of this sign-in has its cookie.
ALTER TABLE sign_in ADD COLUMN browser_known boolean NOT NULL DEFAULT false;

DELETE FROM known_address;
