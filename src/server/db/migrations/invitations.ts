// Invitations to conversations, which the invited accepts or declines.

export const invitations = `
  -- invited_id: as the owner of the conversation spelled it, a foreign id or an id of the server; there may be no such
  -- user. is_open: 0 once the invited has declined or was deleted. The row stays, so that the owner cannot tell.
  CREATE TABLE invitations (
    conversation_id TEXT NOT NULL,
    invited_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    invited_at INTEGER NOT NULL,
    is_open INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (conversation_id, invited_id)
  ) WITHOUT ROWID;
  CREATE INDEX invitations_invited ON invitations (bot_id, invited_id, is_open, conversation_id);
  CREATE INDEX invitations_age ON invitations (invited_at);
  `;
