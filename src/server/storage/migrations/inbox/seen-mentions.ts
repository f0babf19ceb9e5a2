// Which mentions of a member they have seen.

export const seenMentions = `
  -- 1 once the member has opened the conversation.
  ALTER TABLE note_mentions ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
  `;
