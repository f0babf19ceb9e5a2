// An index of cached responses by the bot that a token was used for.

export const requests = `
  -- A caller with a token is named by the token and, after a space, the bot.
  CREATE INDEX requests_bot ON requests (substr(caller, instr(caller, ' ') + 1));
  `;
