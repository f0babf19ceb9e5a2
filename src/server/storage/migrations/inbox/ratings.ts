// What visitors think of the persons who have answered them.

export const ratings = `
  -- ratings: 1 if visitors are asked for a rating when a conversation with a person is closed.
  ALTER TABLE bots ADD COLUMN ratings INTEGER NOT NULL DEFAULT 1;

  -- One row for each handoff whose visitor was asked. rating: from 1 to 5, null until it is given.
  CREATE TABLE ratings (
    handoff_id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    offered_at INTEGER NOT NULL,
    dismissed_at INTEGER,
    rated_at INTEGER,
    rating INTEGER,
    comment TEXT
  ) WITHOUT ROWID;
  CREATE INDEX ratings_conversation ON ratings (conversation_id, handoff_id);
  CREATE INDEX ratings_rated ON ratings (bot_id, rated_at);
  `;
