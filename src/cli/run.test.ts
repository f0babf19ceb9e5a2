// Tests of the commands against the real server over HTTP: their output, and their errors when requests fail.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openPromise } from 'yauzl';
import { Client } from '../client/index.ts';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import { roles } from '../protocol/permissions.ts';
import { type Ran, run, type Terminal } from './testing.ts';

let relayed: RelayedServer;
let env: Record<string, string>;
beforeAll(async () => {
  relayed = await startRelayedServer();
  const { token = '', workspaceId } = relayed.server.admin;
  env = { PLATFORM_API_URL: relayed.directUrl, PLATFORM_TOKEN: token, PLATFORM_WORKSPACE_ID: workspaceId };
});
afterAll(() => relayed.close());

const type = (line: string, terminal: Terminal = {}): Promise<Ran> =>
  run(line.split(' '), { ...terminal, env: { ...env, ...terminal.env } });

test('bots list prints a table, and JSON with --json', async () => {
  const { code, stdout, stderr } = await type('bots list');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^ID +NAME +CREATED +DEPLOYED\nbot_\w+ +demo +\d{4}-[^\n]*\n$/);
  const json = JSON.parse((await type('bots list --json')).stdout) as { bots: { name: string }[] };
  expect(json.bots.map(({ name }) => name)).toContain('demo');
  const onScreen = async (env = {}) => (await type('bots list', { isTTY: true, env })).stdout.slice(0, 6);
  expect(await onScreen()).toBe('\u001b[1mID');
  expect(await onScreen({ NO_COLOR: '1' })).toBe(stdout.slice(0, 6));
});

test('snippet prints the same HTML for the name and the id of a bot', async () => {
  const { bots } = JSON.parse((await type('bots list --json')).stdout) as { bots: { id: string }[] };
  const byName = await type('snippet demo');
  expect(byName).toEqual({
    code: 0,
    stderr: '',
    stdout: `<script src="${relayed.directUrl}/chat/demo/webchat.js" async></script>\n`,
  });
  expect(await type(`snippet ${bots[0]?.id}`)).toEqual(byName);
});

test('options may precede and follow the argument; the last of two wins', async () => {
  const wrong = 'http://127.0.0.1:1';
  const { code } = await type(`snippet --url ${wrong} demo --url=${relayed.directUrl}`);
  expect(code).toBe(0);
});

test('everything after -- is an argument', async () => {
  expect((await type('snippet -- --name')).stderr).toContain("Bot '--name' not found.");
});

test('bots create prints the address at which the chat responds', async () => {
  const { code, stdout, stderr } = await run(['bots', 'create', 'My shop', '--webhook-id', 'shop'], { env });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Bot {3}bot_\w+\nName {2}My shop\nChat {2}http:\S+\/chat\/shop\n$/);
  const chat = /^Chat +(\S+)$/m.exec(stdout)?.[1];
  expect((await fetch(`${chat}/hello`)).status).toBe(200);
  const other = await run(['bots', 'create', 'Our shop', '--json'], { env });
  expect(JSON.parse(other.stdout)).toMatchObject({
    bot: { name: 'Our shop' },
    chatUrl: expect.stringMatching(/^http/),
  });
});

test('a second bot of the same name is refused; two of an earlier version are told apart by their ids', async () => {
  await type('bots create Twin');
  const again = await type('bots create Twin');
  // The message of the field is printed once.
  expect(again).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Error: name: Another bot of the workspace has this name.\n',
  });
  await type('bots create Other');
  expect((await type('bots update Other --name Twin')).stderr).toBe(again.stderr);
  await relayed.server.db.write((tx) => tx.run("UPDATE bots SET name = 'Twin' WHERE name = 'Other'"));
  for (const line of [
    'snippet Twin',
    'bots delete Twin --yes',
    'logs Twin',
    'files push src/cli --bot Twin',
  ]) {
    const { code, stderr } = await type(line);
    expect([line, code, stderr]).toEqual([
      line,
      1,
      expect.stringMatching(/^Error: 2 bots have this name\. .*bot_\w+, bot_\w+\.\n$/),
    ]);
  }
});

