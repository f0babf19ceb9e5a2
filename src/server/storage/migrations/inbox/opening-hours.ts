// Settings of the inbox of a workspace.

export const inboxSettings = `
  -- opening_hours: when its members answer (JSON of protocol/handling/opening-hours.ts); null: always.
  CREATE TABLE inbox_settings (
    workspace_id TEXT PRIMARY KEY,
    opening_hours TEXT
  ) WITHOUT ROWID;
  `;
