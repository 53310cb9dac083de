ALTER TABLE folder_reading ADD COLUMN refused jsonb NOT NULL DEFAULT '[]';