test('bots create with a webhook prints the signing secret, and bots deploy only for the first webhook', async () => {
  const made = await type('bots create Hooked --webhook-url https://a.example/');
  const secret = /^Sign {2}(whsec_\S+)$/m.exec(made.stdout)?.[1];
  expect(made.stderr).toMatch(/^The last line is the secret [^\n]+\n$/);
  const moved = await type('bots deploy Hooked --webhook-url https://b.example/');
  expect([moved.code, moved.stderr]).toEqual([0, '']);
  expect(moved.stdout).toMatch(
    /^Bot {3}bot_\w+\nName {2}Hooked\nRuns {2}https:\/\/b\.example\/\nChat {2}\S+\n$/,
  );
  expect((await type('bots deploy Hooked --none --json')).stdout).not.toContain('whsec_');
  const renewed = JSON.parse(
    (await type('bots deploy Hooked --webhook-url https://a.example/ --json')).stdout,
  );
  expect(renewed).toMatchObject({
    webhookUrl: 'https://a.example/',
    signingSecret: expect.stringMatching(/^whsec_/),
  });
  expect(renewed.signingSecret).not.toBe(secret);
  const bot = JSON.parse((await type('bots create Json --webhook-url https://a.example/ --json')).stdout);
  expect(bot.signingSecret).toMatch(/^whsec_/);
  const format = '--webhook-url https://a.example/ --webhook-format';
  expect((await type(`bots deploy Hooked ${format} hosted`)).code).toBe(0);
  expect((await type(`bots deploy Hooked ${format} other`)).stderr).toBe(
    'Error: --webhook-format must be hosted or standard.\n',
  );
  expect((await type('bots deploy Hooked --none --webhook-format hosted')).code).toBe(2);
  for (const wrong of ['', ' --none --code a.mjs', ' --code a.mjs --webhook-url https://a.example/']) {
    expect((await type(`bots deploy Hooked${wrong}`)).code).toBe(2);
  }
});

test('bots retention shows the periods of a bot, sets and restores them, and refuses values that are not a number of days', async () => {
  await type('bots create Kept');
  const table = (lines: string[]) => lines.map((line) => line.replaceAll(/ +/g, ' ').trim());
  const shown = async (line: string) => table((await type(line)).stdout.trim().split('\n'));
  expect(await shown('bots retention Kept')).toEqual([
    'DATA DAYS SET FOR',
    'messages kept server',
    'files kept server',
    'logs 30 server',
    'contacts kept server',
  ]);
  const changed = await shown('bots retention Kept --messages 365 --logs 0');
  expect(changed).toEqual(expect.arrayContaining(['messages 365 bot', 'logs kept bot']));
  const json = JSON.parse((await type('bots retention Kept --messages default --json')).stdout);
  expect(json.retention).toEqual({ logsDays: 0 });
  for (const days of ['-1', '1.5', '36501', 'forever']) {
    const refused = await type(`bots retention Kept --messages=${days}`);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'Error: --messages must be a whole number from 0 to 36500, or default.\n',
    ]);
  }
  await type('bots delete Kept --yes');
});

test('bots update changes the name and tags, and bots delete needs --yes', async () => {
  await type('bots create Before');
  const changed = await type('bots update Before --name After --tag team=sales --tag region=a=b');
  expect(changed.stdout).toMatch(/^Bot {3}bot_\w+\nName {2}After\nTags {2}team=sales region=a=b\n$/);
  expect((await type('bots update After --tag team=')).stdout).toMatch(/Tags {2}region=a=b\n$/);
  expect((await type('bots update After')).stderr).toBe('Error: Nothing to change. Pass --name or --tag.\n');
  expect((await type('bots update After --tag =x')).code).toBe(2);
  expect((await type('bots delete After')).code).toBe(2);
  expect((await type('bots delete After --yes')).stderr).toMatch(/^Deleted After \(bot_\w+\)\.\n$/);
  expect((await type('bots delete After --yes')).code).toBe(1);
});

