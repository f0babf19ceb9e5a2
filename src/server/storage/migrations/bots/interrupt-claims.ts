// Which page runs a tool that the bot has called there.

export const interruptClaims = `
  -- claim: what the page that began to run the tool has named itself; null before.
  ALTER TABLE interrupts ADD COLUMN claim TEXT;
  `;
