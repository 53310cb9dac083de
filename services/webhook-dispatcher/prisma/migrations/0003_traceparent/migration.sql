-- The trace a delivery belongs to, so that an attempt hours later is found from the request that caused it.
ALTER TABLE delivery ADD COLUMN traceparent text;