test('members are added, listed, changed and removed by their e-mail addresses', async () => {
  const added = await type('members add Bo@Example.com --role developer --name Bo');
  expect(added.stdout).toMatch(/^Member {2}member_\w+\nEmail {3}bo@example\.com\nRole {4}developer\n$/);
  expect((await type('members list')).stdout).toMatch(/^member_\w+ +bo@example\.com +developer +Bo$/m);
  const created = await type('tokens create laptop --member bo@example.com');
  expect(created.code).toBe(0);
  for (const role of [...roles.filter((name) => name !== 'viewer'), 'viewer']) {
    expect((await type(`members update bo@example.com --role ${role}`)).stderr).toBe(
      `bo@example.com is ${role}.\n`,
    );
  }
  const theirs = { env: { PLATFORM_TOKEN: created.stdout.trim() } };
  expect((await type('bots create x', theirs)).code).toBe(1);
  for (const wrong of ['add a@b.example --role king', 'update bo@example.com', 'remove bo@example.com']) {
    expect((await type(`members ${wrong}`)).code).toBe(2);
  }
  expect((await type('members remove bo@example.com --yes')).stderr).toBe('Removed bo@example.com.\n');
  expect((await type('bots list', theirs)).code).toBe(1);
  expect((await type('members remove bo@example.com --yes')).stderr).toMatch(
    /^Error: Member 'bo@example\.com' not/,
  );
});

test('members get a link to sign in, which is printed once', async () => {
  const invited = await type('members invite Cleo@Example.com --role support-less');
  expect(invited.stderr).toMatch(/^Error: --role must be one of /);
  const { code, stdout, stderr } = await type('members invite Cleo@Example.com --role developer');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\S+\/console\/#invitation=[\w-]{43}\n$/)]);
  expect(stderr).toMatch(
    /^The link for cleo@example\.com works once, until \S+Z\. It is shown only once:\n$/,
  );
  const use = async (url: string) =>
    (
      await fetch(`${relayed.directUrl}/v1/session/link/use`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ token: url.trim().split('=')[1], password: 'entirely new words here' }),
      })
    ).status;
  expect([await use(stdout), await use(stdout)]).toEqual([200, 401]);
  expect((await type('members link cleo@example.com --for reset')).stdout).toMatch(/#reset=/);
  const json = JSON.parse((await type('members link cleo@example.com --json')).stdout) as { url: string };
  expect(json.url).toMatch(/#sign-in=/);
  expect((await type('members link cleo@example.com --for fun')).code).toBe(2);
  expect((await type('members link nobody@example.com')).stderr).toMatch(
    /^Error: Member 'nobody@example\.com' not/,
  );
  expect((await type('members link cleo@example.com --mail')).stderr).toContain(
    'This server sends no mail (SMTP_URL).',
  );
  expect((await type('members invite cleo@example.com')).stderr).toContain('already exists');
  expect((await type('members remove cleo@example.com --yes')).code).toBe(0);
});

test('workspaces and tokens are found by their names', async () => {
  const { token = '' } = relayed.server.admin;
  const made = await new Client({
    apiUrl: relayed.directUrl,
    token,
    workspaceId: env.PLATFORM_WORKSPACE_ID ?? '',
  }).createWorkspace({ name: 'North Sea', email: 'n@example.com' });
  const inNorth = ['bots', 'create', 'Fish', '--workspace', 'North Sea'];
  expect((await run(inNorth, { env })).code).toBe(0);
  const there = await run(['bots', 'list', '--json'], { env: { ...env, PLATFORM_WORKSPACE_ID: made.id } });
  expect(JSON.parse(there.stdout).bots).toMatchObject([{ name: 'Fish' }]);
  expect((await type('workspaces list')).stdout).toMatch(new RegExp(`^${made.id} +North Sea`, 'm'));
  const remove = (...more: string[]) => run(['workspaces', 'delete', 'North Sea', ...more], { env });
  expect(await remove()).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect((await remove('--yes')).stderr).toBe(`Deleted ${made.id}.\n`);
  expect((await remove('--yes')).code).toBe(1);
  await type('tokens create by-name');
  expect((await type('tokens revoke by-name')).stderr).toMatch(/^Revoked token_\w+\.\n$/);
  expect((await type('tokens revoke by-name')).stderr).toMatch(/^Error: Token 'by-name' not found\./);
});

