// Which process handles an event of a bot, where several use the same database.

export const deliveryLeases = `
  -- One row for each process that handles events, while it is alive. leased_until: by the clock of the database.
  CREATE TABLE delivery_leases (
    id TEXT PRIMARY KEY,
    leased_until INTEGER NOT NULL
  );

  -- The lease of the process that handles the event. Null: nobody, or a server that is one process.
  ALTER TABLE deliveries ADD COLUMN owner TEXT;
  `;
