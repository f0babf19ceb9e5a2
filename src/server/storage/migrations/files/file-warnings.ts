// The parts of the text of a file that could not be read.

export const fileWarnings = `
  -- A JSON list of sentences; NULL for none.
  ALTER TABLE files ADD COLUMN warnings TEXT;
  `;
