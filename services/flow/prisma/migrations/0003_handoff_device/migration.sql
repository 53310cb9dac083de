-- Hash of the cookie of the one device that confirmed the code: the link works nowhere else.
ALTER TABLE handoff ADD COLUMN device_sha256 text;
