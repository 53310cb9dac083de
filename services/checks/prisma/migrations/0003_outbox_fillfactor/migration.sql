-- Half-filled pages let a lease change a row in its place, without touching an index.
ALTER TABLE outbox SET (fillfactor = 50);
