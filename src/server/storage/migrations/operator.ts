// Marks the first workspace, whose owners are the operators of the server.

export const operator = `
  -- is_first: 1 for the workspace that the first start made. Stored, because ids tell the order of making only while
  -- the clock of the machine never goes back.
  ALTER TABLE workspaces ADD COLUMN is_first INTEGER NOT NULL DEFAULT 0;
  UPDATE workspaces SET is_first = 1 WHERE id = (SELECT MIN(id) FROM workspaces);
  CREATE UNIQUE INDEX workspaces_first ON workspaces (is_first) WHERE is_first = 1;
  `;
