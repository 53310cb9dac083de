-- Heads are stored in the vault, out of reach of whoever writes this database. Their copies here show when the vault has
-- lost heads. The daily heads in audit_head are no longer written; the table stays for the version before.
CREATE TABLE audit_head_copy (
  seq      bigint PRIMARY KEY,
  document jsonb NOT NULL
);
