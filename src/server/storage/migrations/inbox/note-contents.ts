// What notes have besides their text: the members whom they mention, and their files.

export const noteContents = `
  CREATE TABLE note_mentions (
    conversation_id TEXT NOT NULL,
    note_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    PRIMARY KEY (conversation_id, note_id, member_id)
  ) WITHOUT ROWID;
  -- The list of the conversations that mention a member.
  CREATE INDEX note_mentions_member ON note_mentions (member_id, conversation_id);

  -- A file belongs to one note. Its row in files has the owner_type note and the conversation as owner_id.
  CREATE TABLE note_files (
    file_id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL,
    note_id TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX note_files_conversation ON note_files (conversation_id, note_id);
  `;