test('--bot of an API of a bot takes a name; a token of a bot needs the id', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-cli-'));
  await writeFile(join(folder, 'a.txt'), 'a');
  const push = (more: Record<string, string | undefined> = {}, bot = 'demo') =>
    run(['files', 'push', folder, '--bot', bot], { env: { ...env, ...more } });
  expect(await push()).toMatchObject({ code: 0, stdout: '1 sent (1 bytes), 0 unchanged\n' });
  // Without a workspace, that of the token.
  expect(await push({ PLATFORM_WORKSPACE_ID: undefined })).toMatchObject({ code: 0 });
  expect((await push({}, 'nothing')).stderr).toMatch(/^Error: Bot 'nothing' not found\./);
  const PLATFORM_TOKEN = (await type('tokens create of-bot --bot demo')).stdout.trim();
  const { stderr } = await push({ PLATFORM_TOKEN });
  const id = /Pass --bot (bot_\w+)\.\n$/.exec(stderr)?.[1] ?? '';
  expect(await push({ PLATFORM_TOKEN }, id)).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
});

describe('tokens', () => {
  const create = async (line: string) => {
    const { code, stdout, stderr } = await type(`tokens create ${line}`);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^Created token_\w+\. Its value is shown only once:\n$/),
    ]);
    return { value: stdout.trim(), id: /token_\w+/.exec(stderr)?.[0] ?? '' };
  };

  test('create prints only the token on stdout; the token is valid until it is revoked', async () => {
    const { value, id } = await create('ci');
    expect(value).toMatch(/^\S{32,}$/);
    expect((await type('bots list', { env: { PLATFORM_TOKEN: value } })).code).toBe(0);
    const { stdout } = await type('tokens list');
    expect(stdout).toMatch(new RegExp(`^${id} +ci +personal +\\S+ +never$`, 'm'));
    expect(stdout).not.toContain(value);
    expect(await type(`tokens revoke ${id}`)).toEqual({
      code: 0,
      stdout: '',
      stderr: `Revoked ${id}.\n`,
    });
    expect((await type('bots list', { env: { PLATFORM_TOKEN: value } })).code).toBe(1);
    expect(await type(`tokens revoke ${id}`)).toMatchObject({ code: 1, stdout: '' });
  });

  test('create supports tokens of bots and integrations, and an expiry', async () => {
    const { value } = await create('worker --bot demo --expires 2999-12-31');
    const botId = /bot_\w+/.exec((await type('bots list --json')).stdout)?.[0];
    const current = await fetch(`${relayed.directUrl}/v1/admin/tokens/current`, {
      headers: { authorization: `Bearer ${value}` },
    });
    expect(await current.json()).toMatchObject({
      token: { kind: 'bot', expiresAt: '2999-12-31T00:00:00.000Z' },
    });
    expect(botId).toBeDefined();
    const { stdout } = await type('tokens create mail --bot demo --integration mail --json');
    expect(JSON.parse(stdout)).toMatchObject({
      token: { kind: 'integration', integration: 'mail' },
      value: expect.any(String),
    });
  });

  test.each([
    ['x --integration mail', '--integration needs --bot: an integration belongs to a bot.'],
    ['x --bot demo --member m', 'Pass either --member or --bot, not both.'],
    ['x --expires soon', "--expires: 'soon' is not a time. Use 2027-01-31 or 2027-01-31T12:00:00Z."],
  ])('create %s is refused before any request', async (line, message) => {
    relayed.requests.length = 0;
    expect(await type(`tokens create ${line}`)).toEqual({
      code: 2,
      stdout: '',
      stderr: `Error: ${message}\n`,
    });
    expect(relayed.requests).toEqual([]);
  });

  test('an error of the server names the field', async () => {
    const { code, stderr } = await type('tokens create x --expires 2001-01-01');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: [^\n]*expiresAt[^\n]*\n$/)]);
  });
});

