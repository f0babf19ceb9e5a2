// Runs the unchanged examples of docs/guides/admin.md in order against a real server over HTTP, and checks its table of
// roles (`npm run generate` updates it).
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notOffered } from '../protocol/operations/not-offered.ts';
import { isPermitted, permissionTable, principalKinds, roles } from '../protocol/permissions.ts';
import { type RelayedServer, runExample, startRelayedServer } from './testing.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/guides/admin.md'), 'utf8');
const examples = [
  ...page.matchAll(/^## ([^\n]*)\n(?:(?!^## |^```)[^\n]*\n)*(?:```js\n([\s\S]*?)^```)?/gm),
].flatMap(([, heading = '', code]) => (code ? [[heading, code] as const] : []));

/** Heading -> the output of its example. */
const printed: Record<string, RegExp> = {
  'Create a bot': /^<script src="http:\/\/127[\d.:]+\/chat\/shop\/webchat\.js" async><\/script>$/,
  'Bot code and webhooks': /^shop https:\/\/bot\.example\.com\/events\nwhsec_ 43$/,
  'Rotate secrets': /^false false$/,
  'Revoke user keys': /^401$/,
  // The bot of the example above.
  Visitors: /^1 $/,
  Members: /^ann@example\.com\nviewer$/,
  Tokens: /^bot bat_\ntrue bot 2099-01-01T00:00:00\.000Z$/,
  Workspaces: /^1\nbea@example\.com owner$/,
  'Usage and the state of the server': /^0 \d* (sqlite|postgres) $/,
  'Audit trail': /^operator owner@localhost true 200$/,
};

let relayed: RelayedServer;
let botsFolder = '';
beforeAll(async () => {
  botsFolder = await mkdtemp(join(tmpdir(), 'admin-docs-'));
  await writeFile(join(botsFolder, 'shop.mjs'), 'export default () => {};');
  relayed = await startRelayedServer({ BOTS: botsFolder });
});
afterAll(async () => {
  await rm(botsFolder, { recursive: true });
  await relayed.close();
});

test('every example has an expected output', () => {
  expect(examples.map(([heading]) => heading)).toEqual(Object.keys(printed));
  expect(page.match(/^```js/gm)).toHaveLength(examples.length);
});

test.each(examples)('%s', async (heading, code) => {
  const { token = '', workspaceId } = relayed.server.admin;
  const lines = await runExample(code, {
    PLATFORM_API_URL: relayed.directUrl,
    PLATFORM_TOKEN: token,
    PLATFORM_WORKSPACE_ID: workspaceId,
  });
  expect(lines.join('\n')).toMatch(printed[heading] ?? /^$/);
});

test('the generated tables match the code (npm run generate writes them)', async () => {
  const permissions = [...new Set(principalKinds.flatMap((kind) => permissionTable[kind]))];
  const kinds = ['bot', 'integration', ...roles, 'operator'] as const;
  const rows = permissions.map((permission) => {
    const cells = kinds.map((kind) => (isPermitted(kind, permission) ? 'yes' : ''));
    return `| \`${permission}\` | ${cells.join(' | ')} |`;
  });
  const unoffered = notOffered
    .filter(({ api }) => api === 'admin' || api === 'billing')
    .map(({ subject, alternative }) => `| ${subject} | ${alternative} |`);
  const sections: Record<string, string[]> = {
    roles: [`| | ${kinds.join(' | ')} |`, `|${'---|'.repeat(kinds.length + 1)}`, ...rows],
    'not offered': ['| Not part of this server | Instead |', '|---|---|', ...unoffered],
  };
  let text = page;
  for (const [name, lines] of Object.entries(sections)) {
    const generated = new RegExp(`(<!-- ${name}: .* -->\\n)[\\s\\S]*(<!-- /${name} -->\\n)`);
    expect(text).toMatch(generated);
    text = text.replace(generated, (_, from, to) => `${from}\n${lines.join('\n')}\n\n${to}`);
  }
  await expect(text).toMatchFileSnapshot('../../docs/guides/admin.md');
});
