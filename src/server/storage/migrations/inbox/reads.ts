// What was read of each conversation, by its visitors and by the person who answers.

export const reads = `
  -- read_receipts: 1 if visitors and persons are told what the other one has read.
  ALTER TABLE bots ADD COLUMN read_receipts INTEGER NOT NULL DEFAULT 0;

  -- reader: the id of a user or of a member; kind: visitor or person. last_seq only rises.
  CREATE TABLE reads (
    conversation_id TEXT NOT NULL,
    reader TEXT NOT NULL,
    kind TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, reader)
  ) WITHOUT ROWID;
  CREATE INDEX reads_reader ON reads (reader);
  `;