describe('the token', () => {
  const without = { PLATFORM_TOKEN: '' };

  test('is read from a file, from stdin, or from an option with a warning that does not repeat it', async () => {
    const token = env.PLATFORM_TOKEN ?? '';
    const file = join(relayed.server.home, 'token');
    await writeFile(file, `${token}\n`);
    expect(await type(`bots list --token-file ${file}`, { env: without })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await type('bots list --token-file -', { env: without, input: `${token}\n` })).toMatchObject({
      code: 0,
      stderr: '',
    });
    const warned = await type(`bots list --token ${token}`, { env: without });
    expect([warned.code, warned.stderr]).toEqual([
      0,
      expect.stringMatching(/^Warning: other users[^\n]*\n$/),
    ]);
    expect(warned.stderr).not.toContain(token);
  });

  test('an option overrides the environment, and an error never shows the token', async () => {
    const { code, stderr } = await type('bots list --token wrong-token');
    expect([code, stderr.split('\n')[1]]).toEqual([
      1,
      expect.stringMatching(/^Error: .* Set PLATFORM_TOKEN and PLATFORM_WORKSPACE_ID .*\.$/),
    ]);
    expect(stderr).not.toContain('wrong-token');
  });
});

describe('a failure is one line with a remedy, and exit code 1', () => {
  test.each([
    ['snippet nothing', /^Error: Bot 'nothing' not found\. `platform-webchat bots list` lists the bots\.\n$/],
    [`bots list --workspace ws_${'0'.repeat(26)}`, /^Error: [^\n]* Set PLATFORM_TOKEN and [^\n]*\n$/],
    [
      'bots list --workspace nothing',
      /^Error: Workspace 'nothing' not found\. `platform-webchat workspaces list` lists the workspaces\.\n$/,
    ],
    [
      'bots list --url http://127.0.0.1:1',
      /^Error: No answer from http:\/\/127\.0\.0\.1:1: [^\n]*`platform-webchat serve`[^\n]*\n$/,
    ],
  ])('%s prints its error', async (line, message) => {
    const { code, stdout, stderr } = await type(line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
  });

  test('the error for a missing permission names the permission and a remedy', async () => {
    const value = (await type('tokens create robot --bot demo')).stdout.trim();
    const { code, stdout, stderr } = await type('bots create x', { env: { PLATFORM_TOKEN: value } });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^Error: [^\n]+ Use a token with this permission, or ask an administrator [^\n]+\n$/,
    );
  });

  test('the error for an address that is not the API names the address', async () => {
    const { code, stderr } = await type(`bots list --url ${relayed.directUrl}/elsewhere`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: [^\n]+\n$/)]);
  });
});

test('Ctrl-C ends a command with exit code 130 and without partial output', async () => {
  const { code, stdout, stderr } = await type('bots list', { signal: AbortSignal.abort() });
  expect([code, stdout, stderr]).toEqual([130, '', 'Stopped.\n']);
});

test('audit list filters and limits the entries', async () => {
  for (const name of ['One', 'Two', 'Three']) await type(`bots create ${name}`);
  const { code, stdout } = await type('audit list --operation createBot --limit 2');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^TIME +ACTOR +OPERATION +TARGET +ADDRESS +STATUS\n(\S+ +owner@localhost +createBot [^\n]*200\n){2}$/,
  );
  const json = JSON.parse((await type('audit list --json --limit 1')).stdout) as { entries: unknown[] };
  expect(json.entries).toHaveLength(1);
  expect(
    (await type('audit list --actor nobody')).stdout + (await type('audit list --actor nobody')).stderr,
  ).toContain('No entries match.');
  expect((await type('audit list --limit none')).code).toBe(2);
});

