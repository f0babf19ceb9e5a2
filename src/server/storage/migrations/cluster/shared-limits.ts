// What several processes count together: used proofs of work, and the usage of limits.

export const sharedLimits = `
  -- salt: of the challenge. until: the end of its validity; afterwards the row is deleted.
  CREATE TABLE used_proofs (
    salt TEXT PRIMARY KEY,
    until INTEGER NOT NULL
  );
  CREATE INDEX used_proofs_until ON used_proofs (until);

  -- used: thousandths of a unit at the time at. until: when it is deleted.
  CREATE TABLE shared_usage (
    id TEXT PRIMARY KEY,
    used INTEGER NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL
  );
  CREATE INDEX shared_usage_until ON shared_usage (until);
`;

/** After a crash of the database the counts begin again, as after a restart of a server that is one process. */
export const sharedLimitsOfPostgres = sharedLimits.replace(
  'CREATE TABLE shared_usage',
  'CREATE UNLOGGED TABLE shared_usage',
);
