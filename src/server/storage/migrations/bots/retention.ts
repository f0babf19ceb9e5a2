// How long the data of a bot is kept.

export const retention = `
  -- Days; 0 keeps the data; null: the period of the server.
  ALTER TABLE bots ADD COLUMN retention_messages INTEGER;
  ALTER TABLE bots ADD COLUMN retention_files INTEGER;
  ALTER TABLE bots ADD COLUMN retention_logs INTEGER;
  ALTER TABLE bots ADD COLUMN retention_contacts INTEGER;
  `;
