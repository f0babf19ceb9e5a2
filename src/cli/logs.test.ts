// Tests of `logs` against the real server over HTTP: earlier entries, further ones with --follow, and its options.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import { type BotLogRow, insertBotLog } from '../server/storage/bots/bot-logs.ts';
import { createId } from '../server/storage/ids.ts';
import { type Ran, run, type Terminal } from './testing.ts';

let relayed: RelayedServer;
let env: Record<string, string>;
let botId = '';
beforeAll(async () => {
  relayed = await startRelayedServer();
  const { token = '', workspaceId } = relayed.server.admin;
  env = { PLATFORM_API_URL: relayed.directUrl, PLATFORM_TOKEN: token, PLATFORM_WORKSPACE_ID: workspaceId };
  const bot = await relayed.server.db.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'));
  botId = bot?.id ?? '';
});
afterAll(() => relayed.close());

const type = (line: string, terminal: Terminal = {}): Promise<Ran> =>
  run(line.split(' '), { ...terminal, env: { ...env, ...terminal.env } });

/** Adds an entry as the server does. */
async function log(eventId: string, kind: BotLogRow['kind'] = 'bot_failed', error: string | null = null) {
  const createdAt = Date.now();
  const entry = { id: createId('log', createdAt), botId, kind, eventId, conversationId: 'conv_x', error };
  const failure = { attempt: 1, status: null, reason: 'timeout', createdAt };
  await relayed.server.db.write((tx) => insertBotLog(tx, { ...entry, ...failure }));
}

test('logs without entries prints a sentence on stderr', async () => {
  expect(await type('logs demo')).toEqual({ code: 0, stdout: '', stderr: 'The log has no entries.\n' });
});

test('logs prints the newest entries, oldest first, and --follow prints each further one once', async () => {
  await log('evt_1');
  await log('evt_2', 'webhook_failed', '{"type":"TypeError"}');
  const once = await type('logs demo --limit 1');
  expect(once.stdout).toMatch(
    /^\d{4}-\S+Z warn {2}The webhook did not accept an event: timeout\. evt_2 \{"type":"TypeError"\}\n$/,
  );
  const controller = new AbortController();
  let seen = 0;
  const following = await type(`logs ${botId} --follow`, {
    signal: controller.signal,
    onOutput() {
      seen += 1;
      if (seen === 2) void log('evt_3').then(() => log('evt_4'));
      if (seen === 4) controller.abort();
    },
  });
  expect([following.code, following.stderr]).toEqual([130, 'Stopped.\n']);
  expect(following.stdout.match(/evt_\d/g)).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
});

test('--follow without earlier entries begins with the next one; --json prints objects', async () => {
  const controller = new AbortController();
  relayed.requests.length = 0;
  const following = type('logs demo --follow --json --limit 0 --level warn', {
    signal: controller.signal,
    onOutput: () => controller.abort(),
  });
  // Not before the program knows the newest entry.
  await expect
    .poll(() => relayed.requests.filter((line) => line.includes('/logs?')).length, { timeout: 20_000 })
    .toBeGreaterThan(0);
  await expect
    .poll(() => relayed.requests.filter((line) => line.includes('/logs?')).length, { timeout: 20_000 })
    .toBeGreaterThan(1);
  await log('evt_5');
  await log('evt_6', 'webhook_failed');
  const { stdout } = await following;
  expect(JSON.parse(stdout)).toMatchObject({ eventId: 'evt_6', level: 'warn' });
});

test.each([
  ['logs demo --limit x', '--limit must be a whole number from 0 to 999999.'],
  ['logs demo --level loud', '--level must be one of info, warn, error.'],
])('%s is refused before any request', async (line, message) => {
  relayed.requests.length = 0;
  expect(await type(line)).toEqual({ code: 2, stdout: '', stderr: `Error: ${message}\n` });
  expect(relayed.requests).toEqual([]);
});
