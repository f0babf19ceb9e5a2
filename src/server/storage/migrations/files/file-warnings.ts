// What could not be read of the text of a file.

export const fileWarnings = `
  -- A JSON list of sentences; NULL for none.
  ALTER TABLE files ADD COLUMN warnings TEXT;
  `;
