// Standard names for the versions of a file's index, and an index of the open jobs of tables by bot.

export const jobQueue = `
  -- index_version: the passages that are searched; pending_version: those that are being made, at the nth attempt.
  ALTER TABLE files RENAME COLUMN edition TO index_version;
  ALTER TABLE files RENAME COLUMN building TO pending_version;
  ALTER TABLE passages RENAME COLUMN edition TO index_version;

  -- Bots take turns: the next bot with an open job, and the oldest jobs of a bot, are found with one seek.
  DROP INDEX table_jobs_status;
  CREATE INDEX table_jobs_open ON table_jobs (status, bot_id, id);
`;
