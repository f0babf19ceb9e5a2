// Messages that take the place of earlier ones: a visitor wants another answer, or has edited the question.

export const supersededMessages = `
  -- supersedes: the message whose place this one takes; superseded_by: the one that has taken its place.
  ALTER TABLE messages ADD COLUMN supersedes TEXT;
  ALTER TABLE messages ADD COLUMN superseded_by TEXT;
  `;
