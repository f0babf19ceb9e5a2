// Answers that bots write through the Runtime API, until they end.

export const botStreams = `
  -- position: the number of characters. stopped: 1 when a visitor has stopped it. idle_until: when it ends by itself, in
  -- milliseconds of the clock of the database.
  CREATE TABLE bot_streams (
    id TEXT PRIMARY KEY,
    bot_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    position INTEGER NOT NULL,
    stopped INTEGER NOT NULL,
    idle_until INTEGER NOT NULL
  );
  CREATE INDEX bot_streams_bot ON bot_streams (bot_id);
  CREATE INDEX bot_streams_conversation ON bot_streams (conversation_id);
  CREATE INDEX bot_streams_idle ON bot_streams (idle_until);

  -- text: as JSON.
  CREATE TABLE bot_stream_pieces (
    stream_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (stream_id, position)
  ) WITHOUT ROWID;
`;

/** Without a log in PostgreSQL: a crash of the database loses answers that are being written, and no message. */
export const botStreamsOfPostgres = botStreams.replaceAll('CREATE TABLE', 'CREATE UNLOGGED TABLE');
