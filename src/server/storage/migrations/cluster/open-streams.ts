// The open streams of each process, which all processes count together, and what code of bots each process runs.

export const openStreams = `
  -- streams: those that a process has open of a user or of an address. They count while the process is alive. id: a keyed
  -- hash.
  CREATE TABLE open_streams (
    id TEXT NOT NULL,
    process_id TEXT NOT NULL,
    streams INTEGER NOT NULL,
    PRIMARY KEY (id, process_id)
  ) WITHOUT ROWID;
  CREATE INDEX open_streams_process ON open_streams (process_id);

  -- A digest of the code of bots; null of a process that does not tell.
  ALTER TABLE processes ADD COLUMN bot_code TEXT;
`;
