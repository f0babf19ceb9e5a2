// Commands against the real server over HTTP: what they print, and what they say when it refuses or is not there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWiredServer, type WiredServer } from '../client/testing.ts';
import { type Ran, run, type Terminal } from './testing.ts';

let wired: WiredServer;
let env: Record<string, string>;
beforeAll(async () => {
  wired = await startWiredServer();
  const { token = '', workspaceId } = wired.server.admin;
  env = { PLATFORM_API_URL: wired.directUrl, PLATFORM_TOKEN: token, PLATFORM_WORKSPACE_ID: workspaceId };
});
afterAll(() => wired.close());

const type = (line: string, terminal: Terminal = {}): Promise<Ran> =>
  run(line.split(' '), { ...terminal, env: { ...env, ...terminal.env } });

test('bots list: a table for people, JSON for programs', async () => {
  const { code, stdout, stderr } = await type('bots list');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^ID +NAME +CREATED +DEPLOYED\nbot_\w+ +demo +\d{4}-[^\n]*\n$/);
  const json = JSON.parse((await type('bots list --json')).stdout) as { bots: { name: string }[] };
  expect(json.bots.map(({ name }) => name)).toContain('demo');
  const onScreen = async (env = {}) => (await type('bots list', { isTTY: true, env })).stdout.slice(0, 6);
  expect(await onScreen()).toBe('\u001b[1mID');
  expect(await onScreen({ NO_COLOR: '1' })).toBe(stdout.slice(0, 6));
});

test('snippet: by name and by id, the same HTML', async () => {
  const { bots } = JSON.parse((await type('bots list --json')).stdout) as { bots: { id: string }[] };
  const byName = await type('snippet demo');
  expect(byName).toEqual({
    code: 0,
    stderr: '',
    stdout: `<script src="${wired.directUrl}/chat/demo/webchat.js" async></script>\n`,
  });
  expect(await type(`snippet ${bots[0]?.id}`)).toEqual(byName);
});

describe('the token', () => {
  const without = { PLATFORM_TOKEN: '' };

  test('by file, by stdin, by option with a warning that does not repeat it', async () => {
    const token = env.PLATFORM_TOKEN ?? '';
    const file = join(wired.server.home, 'token');
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
    expect([warned.code, warned.stderr]).toEqual([0, expect.stringMatching(/^Warning: others[^\n]*\n$/)]);
    expect(warned.stderr).not.toContain(token);
  });

  test('an option counts before the environment, and an error never shows it', async () => {
    const { code, stderr } = await type('bots list --token wrong-token');
    expect([code, stderr.split('\n')[1]]).toEqual([
      1,
      expect.stringMatching(/^Error: .* Set PLATFORM_TOKEN and PLATFORM_WORKSPACE_ID .*\.$/),
    ]);
    expect(stderr).not.toContain('wrong-token');
  });
});

describe('a failure is one line with the cure, and exit code 1', () => {
  test.each([
    [
      'snippet nothing',
      /^Error: There is no bot 'nothing'\. `platform-webchat bots list` shows those that there are\.\n$/,
    ],
    ['bots list --workspace ws_nothing', /^Error: [^\n]* Set PLATFORM_TOKEN and [^\n]*\n$/],
    [
      'bots list --url http://127.0.0.1:1',
      /^Error: No answer from http:\/\/127\.0\.0\.1:1: [^\n]*`platform-webchat serve`[^\n]*\n$/,
    ],
  ])('%s', async (line, said) => {
    const { code, stdout, stderr } = await type(line);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(said);
  });

  test('a server that is none of ours', async () => {
    const { code, stderr } = await type(`bots list --url ${wired.directUrl}/elsewhere`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: [^\n]+\n$/)]);
  });
});

test('Ctrl-C: stopped, 130, and nothing half is printed', async () => {
  const { code, stdout, stderr } = await type('bots list', { signal: AbortSignal.abort() });
  expect([code, stdout, stderr]).toEqual([130, '', 'Stopped.\n']);
});
