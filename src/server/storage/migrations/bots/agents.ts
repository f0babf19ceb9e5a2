// Agents at an address that answer for bots, and what they have used.

export const agents = `
  -- has_agent: 1 for a bot with a row in bot_agents.
  ALTER TABLE bots ADD COLUMN has_agent INTEGER NOT NULL DEFAULT 0;

  -- key and headers (JSON) are secrets. settings: the fields that are none (JSON).
  CREATE TABLE bot_agents (
    bot_id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    protocol TEXT NOT NULL,
    key TEXT,
    headers TEXT NOT NULL,
    settings TEXT NOT NULL
  );

  -- What was used in an hour or a day: runs of a user, tokens of a bot. id: the kind and the owner. until: milliseconds since
  -- 1970, after which it is of no use.
  CREATE TABLE agent_usage (
    id TEXT NOT NULL,
    period INTEGER NOT NULL,
    used INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (id, period)
  );
  CREATE INDEX agent_usage_until ON agent_usage (until);
`;
