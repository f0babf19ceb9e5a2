// Indexes of the events that no process handles, and of those that one does.

export const freeDeliveries = `
  -- A poll reads the free events only, however many are handled at that time.
  DROP INDEX deliveries_due;
  CREATE INDEX deliveries_due ON deliveries (state, due_at, conversation_id, seq) WHERE owner IS NULL;
  CREATE INDEX deliveries_owned ON deliveries (state, owner, due_at, conversation_id, seq) WHERE owner IS NOT NULL;
  `;
