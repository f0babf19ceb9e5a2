// Remembered requests, found by the bot at which a token asked.

export const requests = `
  -- A caller with a token is named by the token and, after a space, the bot.
  CREATE INDEX requests_bot ON requests (substr(caller, instr(caller, ' ') + 1));
  `;
