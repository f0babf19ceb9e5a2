// Invitations to conversations, which the invited users accept or decline.

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
