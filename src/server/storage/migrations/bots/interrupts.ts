// Questions of bots that wait for a visitor.

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
