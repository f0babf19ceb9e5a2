// Steps of the inbox: handoffs, ratings, read marks, search, teams, reports, notes, and alerts.

/** Conversations that people handle: who answers, each request for a person, and what the team writes about them. */
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

/** Ratings of the persons who have answered visitors. */
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

/** Read marks of each conversation, of its visitors and of the person who answers. */
export const reads = `
  -- read_receipts: 1 if visitors and persons are told what the other one has read.
  ALTER TABLE bots ADD COLUMN read_receipts INTEGER NOT NULL DEFAULT 0;

  -- reader: the id of a user or of a member; kind: visitor or person. last_seq only rises.
  CREATE TABLE reads (
    conversation_id TEXT NOT NULL,
    reader TEXT NOT NULL,
    kind TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, reader)
  ) WITHOUT ROWID;
  CREATE INDEX reads_reader ON reads (reader);
  `;

/** The words by which conversations of the inbox are found, indexes of its filters, and canned answers. */
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

/** Settings of the inbox of a workspace. */
export const inboxSettings = `
  -- opening_hours: when its members answer (JSON of protocol/handling/opening-hours.ts); null: always.
  CREATE TABLE inbox_settings (
    workspace_id TEXT PRIMARY KEY,
    opening_hours TEXT
  ) WITHOUT ROWID;
  `;

/** Teams of members, and which members are assigned conversations. */
export const inboxTeams = `
  -- mode: manual, round_robin or least_busy. is_default: requests that name no team are for this one.
  CREATE TABLE teams (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    mode TEXT NOT NULL,
    capacity INTEGER NOT NULL,
    is_restricted INTEGER NOT NULL,
    is_default INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX teams_name ON teams (workspace_id, name);

  -- last_assigned_at: when the team has last assigned a conversation to the member.
  CREATE TABLE team_members (
    team_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    last_assigned_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (team_id, member_id)
  ) WITHOUT ROWID;
  CREATE INDEX team_members_member ON team_members (member_id);

  -- availability: available or away; away_cause: no_answer if the server has set it; capacity: null as the teams say; seen_at:
  -- when their inbox was last open.
  CREATE TABLE inbox_members (
    member_id TEXT PRIMARY KEY,
    availability TEXT NOT NULL,
    away_cause TEXT,
    capacity INTEGER,
    seen_at INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;

  -- told_position: the place in the queue that the visitor was told; told_at: when.
  ALTER TABLE handlings ADD COLUMN told_position INTEGER;
  ALTER TABLE handlings ADD COLUMN told_at INTEGER;
  -- The queue of a team, and its conversations.
  CREATE INDEX handlings_team ON handlings (team_id, state, queued_at);
  `;

/** Narrow rows that reports read: answers of persons, and messages that the bot did not answer. */
export const reportRows = `
  -- The answers of persons. member_id: null at another desk. waiting_since: of the oldest message or request that the answer was
  -- for; null if the visitor did not wait.
  CREATE TABLE person_replies (
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    handoff_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    member_id TEXT,
    replied_at INTEGER NOT NULL,
    waiting_since INTEGER,
    PRIMARY KEY (conversation_id, seq)
  ) WITHOUT ROWID;
  CREATE INDEX person_replies_at ON person_replies (bot_id, replied_at);

  -- Messages of visitors that the bot did not answer well, besides those before a handoff. cause_id: the answer of the bot that
  -- was rated as bad, or the message itself, for which the knowledge of the agent had no passage.
  CREATE TABLE unanswered_messages (
    conversation_id TEXT NOT NULL,
    cause_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, cause_id)
  ) WITHOUT ROWID;
  CREATE INDEX unanswered_messages_at ON unanswered_messages (bot_id, noted_at);

  ALTER TABLE assignments ADD COLUMN bot_id TEXT NOT NULL DEFAULT '';
  UPDATE assignments SET bot_id =
    COALESCE((SELECT o.bot_id FROM handoffs o WHERE o.id = assignments.handoff_id), '');
  CREATE INDEX assignments_begun ON assignments (bot_id, from_at);
  `;

