// Steps of conversations: invitations, parts of messages, streams, and interrupts.

/** An index of cached responses by the bot that a token was used for. */
export const requests = `
  -- A caller with a token is named by the token and, after a space, the bot.
  CREATE INDEX requests_bot ON requests (substr(caller, instr(caller, ' ') + 1));
  `;

/** Invitations to conversations, which the invited users accept or decline. */
export const invitations = `
  -- invited_hash: SHA-256 of bot id and the id that the owner of the conversation wrote, a foreign id or an id of the
  -- server, base64url; there may be no such user. is_open: 0 once the invited has declined
  -- or was deleted. The row stays, so that the owner cannot tell.
  CREATE TABLE invitations (
    conversation_id TEXT NOT NULL,
    invited_hash TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    invited_at INTEGER NOT NULL,
    is_open INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (conversation_id, invited_hash)
  ) WITHOUT ROWID;
  CREATE INDEX invitations_invited ON invitations (bot_id, invited_hash, is_open, conversation_id);
  CREATE INDEX invitations_age ON invitations (invited_at);
  `;

/** Answers that bots write through the Runtime API, until they end. */
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

/** Parts of a message of the bot in addition to its text. */
export const messageParts = `
  -- parts: JSON; null if there are none.
  ALTER TABLE messages ADD COLUMN parts TEXT;
  -- The parts of an answer that is being written. parts_version: the number of their changes.
  ALTER TABLE bot_streams ADD COLUMN parts TEXT;
  ALTER TABLE bot_streams ADD COLUMN parts_version INTEGER NOT NULL DEFAULT 0;
  `;

/** Messages that take the place of earlier ones: a visitor wants another answer, or has edited the question. */
export const supersededMessages = `
  -- supersedes: the message whose place this one takes; superseded_by: the one that has taken its place.
  ALTER TABLE messages ADD COLUMN supersedes TEXT;
  ALTER TABLE messages ADD COLUMN superseded_by TEXT;
  `;

/** Questions of bots that wait for a visitor. */
export const interrupts = `
  -- user_id: who can answer. state: open, resolved or cancelled. answer_hash: SHA-256 of the answer, which tells a repeated
  -- answer from another one. payload (the answer) and bot_state: JSON, until the bot's event of the message is queued.
  CREATE TABLE interrupts (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    state TEXT NOT NULL,
    settled_by TEXT,
    answer_hash TEXT,
    payload TEXT,
    bot_state TEXT,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX interrupts_conversation ON interrupts (conversation_id, state);
  CREATE INDEX interrupts_message ON interrupts (message_id);
  CREATE INDEX interrupts_user ON interrupts (user_id);
  CREATE INDEX interrupts_expiry ON interrupts (state, expires_at);
  `;

/** Which page runs a tool that the bot has called there. */
export const interruptClaims = `
  -- claim: what the page that began to run the tool has named itself; null before.
  ALTER TABLE interrupts ADD COLUMN claim TEXT;
  `;
