// Moves dashboard configurations to their own table: one can be large, and rows of bots are read for every request.

export const configurations = `
  -- version: grows with every change. It stands before the configuration, so that it is read without it.
  CREATE TABLE bot_configurations (
    bot_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    configuration TEXT NOT NULL
  );
  INSERT INTO bot_configurations (bot_id, version, configuration)
    SELECT id, 1, configuration FROM bots WHERE configuration <> '{}' AND deleted_at IS NULL;
  ALTER TABLE bots DROP COLUMN configuration;
  `;