/** The members whom notes mention, and the files of notes. */
export const noteContents = `
  CREATE TABLE note_mentions (
    conversation_id TEXT NOT NULL,
    note_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    PRIMARY KEY (conversation_id, note_id, member_id)
  ) WITHOUT ROWID;
  -- The list of the conversations that mention a member.
  CREATE INDEX note_mentions_member ON note_mentions (member_id, conversation_id);

  -- A file belongs to one note. Its row in files has the owner_type note and the conversation as owner_id.
  CREATE TABLE note_files (
    file_id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    note_id TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX note_files_conversation ON note_files (conversation_id, note_id);
  `;

/** Which mentions of a member they have seen. */
export const seenMentions = `
  -- 1 once the member has opened the conversation.
  ALTER TABLE note_mentions ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
  `;

/** The texts that members search. */
export const searchedTexts = `
  -- The messages and notes that are in the full-text index text_words, which has their words by this number: the later a text was
  -- written, the higher it is. seq: of the message, or that after which the note stands. The texts themselves are in messages and notes.
  CREATE TABLE searched_texts (
    number INTEGER PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    text_id TEXT NOT NULL,
    is_note INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    bot_id TEXT
  );
  CREATE UNIQUE INDEX searched_texts_text ON searched_texts (text_id);
  CREATE INDEX searched_texts_conversation ON searched_texts (conversation_id, is_note, seq);

  -- How far the index is. name: earlier, for the conversations of an earlier version, by their ids, or recent, for those that
  -- change, by the time of the change; position: up to where.
  CREATE TABLE search_progress (
    name TEXT PRIMARY KEY,
    position TEXT NOT NULL
  );
  INSERT INTO search_progress (name, position) SELECT 'earlier', '' WHERE EXISTS (SELECT 1 FROM conversations);
  `;

/** The index of SQLite is a virtual table, which is created at the start (storage/inbox/searched-texts.ts). */
export const searchedTextsOfPostgres = `${searchedTexts}
  CREATE TABLE text_words (
    number INTEGER PRIMARY KEY,
    words tsvector NOT NULL
  );
  CREATE INDEX text_words_words ON text_words USING gin (words);
  `;

/** Alerts about conversations that wait while nobody has the inbox open: to members, and to the chat tool of a workspace. */
export const alerts = `
  -- alerted_since: the waiting_since of the last wait that was alerted; alerted_for: the member or the team that it was for.
  ALTER TABLE handlings ADD COLUMN alerted_since INTEGER;
  ALTER TABLE handlings ADD COLUMN alerted_for TEXT;
  -- What waits already is not alerted.
  UPDATE handlings SET alerted_since = waiting_since, alerted_for = COALESCE(assignee_id, team_id, '')
    WHERE waiting_since IS NOT NULL;
  CREATE INDEX handlings_alerts ON handlings (waiting_since, conversation_id) WHERE waiting_since IS NOT NULL;

  -- channel: mail (target: the member), push (target: the subscription) or webhook (target: ''). waiting_since: the wait. due_at: of
  -- the next attempt; null when it is over. attempts: also a fence, as in notifications.
  CREATE TABLE alerts (
    conversation_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    target TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    waiting_since INTEGER NOT NULL,
    due_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (conversation_id, channel, target)
  ) WITHOUT ROWID;
  CREATE INDEX alerts_due ON alerts (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX alerts_target ON alerts (target);
  CREATE INDEX alerts_of_bot ON alerts (bot_id);

  -- A browser in which a member has switched on pushes. id: a hash of the address at the push service. credential_id: the session
  -- or the token with which it was stored, and with which it ends.
  CREATE TABLE alert_subscriptions (
    id TEXT PRIMARY KEY,
    member_id TEXT NOT NULL,
    credential_id TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    expires_at INTEGER,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX alert_subscriptions_member ON alert_subscriptions (member_id);
  CREATE INDEX alert_subscriptions_credential ON alert_subscriptions (credential_id);

  -- alert_mail: 0 if the member wants no mails. alerted_at: when the last mail was sent to them.
  ALTER TABLE inbox_members ADD COLUMN alert_mail INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE inbox_members ADD COLUMN alerted_at INTEGER;

  -- alert_url: the secret address of the chat tool. alert_error: why the last request failed (JSON: at, reason, status).
  ALTER TABLE inbox_settings ADD COLUMN alert_url TEXT;
  ALTER TABLE inbox_settings ADD COLUMN alert_error TEXT;
  `;
