-- What a model learned is megabytes, and stood in the row whose progress every
-- new vector moves: the row was read and written whole each time.
CREATE TABLE parameters (
  generation INTEGER PRIMARY KEY REFERENCES generations (generation) ON DELETE CASCADE,
  learned    BLOB    NOT NULL
) STRICT;
INSERT INTO parameters (generation, learned) SELECT generation, params FROM generations;
ALTER TABLE generations DROP COLUMN params;
