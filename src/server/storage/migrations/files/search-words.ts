// Which rows of the search indexes have words of an earlier rule.

export const searchWords = `
  -- words_version: 0 for words of an earlier rule (protocol/locale/folding.ts), which are indexed again in the background.
  ALTER TABLE passages ADD COLUMN words_version INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX passages_earlier_words ON passages (seq) WHERE words_version = 0;
  ALTER TABLE handlings ADD COLUMN words_version INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX handlings_earlier_words ON handlings (conversation_id) WHERE words_version = 0;
  `;
