// Conversations that people handle: who answers, each request for a person, and what the team writes about them.

export const handoffs = `
  -- has_handling: 1 from the first handoff on. With 0, a message needs no statement to find out who answers.
  ALTER TABLE conversations ADD COLUMN has_handling INTEGER NOT NULL DEFAULT 0;
  -- author: the person who wrote it (JSON: name, pictureUrl), as they were; null for visitors and bots.
  ALTER TABLE messages ADD COLUMN author TEXT;
  -- member_id: the member whom visitors of this bot see as this user; of a person at another desk a hash. is_bot is 1.
  ALTER TABLE users ADD COLUMN member_id TEXT;
  CREATE UNIQUE INDEX users_member ON users (bot_id, member_id) WHERE member_id IS NOT NULL;
  -- visitor_handoff: 1 if all visitors can ask for a person.
  ALTER TABLE bots ADD COLUMN visitor_handoff INTEGER NOT NULL DEFAULT 0;

  -- One row for each conversation, from its first handoff on. state: bot, waiting, assigned, snoozed or closed; is_open: 1 in
  -- the middle three. handoff_id: the last one. assignee_id: the member who answers; person_id: the user as whom visitors see
  -- the one who answers; person: name and picture (JSON). waiting_since: of the oldest message, or request, that no person has
  -- answered. queued_at: the place in the queue. changed_at rises with every change, also with messages.
  CREATE TABLE handlings (
    conversation_id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    state TEXT NOT NULL,
    is_open INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    handoff_id TEXT NOT NULL,
    team_id TEXT,
    assignee_id TEXT,
    person_id TEXT,
    person TEXT,
    waiting_since INTEGER,
    queued_at INTEGER,
    snoozed_until INTEGER,
    sort_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    last_preview TEXT NOT NULL,
    last_author TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX handlings_state ON handlings (workspace_id, state, sort_at, conversation_id);
  CREATE INDEX handlings_open ON handlings (workspace_id, is_open, sort_at, conversation_id);
  CREATE INDEX handlings_assignee ON handlings (workspace_id, assignee_id, state, sort_at, conversation_id);
  CREATE INDEX handlings_waiting ON handlings (workspace_id, waiting_since, conversation_id) WHERE waiting_since IS NOT NULL;
  CREATE INDEX handlings_queue ON handlings (workspace_id, queued_at) WHERE queued_at IS NOT NULL;
  CREATE INDEX handlings_changes ON handlings (workspace_id, changed_at, conversation_id);
  CREATE INDEX handlings_snooze ON handlings (snoozed_until) WHERE snoozed_until IS NOT NULL;
  CREATE INDEX handlings_bot ON handlings (bot_id);

  -- One request for a person, from asking to its end. requested_by: visitor, bot or person. reopens: the handoff before it.
  -- closed_by: visitor, bot, person or system. outcome: resolved, abandoned, bot or deleted.
  CREATE TABLE handoffs (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    kind TEXT NOT NULL DEFAULT 'live',
    requested_at INTEGER NOT NULL,
    requested_by TEXT NOT NULL,
    requested_seq INTEGER NOT NULL,
    reason TEXT,
    team_id TEXT,
    reopens TEXT,
    first_assigned_at INTEGER,
    first_reply_at INTEGER,
    first_reply_by TEXT,
    closed_at INTEGER,
    closed_by TEXT,
    outcome TEXT
  ) WITHOUT ROWID;
  CREATE INDEX handoffs_conversation ON handoffs (conversation_id, id);
  CREATE INDEX handoffs_requested ON handoffs (bot_id, requested_at);
  CREATE INDEX handoffs_closed ON handoffs (bot_id, closed_at);

  -- Who had a handoff, from when to when, and why it began. member_id is null for a person at another desk.
  CREATE TABLE assignments (
    id TEXT PRIMARY KEY,
    handoff_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    member_id TEXT,
    from_at INTEGER NOT NULL,
    to_at INTEGER,
    cause TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX assignments_handoff ON assignments (handoff_id, id);
  CREATE INDEX assignments_conversation ON assignments (conversation_id, to_at);
  CREATE INDEX assignments_member ON assignments (member_id, from_at);

  -- Texts for the team. member_id is null for the note of a bot. after_seq: the sequence number after which it stands.
  CREATE TABLE notes (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    after_seq INTEGER NOT NULL,
    member_id TEXT,
    author_name TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    edited_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX notes_conversation ON notes (conversation_id, id);

  -- What visitors see of the work on their conversation. items: a list (JSON) of type, actor kind and actor name.
  CREATE TABLE activities (
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    items TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, seq)
  ) WITHOUT ROWID;

  CREATE TABLE inbox_tags (
    conversation_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (conversation_id, tag)
  ) WITHOUT ROWID;

  -- Conversations that have left the inbox, for clients that were away for a while.
  CREATE TABLE deleted_handlings (
    workspace_id TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    conversation_id TEXT NOT NULL,
    PRIMARY KEY (workspace_id, deleted_at, conversation_id)
  ) WITHOUT ROWID;
  CREATE INDEX deleted_handlings_age ON deleted_handlings (deleted_at);
  `;
