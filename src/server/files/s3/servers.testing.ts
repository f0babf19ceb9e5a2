// Starts S3 servers for tests, each on a free port of the loopback address: s3rver in this process, and OpenStack Swift as
// a process of an unprivileged user.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { provideSwift } from '../../../../scripts/services/swift.mjs';
import { contentOf, createRequests, type S3Options } from './requests.ts';

export interface S3Server {
  /** The address without a bucket: `http://127.0.0.1:PORT`. */
  origin: string;
  /** Creates a bucket and returns the options of a store with a prefix in it. */
  bucket(): Promise<S3Options>;
  close(): Promise<void>;
}

const silent = pino({ level: 'silent' });
let buckets = 0;

function serverAt(
  origin: string,
  keys: { accessKeyId: string; secretAccessKey: string },
  close: () => Promise<void>,
): S3Server {
  return {
    origin,
    async bucket() {
      const options = { ...keys, region: 'us-east-1', url: `${origin}/bucket-${process.pid}-${buckets++}` };
      const request = { operation: 'CreateBucket', method: 'PUT', url: new URL(options.url) };
      const { send } = createRequests(options, silent);
      await send({ ...request, content: contentOf('') }, (response) => response.text());
      return { ...options, url: `${options.url}/some/prefix` };
    },
    close,
  };
}

export async function startS3rver(): Promise<S3Server> {
  // @ts-expect-error It has no types.
  const { default: S3rver } = await import('s3rver');
  const directory = await mkdtemp(join(tmpdir(), 'webchat-s3rver-'));
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory });
  const address: AddressInfo = await server.run();
  return serverAt(
    `http://127.0.0.1:${address.port}`,
    { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  );
}

/** The user `nobody`: a server must not run as root. */
const nobody = 65_534;

export async function startSwift(): Promise<S3Server> {
  const python = provideSwift();
  const home = await mkdtemp(join(tmpdir(), 'webchat-swift-'));
  await chmod(home, 0o777);
  const keys = { accessKeyId: 'test:tester', secretAccessKey: 'a-secret-of-swift' };
  // As an argument, because this user may not read the folder of the sources.
  const program = await readFile(new URL('swift.testing.py', import.meta.url), 'utf8');
  const child = spawn(python, ['-c', program, join(home, 'data'), ...Object.values(keys)], {
    env: { HOME: home, PATH: '/usr/bin:/bin', PYTHONDONTWRITEBYTECODE: '1' },
    cwd: home,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exit = once(child, 'exit');
  const firstLine = once(createInterface(child.stdout), 'line').then(([line]) => Number(line));
  const port = await Promise.race([firstLine, exit.then(() => undefined)]);
  if (!port) throw new Error(`Swift did not start: ${errors}`);
  return serverAt(`http://127.0.0.1:${port}`, keys, async () => {
    child.stdin.end();
    await exit;
    await rm(home, { recursive: true, force: true });
  });
}
