// An index of the files to index by bot, so that the next one is found without reading all others.

export const indexingQueue = `
  CREATE INDEX files_waiting ON files (status, bot_id, announced_at);
  `;
