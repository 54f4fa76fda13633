-- One row a migration that was applied; the number is also PRAGMA user_version.
CREATE TABLE migrations (
  version    INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT;

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- What filters and ranking read of a memory. Times are microseconds since 1970
-- in UTC, NULL for unknown. observed is observed_at, else created_at.
CREATE TABLE memories (
  key                INTEGER PRIMARY KEY AUTOINCREMENT,
  id                 TEXT    NOT NULL UNIQUE,
  namespace          TEXT    NOT NULL,
  uri                TEXT    NOT NULL,
  uri_key            TEXT    NOT NULL,
  type               TEXT    NOT NULL,
  form               TEXT    NOT NULL,
  status             TEXT    NOT NULL,
  trust              TEXT    NOT NULL,
  supersedes         TEXT    NOT NULL,
  superseded_by      TEXT    NOT NULL,
  confidence         REAL    NOT NULL,
  initial_importance REAL    NOT NULL,
  importance         REAL    NOT NULL,
  importance_set     INTEGER,
  density            REAL    NOT NULL,
  pinned             INTEGER NOT NULL,
  stability          REAL    NOT NULL,
  access_count       INTEGER NOT NULL,
  retrieval_count    INTEGER NOT NULL,
  last_access        INTEGER,
  emotion_val        REAL    NOT NULL,
  actor              TEXT    NOT NULL,
  target             TEXT    NOT NULL,
  domain             TEXT    NOT NULL,
  source             TEXT    NOT NULL,
  session_id         TEXT    NOT NULL,
  session_path       TEXT    NOT NULL,
  message_range      TEXT    NOT NULL,
  seq                INTEGER NOT NULL,
  observed_at        INTEGER,
  created_at         INTEGER,
  updated_at         INTEGER,
  content_hash       BLOB    NOT NULL,
  revision           INTEGER NOT NULL,
  home_file          TEXT    NOT NULL,
  home_line          INTEGER NOT NULL,
  observed           INTEGER NOT NULL,
  group_name         TEXT    NOT NULL,
  group_seq          INTEGER NOT NULL,
  cold               INTEGER NOT NULL,
  length             INTEGER NOT NULL, -- analysed terms
  changed            INTEGER NOT NULL, -- number of the transaction that last wrote the row
  indexed            INTEGER NOT NULL, -- number of the transaction that last changed its terms
  checksum           BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX memories_by_uri ON memories (namespace, uri_key);
CREATE INDEX memories_by_hash ON memories (namespace, content_hash);
CREATE INDEX memories_by_time ON memories (namespace, observed);
CREATE INDEX memories_by_group ON memories (namespace, group_name, group_seq);
CREATE INDEX memories_by_file ON memories (home_file);
CREATE INDEX memories_by_change ON memories (changed);
CREATE INDEX memories_by_length ON memories (namespace, length);

-- What only a full memory needs, and the analysed terms.
CREATE TABLE texts (
  key     INTEGER PRIMARY KEY REFERENCES memories (key) ON DELETE CASCADE,
  title   TEXT NOT NULL,
  content TEXT NOT NULL,
  fields  TEXT NOT NULL, -- JSON array, '' for none
  links   TEXT NOT NULL, -- JSON array, '' for none
  terms   TEXT NOT NULL  -- separated by one space
) STRICT;

-- Text is analysed before it comes here: the tokenizer only splits at spaces.
-- Only which memories hold a term is asked of it, so that is all it keeps. Its
-- secure-delete is off: it would leave beginnings of terms on inner pages, and
-- connections that opened before the first secure deletion take its pages for
-- corrupt. A purge merges the index instead.
CREATE VIRTUAL TABLE search USING fts5 (
  terms,
  content = 'texts',
  content_rowid = 'key',
  detail = none,
  tokenize = 'ascii tokenchars ''!"#$%&''''()*+,-./:;<=>?@[\]^_`{|}~'''
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (search, 'row');

-- Rows that are gone, for caches of other processes; changed as in memories.
CREATE TABLE removals (
  changed INTEGER NOT NULL,
  key     INTEGER NOT NULL,
  PRIMARY KEY (changed, key)
) STRICT, WITHOUT ROWID;

-- Sums that would otherwise be counted: memories, length.
CREATE TABLE sums (
  namespace TEXT    NOT NULL,
  name      TEXT    NOT NULL,
  value     INTEGER NOT NULL,
  PRIMARY KEY (namespace, name)
) STRICT, WITHOUT ROWID;

-- The highest number ever given to an entry of a journal's minute.
CREATE TABLE numbers (
  namespace TEXT    NOT NULL,
  minute    TEXT    NOT NULL, -- journal/2026-02-21#2200-
  highest   INTEGER NOT NULL,
  PRIMARY KEY (namespace, minute)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
  namespace TEXT    NOT NULL,
  target    TEXT    NOT NULL, -- id or URI key
  key       INTEGER NOT NULL REFERENCES memories (key) ON DELETE CASCADE,
  relation  TEXT    NOT NULL,
  PRIMARY KEY (namespace, target, key, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_key ON links (key);

-- State before each change. NULL content: the same as in the next revision.
CREATE TABLE history (
  namespace TEXT    NOT NULL,
  memory_id TEXT    NOT NULL,
  revision  INTEGER NOT NULL,
  op        TEXT    NOT NULL,
  content   TEXT,
  status    TEXT    NOT NULL,
  reason    TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  PRIMARY KEY (memory_id, revision)
) STRICT, WITHOUT ROWID;

-- Contents that are not to come back: HMAC-SHA-256 of the normalised text.
CREATE TABLE tombstones (
  namespace TEXT    NOT NULL,
  hash      BLOB    NOT NULL,
  at        INTEGER NOT NULL,
  PRIMARY KEY (namespace, hash)
) STRICT, WITHOUT ROWID;

-- Commits that the files do not show yet.
CREATE TABLE outbox (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace   TEXT    NOT NULL,
  memory_id   TEXT    NOT NULL,
  revision    INTEGER NOT NULL,
  op          TEXT    NOT NULL,
  file        TEXT    NOT NULL,
  record_only INTEGER NOT NULL,
  tombstone   BLOB, -- that the removal left
  at          INTEGER NOT NULL
) STRICT;

-- The last texts that we wrote to each file, deflated.
CREATE TABLE bases (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  path    TEXT    NOT NULL,
  hash    TEXT    NOT NULL,
  text    BLOB    NOT NULL,
  at      INTEGER NOT NULL
) STRICT;
CREATE INDEX bases_by_path ON bases (path, version);

CREATE TABLE files (
  path  TEXT    PRIMARY KEY,
  size  INTEGER NOT NULL,
  mtime INTEGER NOT NULL, -- nanoseconds
  hash  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accesses (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT    NOT NULL,
  memory_id TEXT    NOT NULL,
  kind      TEXT    NOT NULL,
  query     TEXT    NOT NULL, -- hash of the query, never its text
  at        INTEGER NOT NULL
) STRICT;

CREATE TABLE audit (
  seq  INTEGER PRIMARY KEY AUTOINCREMENT,
  at   INTEGER NOT NULL,
  tool TEXT    NOT NULL,
  id   TEXT    NOT NULL
) STRICT;

-- One row a generation of vectors; at most one of a namespace serves.
CREATE TABLE generations (
  generation INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace  TEXT    NOT NULL,
  provider   TEXT    NOT NULL,
  model      TEXT    NOT NULL,
  dimension  INTEGER NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('building', 'serving', 'retired')),
  params     BLOB    NOT NULL,
  through    INTEGER NOT NULL DEFAULT 0, -- memories changed up to here have their vectors
  at         INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX generations_serving ON generations (namespace) WHERE state = 'serving';

-- Unit vectors, little-endian float32; empty where a content has none.
CREATE TABLE vectors (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  generation   INTEGER NOT NULL REFERENCES generations (generation) ON DELETE CASCADE,
  content_hash BLOB    NOT NULL,
  components   BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX vectors_by_hash ON vectors (generation, content_hash);

-- Purges whose bytes may still be in the log or in files.
CREATE TABLE purges (
  memory_id TEXT    PRIMARY KEY,
  namespace TEXT    NOT NULL,
  file      TEXT    NOT NULL,
  at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

