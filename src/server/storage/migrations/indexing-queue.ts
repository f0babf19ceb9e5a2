// The files that wait to be indexed, by bot: the next one is found without a look at all the others.

export const indexingQueue = `
  CREATE INDEX files_waiting ON files (status, bot_id, announced_at);
  `;
