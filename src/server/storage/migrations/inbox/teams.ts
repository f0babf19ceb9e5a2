// Teams of members, and which members are assigned conversations.

export const inboxTeams = `
  -- mode: manual, round_robin or least_busy. is_default: requests that name no team are for this one.
  CREATE TABLE teams (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    mode TEXT NOT NULL,
    capacity INTEGER NOT NULL,
    is_restricted INTEGER NOT NULL,
    is_default INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX teams_name ON teams (workspace_id, name);

  -- last_assigned_at: when the team has last assigned a conversation to the member.
  CREATE TABLE team_members (
    team_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    last_assigned_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (team_id, member_id)
  ) WITHOUT ROWID;
  CREATE INDEX team_members_member ON team_members (member_id);

  -- availability: available or away; away_cause: no_answer if the server has set it; capacity: null as the teams say; seen_at:
  -- when their inbox was last open.
  CREATE TABLE inbox_members (
    member_id TEXT PRIMARY KEY,
    availability TEXT NOT NULL,
    away_cause TEXT,
    capacity INTEGER,
    seen_at INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;

  -- told_position: the place in the queue that the visitor was told; told_at: when.
  ALTER TABLE handlings ADD COLUMN told_position INTEGER;
  ALTER TABLE handlings ADD COLUMN told_at INTEGER;
  -- The queue of a team, and its conversations.
  CREATE INDEX handlings_team ON handlings (team_id, state, queued_at);
  `;
