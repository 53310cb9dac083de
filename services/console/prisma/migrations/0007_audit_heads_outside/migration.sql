-- Heads are stored in the vault, out of reach of whoever writes this database. The copies here show when the vault has
-- lost heads. They replace the daily heads, which were stored here alone and therefore proved nothing about the newest
-- entries.
DROP TABLE audit_head;
CREATE TABLE audit_head (
  seq      bigint PRIMARY KEY,
  document jsonb NOT NULL
);
