// Files with dashboard configurations of more than 1 MB, whose write would block all others.

export const configurationFiles = `
  -- used_by: the bot; null while the file is written.
  CREATE TABLE configuration_files (
    content_id TEXT PRIMARY KEY,
    used_by TEXT UNIQUE
  ) WITHOUT ROWID;
  `;
