// Runs the conformance suite of stores on two S3 servers that have nothing in common: s3rver, and OpenStack Swift, which
// checks signatures of bodies, sizes and ETags of parts.
import { join } from 'node:path';
import pino from 'pino';
import { afterAll } from 'vitest';
import { testFileStore } from '../bytes/store.contract.ts';
import { openInFolder } from '../bytes/testing.ts';
import { type S3Server, startS3rver, startSwift } from './servers.testing.ts';
import { openS3Store } from './store.ts';
import { defaultPartBytes } from './writer.ts';

for (const [name, start, partBytes] of [
  // It accepts parts of any size, and the tests of the server use the real one.
  ['s3rver', startS3rver, 100_000],
  ['OpenStack Swift', startSwift, defaultPartBytes],
] as const) {
  let server: Promise<S3Server> | undefined;
  afterAll(async () => (await server)?.close());

  testFileStore(name, partBytes, async () => {
    server ??= start();
    const s3 = await (await server).bucket();
    return openInFolder((home, db) =>
      openS3Store({
        db,
        s3,
        folder: join(home, 'temporary'),
        logger: pino({ level: 'silent' }),
        now: Date.now,
        partBytes,
      }),
    );
  });
}
