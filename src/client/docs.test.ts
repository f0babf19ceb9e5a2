// Runs every unchanged example of docs/guides/client.md against a real server over HTTP.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { base } from '../server/testing.ts';
import { AdminClient, ChatClient } from './index.ts';
import { variables } from './platform/client-options.ts';
import { type RelayedServer, runExample, startRelayedServer } from './testing.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/guides/client.md'), 'utf8');
const examples = [...page.matchAll(/^## (.*)|^```js\n([\s\S]*?)^```/gm)]
  .reduce<[string, string][]>((found, [, heading, code]) => {
    if (heading) found.push([heading, '']);
    else found.push([found.at(-1)?.[0] ?? 'The beginning', code ?? '']);
    return found;
  }, [])
  .filter(([, code]) => code);

/** Heading -> the output of its examples in order. */
const printed: Record<string, string[]> = {
  'The beginning': ['demo'],
  Options: ['bot_[0-9A-Z]+ demo'],
  'Call an operation': ['Support'],
  'Proof of work': ['A program'],
  Lists: ['demo\n1'],
  Participants: ['2\n2'],
  Files: ['sent\nupload_completed\nmanuals/start.md\n# Platform Webchat'],
  Tables: ['Ann'],
  'Webhook bots': ['We are \\*\\*open\\*\\* again\\.'],
  Errors: ['no such bot', '1'],
};

let relayed: RelayedServer;
/** Requires a proof of work, which the examples of all other sections do not need. */
let demanding: RelayedServer;
let botId = '';
beforeAll(async () => {
  relayed = await startRelayedServer();
  demanding = await startRelayedServer({ PROOF_OF_WORK: 8 });
  const { token, workspaceId } = relayed.server.admin;
  const admin = new AdminClient({ apiUrl: relayed.directUrl, token, workspaceId });
  botId = (await admin.list.bots().collect({ limit: 1 }))[0]?.id ?? '';
  // A visitor, so that the bot has a conversation.
  const visitor = new ChatClient({
    chatUrl: relayed.directUrl + base,
    userKey: relayed.server.sign('visitor'),
  });
  await visitor.getOrCreateUser({});
  await visitor.createConversation({});
});
afterAll(() => Promise.all([relayed.close(), demanding.close()]));

test('every example has an expected output', () => {
  const counts: Record<string, number> = {};
  for (const [heading] of examples) counts[heading] = (counts[heading] ?? 0) + 1;
  expect(counts).toEqual(
    Object.fromEntries(Object.entries(printed).map(([name, all]) => [name, all.length])),
  );
});

const turns: Record<string, number> = {};
test.each(examples)('%s', async (heading, code) => {
  const { server, directUrl } = heading === 'Proof of work' ? demanding : relayed;
  const { token = '', workspaceId } = server.admin;
  const lines = await runExample(
    code.replace('http://127.0.0.1:3000', directUrl).replace('pat_...', token).replace('ws_...', workspaceId),
    {
      PLATFORM_API_URL: directUrl,
      PLATFORM_TOKEN: token,
      PLATFORM_WORKSPACE_ID: workspaceId,
      PLATFORM_BOT_ID: botId,
    },
  );
  const turn = turns[heading] ?? 0;
  turns[heading] = turn + 1;
  expect(lines.join('\n')).toMatch(new RegExp(`^${printed[heading]?.[turn]}$`));
});

test('the table contains every client', async () => {
  const clients = Object.keys(await import('./index.ts')).filter((name) => name.endsWith('Client'));
  expect(clients.length).toBeGreaterThan(5);
  const rows = [...page.matchAll(/^\| `(\w*Client)` \|/gm)].map(([, name = '']) => name);
  expect(rows.sort()).toEqual(clients.sort());
});

test('the table contains every option that can be set in the environment', () => {
  for (const [option, variable] of Object.entries(variables)) {
    expect(page).toMatch(new RegExp(`\\| \`${option}\`.*\\| \`${variable}\` \\|`));
  }
});
