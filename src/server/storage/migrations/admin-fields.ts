// What programs declare about bots, the profile of workspaces, and pictures of members. Names of bots are looked up.

export const adminFields = `
  -- Not in the row of the bot, which is read for every request of a chat. tags and definition are JSON objects.
  CREATE TABLE bot_definitions (
    bot_id TEXT PRIMARY KEY,
    tags TEXT NOT NULL,
    type TEXT NOT NULL,
    is_dev INTEGER NOT NULL,
    definition TEXT NOT NULL
  );
  -- Not unique: earlier versions accepted the same name twice.
  CREATE INDEX bots_name ON bots (workspace_id, name);

  -- A JSON object: about, picture, contact address, website, accounts.
  ALTER TABLE workspaces ADD COLUMN profile TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE members ADD COLUMN profile_picture TEXT;
  `;
