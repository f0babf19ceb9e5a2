// The words by which conversations of the inbox are found, indexes of its filters, and canned answers.

export const inboxSearch = `
  -- word: of the visitor's name, the tags, the last message and the reason of the handoff, as in protocol/handling/inbox-filter.ts.
  CREATE TABLE inbox_words (
    workspace_id TEXT NOT NULL,
    word TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    PRIMARY KEY (workspace_id, word, conversation_id)
  ) WITHOUT ROWID;
  CREATE INDEX inbox_words_conversation ON inbox_words (conversation_id, word);
  CREATE INDEX inbox_tags_tag ON inbox_tags (tag, conversation_id);
  DROP INDEX handlings_bot;
  CREATE INDEX handlings_bot_state ON handlings (bot_id, state, sort_at, conversation_id);

  -- member_id: who wrote an answer for themselves; null for one of the workspace.
  CREATE TABLE canned_answers (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    member_id TEXT,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX canned_answers_workspace ON canned_answers (workspace_id, member_id, id);
  `;
