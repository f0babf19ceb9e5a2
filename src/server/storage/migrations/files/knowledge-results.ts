// Passages of knowledge bases in the events of a bot.

export const knowledgeResults = `
  -- knowledge_results: the number of passages with each message of a user.
  ALTER TABLE bots ADD COLUMN knowledge_results INTEGER NOT NULL DEFAULT 0;
`;
