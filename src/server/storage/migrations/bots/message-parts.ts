// What stands beside the text of a message of the bot.

export const messageParts = `
  -- parts: JSON; null if there are none.
  ALTER TABLE messages ADD COLUMN parts TEXT;
  -- The parts of an answer that is being written. parts_version: the number of their changes.
  ALTER TABLE bot_streams ADD COLUMN parts TEXT;
  ALTER TABLE bot_streams ADD COLUMN parts_version INTEGER NOT NULL DEFAULT 0;
  `;
