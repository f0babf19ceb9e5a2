// The settings of PostgreSQL.
import { matching, type Setting, wholeNumber } from '../startup/setting.ts';

export const databaseSettings = {
  DATABASE_URL: {
    doc: 'Address of a database of PostgreSQL 14 or later, `postgres://USER:PASSWORD@HOST/DATABASE`, which holds the data instead of SQLite in `DATA_DIR`. `USER_KEY_SECRET` and `PUBLIC_URL` are then required ([scaling.md](../guides/scaling.md)).',
    defaultDoc: 'SQLite',
    schema: matching(
      /^postgres(?:ql)?:\/\/[^/?#]+\/[^/?#]+/,
      'must be an address such as `postgres://user:password@host/database`',
    ),
    isSecret: true,
  },
  DATABASE_POOL: {
    doc: 'The maximum number of connections to PostgreSQL, in addition to up to five for the lock, notifications, health checks and semantic search. More than 5 for each of its cores make it slower.',
    default: '10',
    schema: wholeNumber(2, 1_000),
  },
} satisfies Record<string, Setting<unknown>>;