/** The names and texts of the entries in a ZIP archive. */
async function entriesOf(file: string): Promise<[name: string, content: string][]> {
  const zip = await openPromise(file, { autoClose: false });
  const entries: [string, string][] = [];
  for await (const entry of zip.eachEntry())
    entries.push([entry.fileName, await text(await zip.openReadStreamPromise(entry))]);
  zip.close();
  return entries;
}

test('users export --archive writes a ZIP archive to a new file, and nothing for an unknown visitor or to stdout', async () => {
  const key = relayed.server.sign('customer-8');
  await relayed.server.call('POST', '/users/get-or-create', { key, body: { name: 'Ann' } });
  const file = join(relayed.server.home, 'customer-8.zip');
  const line = `users export customer-8 --bot demo --archive --out ${file}`;
  expect((await type('users export customer-8 --bot demo --archive')).code).toBe(2);
  expect((await type(line.replace('customer-8', 'nobody'))).code).toBe(1);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  expect(await type(line)).toEqual({ code: 0, stdout: '', stderr: '' });
  const [[name, content = ''] = [], ...others] = await entriesOf(file);
  expect([name, others]).toEqual(['data.json', []]);
  expect(JSON.parse(content)).toContainEqual(
    expect.objectContaining({ user: expect.objectContaining({ name: 'Ann' }) }),
  );
  expect((await type(line)).stderr).toContain('exists already');
});

test('users export --out removes the file if a later page fails, so that the export can be repeated', async () => {
  const key = relayed.server.sign('customer-9');
  await relayed.server.call('POST', '/users/get-or-create', { key, body: { name: 'Ann' } });
  const conversationId = await relayed.server.conversation(key);
  for (let n = 0; n < 60; n += 1) await relayed.server.sendMessage(key, conversationId, `text ${n}`);
  const file = join(relayed.server.home, 'customer-9.jsonl');
  const line = `users export customer-9 --bot demo --out ${file}`;
  const { fetch } = globalThis;
  const cut = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (url, init) =>
      String(url).includes('nextToken')
        ? Response.json({ id: 'err_1', code: 403, type: 'Forbidden', message: 'No.' }, { status: 403 })
        : fetch(url, init),
    );
  const failed = await type(line);
  cut.mockRestore();
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('No.')]);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  expect((await type(line)).code).toBe(0);
  expect((await readFile(file, 'utf8')).match(/"type":"message"/g)).toHaveLength(60);
});

test('users export prints JSON lines; users delete requires --yes', async () => {
  const key = relayed.server.sign('customer-7');
  await relayed.server.call('POST', '/users/get-or-create', { key, body: { name: 'Ann' } });
  const conversationId = await relayed.server.conversation(key);
  for (let n = 0; n < 60; n += 1) await relayed.server.sendMessage(key, conversationId, `text ${n}`);
  const { code, stdout, stderr } = await type('users export customer-7 --bot demo');
  expect([code, stderr]).toEqual([0, '']);
  const items = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(items[0]).toMatchObject({ type: 'user', user: { id: 'customer-7', name: 'Ann' } });
  expect(items.filter((item) => item.type === 'message')).toHaveLength(60);
  expect((await type('users delete customer-7 --bot demo')).code).toBe(2);
  expect((await relayed.server.call('GET', '/users/me', { key })).status).toBe(200);
  expect((await type('users delete customer-7 --bot demo --yes')).code).toBe(0);
  expect((await type('users export customer-7 --bot demo')).code).toBe(1);
  expect((await type('users delete customer-7 --bot demo --yes')).code).toBe(1);
});
