// The settings of the relay between the processes of a server.
import { matching, type Setting } from '../../startup/setting.ts';

export const relaySettings = {
  RELAY_DATABASE_URL: {
    doc: 'Address of the same database for notifications (LISTEN) and the lock of the process, if `DATABASE_URL` is that of a connection pooler that shares its sessions between transactions.',
    defaultDoc: '`DATABASE_URL`',
    schema: matching(
      /^postgres(?:ql)?:\/\/[^/?#]+\/[^/?#]+/,
      'must be an address such as `postgres://user:password@host/database`',
    ),
    isSecret: true,
  },
  RELAY_URL: {
    doc: 'Address of a Redis or Valkey that carries signals between processes instead of the notifications of PostgreSQL: `redis://HOST:PORT`, or `rediss://` with TLS. Several servers can share it.',
    defaultDoc: 'notifications of PostgreSQL',
    schema: matching(/^rediss?:\/\/[^/?#]+/, 'must be an address such as `redis://host:6379`'),
    isSecret: true,
  },
} satisfies Record<string, Setting<unknown>>;
