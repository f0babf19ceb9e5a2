// Tests that pinned versions of the widget survive upgrades: copies, retention, damage, folders that cannot be written, and
// what the addresses answer.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../startup/log.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { compareVersions, isVersion, minorsOf, openWidgetVersions } from './versions.ts';

let home: string;
let log: { msg: string; version?: string; files?: string[] }[];
let now: number;
const servers: TestServer[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'webchat-versions-'));
  log = [];
  now = Date.now();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await rm(home, { recursive: true, force: true });
});

const day = 24 * 60 * 60 * 1_000;
const versionsFolder = () => join(home, 'data', 'webchat');

/** Replaces the built widget by that of a version, as a deployment into an empty folder does. */
async function build(version: string, content = `start('${version}')`): Promise<void> {
  await rm(join(home, 'dist'), { recursive: true, force: true });
  const folder = join(home, 'dist', 'webchat', version);
  await mkdir(join(folder, 'fonts'), { recursive: true });
  const hash = `sha384-${createHash('sha384').update(content).digest('base64')}`;
  const integrity = { integrity: { [`https://YOUR-SERVER/webchat/${version}/webchat.js`]: hash } };
  for (const root of [folder, join(home, 'dist', 'webchat')]) {
    await writeFile(join(root, 'webchat.js'), content);
    await writeFile(join(root, `chat-${version}.js`), `export const version = '${version}';`);
    await writeFile(join(root, 'integrity.json'), JSON.stringify(integrity));
  }
  await writeFile(join(folder, 'fonts', 'inter.woff2'), 'font');
  await writeFile(join(home, 'dist', 'webchat', 'version.txt'), `${version}\n`);
}

const open = (months = 12) =>
  openWidgetVersions({
    built: join(home, 'dist', 'webchat'),
    folder: versionsFolder(),
    months,
    logger: createLogger('info', { write: (line) => log.push(JSON.parse(line)) }),
    now: () => now,
  });

/** Builds a version, and opens the versions as its server does. */
async function deploy(version: string, content?: string) {
  await build(version, content);
  return open();
}

async function serve(publicUrl?: string): Promise<TestServer> {
  const server = await startTestServer({
    dist: join(home, 'dist'),
    DATA_DIR: join(home, 'data'),
    PUBLIC_URL: publicUrl,
  });
  servers.push(server);
  return server;
}

describe('version numbers', () => {
  test('have three numbers and may have a suffix', () => {
    for (const name of ['0.3.0', '10.20.30', '1.0.0-beta.1'])
      expect([name, isVersion(name)]).toEqual([name, true]);
    const others = [
      '1.0',
      'v1.0.0',
      'latest',
      '..',
      '1.0.0-..',
      '1.0.0-a/b',
      '1.0.0/..',
      `1.0.${'9'.repeat(50)}`,
      '',
    ];
    for (const name of others) expect([name, isVersion(name)]).toEqual([name, false]);
  });

  test('are sorted by number, a suffix before the release', () => {
    const sorted = ['0.2.0', '0.9.0', '0.10.0-beta.2', '0.10.0-beta.10', '0.10.0', '1.0.0'];
    expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
  });

  test('the last three minors are those with the highest numbers', () => {
    const all = ['0.9.0', '0.9.1', '0.10.0', '0.11.0', '0.11.7', '0.2.0'];
    const last = ['0.9.0', '0.9.1', '0.10.0', '0.11.0', '0.11.7'];
    expect([...minorsOf(all, 3)].sort(compareVersions)).toEqual(last);
  });
});

describe('an upgrade', () => {
  test('keeps the files of the earlier version, byte for byte', async () => {
    await build('0.2.0');
    expect((await open()).current).toBe('0.2.0');
    const versions = await deploy('0.3.0');
    expect([versions.current, versions.all]).toEqual(['0.3.0', ['0.3.0', '0.2.0']]);
    const old = versions.find('0.2.0', 'webchat.js');
    expect(await readFile(join(old?.root ?? '', old?.path ?? ''), 'utf8')).toBe("start('0.2.0')");
    expect(versions.find('0.2.0', 'fonts/inter.woff2')).toBeDefined();
    expect(log).toEqual([]);
  });

  test('after an upgrade and a downgrade, the server’s own version is the one that was built', async () => {
    await deploy('0.3.0');
    const versions = await deploy('0.2.0');
    expect([versions.current, versions.all]).toEqual(['0.2.0', ['0.3.0', '0.2.0']]);
  });

  test('to the same version with other files keeps the copy, serves it to pages that pin it, and logs it', async () => {
    await deploy('0.2.0', 'old');
    const versions = await deploy('0.2.0', 'new');
    const pinned = versions.find('0.2.0', 'webchat.js');
    expect(await readFile(join(pinned?.root ?? '', pinned?.path ?? ''), 'utf8')).toBe('old');
    expect(versions.current).toBe('0.2.0');
    expect(log).toMatchObject([
      { version: '0.2.0', msg: expect.stringMatching(/^pages that pin this version get its earlier files/) },
    ]);
  });

  test('to the same version with other files keeps a damaged copy, whose sound files are served', async () => {
    await deploy('0.2.0', 'old');
    await writeFile(join(versionsFolder(), '0.2.0', 'webchat.js'), 'evil');
    const versions = await deploy('0.2.0', 'new');
    expect(versions.find('0.2.0', 'webchat.js')).toBeUndefined();
    expect(versions.find('0.2.0', 'chat-0.2.0.js')?.root).toBe(join(versionsFolder(), '0.2.0'));
  });

  test('removes versions that are neither of the last year nor of the last three minors', async () => {
    for (const version of ['0.1.0', '0.1.1', '0.2.0']) await deploy(version);
    now += 200 * day;
    for (const version of ['0.3.0', '0.4.0']) await deploy(version);
    // 0.1.x and 0.2.0 were in use 200 days ago.
    expect((await open()).all).toEqual(['0.4.0', '0.3.0', '0.2.0', '0.1.1', '0.1.0']);
    now += 200 * day;
    await build('0.5.0');
    // 0.2.0 is too old, too: the last minors are 0.3, 0.4 and 0.5.
    expect((await open()).all).toEqual(['0.5.0', '0.4.0', '0.3.0']);
    expect(log.map(({ version }) => version).sort()).toEqual(['0.1.0', '0.1.1', '0.2.0']);
    now += 4_000 * day;
    expect((await open(0)).all).toEqual(['0.5.0', '0.4.0', '0.3.0']);
  });

  test('counts the time since a version was last the server’s own', async () => {
    for (const version of ['0.1.0', '0.2.0', '0.3.0']) await deploy(version);
    now += 300 * day;
    await deploy('0.1.0');
    now += 300 * day;
    await build('0.4.0');
    expect((await open()).all).toContain('0.1.0');
  });
});

describe('a copy that is damaged', () => {
  const damage = async (change: (folder: string) => Promise<unknown>) => {
    await deploy('0.2.0');
    await change(join(versionsFolder(), '0.2.0'));
  };

  test.each<[string, (folder: string) => Promise<unknown>]>([
    ['a changed file', (folder) => writeFile(join(folder, 'webchat.js'), 'evil')],
    ['an empty file', (folder) => writeFile(join(folder, 'webchat.js'), '')],
    ['a missing file', (folder) => rm(join(folder, 'webchat.js'))],
    [
      'a link instead of the file',
      async (folder) => {
        await rm(join(folder, 'webchat.js'));
        await symlink('/etc/passwd', join(folder, 'webchat.js'));
      },
    ],
    ['a list that is not JSON', (folder) => writeFile(join(folder, 'files.json'), '{')],
    ['no list', (folder) => rm(join(folder, 'files.json'))],
    ['nothing in it', (folder) => rm(folder, { recursive: true }).then(() => mkdir(folder))],
  ])('of another version: %s is not served and is logged', async (_, change) => {
    await damage(change);
    const versions = await deploy('0.3.0');
    expect(versions.find('0.2.0', 'webchat.js')).toBeUndefined();
    expect(versions.find('0.3.0', 'webchat.js')).toBeDefined();
    const entry = { msg: 'a version of the widget is damaged', version: '0.2.0' };
    expect(log).toContainEqual(expect.objectContaining(entry));
  });

  test('a damaged copy of the own version is repaired', async () => {
    await damage((folder) => writeFile(join(folder, 'webchat.js'), 'evil'));
    await open();
    expect(await readFile(join(versionsFolder(), '0.2.0', 'webchat.js'), 'utf8')).toBe("start('0.2.0')");
  });

  test('keeps its other files, and does not serve files that were added', async () => {
    await damage(async (folder) => {
      await writeFile(join(folder, 'webchat.js'), 'evil');
      await writeFile(join(folder, 'added.js'), 'evil');
    });
    const versions = await deploy('0.3.0');
    expect(versions.find('0.2.0', 'chat-0.2.0.js')).toBeDefined();
    expect(versions.find('0.2.0', 'added.js')).toBeUndefined();
    expect(versions.find('0.2.0', 'files.json')).toBeUndefined();
  });
});

describe('the folder of the copies', () => {
  test('that cannot be written is logged, and the built version is served', async () => {
    await build('0.2.0');
    await mkdir(join(home, 'data'));
    await writeFile(versionsFolder(), 'a file, not a folder');
    const versions = await open();
    expect(versions.all).toEqual(['0.2.0']);
    expect(versions.find('0.2.0', 'webchat.js')).toBeDefined();
    expect(log).toMatchObject([{ msg: 'versions of the widget cannot be kept in the data folder' }]);
  });

  test('is complete after several servers have started at once', async () => {
    await build('0.2.0');
    for (let round = 0; round < 10; round += 1) {
      await rm(versionsFolder(), { recursive: true, force: true });
      const all = await Promise.all(Array.from({ length: 16 }, () => open()));
      for (const versions of all) expect(versions.find('0.2.0', 'webchat.js')).toBeDefined();
      expect(log).toEqual([]);
    }
    await build('0.3.0');
    expect((await open()).find('0.2.0', 'chat-0.2.0.js')).toBeDefined();
    expect((await readdir(versionsFolder())).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('loses the unfinished copy of a killed server, but not that of a running one', async () => {
    await build('0.2.0');
    await mkdir(join(versionsFolder(), '.0.2.0-old'), { recursive: true });
    await mkdir(join(versionsFolder(), '.0.2.0-new'));
    const old = (now - 2 * day) / 1_000;
    await utimes(join(versionsFolder(), '.0.2.0-old'), old, old);
    await open();
    expect((await readdir(versionsFolder())).sort()).toEqual(['.0.2.0-new', '0.2.0']);
  });

  test('may contain other names, which are not versions', async () => {
    await mkdir(join(versionsFolder(), 'latest'), { recursive: true });
    await mkdir(join(versionsFolder(), '1.0'));
    await symlink('/etc', join(versionsFolder(), '9.9.9'));
    await build('0.2.0');
    expect((await open()).all).toEqual(['0.2.0']);
  });

  test('is not needed without a built widget', async () => {
    const versions = await open();
    expect([versions.current, versions.all]).toEqual([undefined, []]);
  });
});

describe('the addresses', () => {
  test('a file of any version is immutable and can be loaded by every page', async () => {
    await deploy('0.2.0');
    await build('0.3.0');
    const server = await serve();
    const own = ['webchat.js', 'chat-0.2.0.js', 'fonts/inter.woff2'].map((name) => `0.2.0/${name}`);
    for (const path of [...own, '0.3.0/webchat.js']) {
      const response = await server.fetch(`/webchat/${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
    }
    const head = await server.fetch('/webchat/0.2.0/webchat.js', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await server.fetch('/webchat/0.2.0/webchat.js', { method: 'POST' })).status).toBe(405);
  });

  test('integrity.json has the hash of each file under the address of this server', async () => {
    await build('0.3.0');
    const server = await serve();
    const response = await server.fetch('https://chat.example.com/webchat/0.3.0/integrity.json');
    const { integrity } = (await response.json()) as { integrity: Record<string, string> };
    const hash = createHash('sha384').update("start('0.3.0')").digest('base64');
    expect(integrity).toEqual({ 'https://chat.example.com/webchat/0.3.0/webchat.js': `sha384-${hash}` });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('integrity.json is cached only if its address comes from PUBLIC_URL, because a header of any client can change another one', async () => {
    await build('0.3.0');
    const ask = (server: TestServer, headers: Record<string, string> = {}) =>
      server.fetch('/webchat/0.3.0/integrity.json', { headers });
    const open = await serve();
    const forged = await ask(open, { 'x-forwarded-host': 'evil.example' });
    expect(await forged.text()).toContain('http://evil.example/webchat/0.3.0/webchat.js');
    expect(forged.headers.get('cache-control')).toBe('no-cache');
    // A cache that asks again gets the address of the new request.
    const etag = forged.headers.get('etag') ?? '';
    const asked = await ask(open, { 'if-none-match': etag });
    expect([asked.status, await asked.text()]).toEqual([200, expect.not.stringContaining('evil')]);
    const again = await ask(open, { 'if-none-match': asked.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);

    const fixed = await ask(await serve('https://chat.example.com'), { 'x-forwarded-host': 'evil.example' });
    expect(await fixed.text()).toContain('https://chat.example.com/webchat/0.3.0/webchat.js');
    expect(fixed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('/webchat/latest/ redirects to the own version and is not cached', async () => {
    await build('0.3.0');
    const server = await serve();
    const strange = ['%E4%BD%A0.js', '%C3%A9', '%00', '%01', 'a%20b', 'a%2Fb', '%ff'];
    for (const path of ['webchat.js', 'fonts/inter.woff2', 'chat.js?retry=1', '', ...strange]) {
      const response = await server.fetch(`/webchat/latest/${path}`);
      // The characters that a header field can have.
      expect(response.headers.get('location')).toMatch(/^[!-~]+$/);
      const from = `https://a.example/sub/webchat/latest/${path}`;
      const { href } = new URL(response.headers.get('location') ?? '', from);
      expect([response.status, href]).toEqual([302, `https://a.example/sub/webchat/0.3.0/${path}`]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        ...{ 'cache-control': 'no-store', 'access-control-allow-origin': '*' },
        'cross-origin-resource-policy': 'cross-origin',
      });
    }
  });

  test('an unknown version is answered with the versions that there are, readable by every page', async () => {
    await deploy('0.2.0');
    await build('0.3.0');
    const server = await serve();
    const response = await server.fetch('/webchat/9.9.9/webchat.js');
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([404, '*']);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({
      code: 404,
      type: 'ResourceNotFound',
      message: 'There is no version 9.9.9 of the widget. Available: 0.3.0, 0.2.0.',
      metadata: { versions: ['0.3.0', '0.2.0'] },
    });
  });

  test.each(
    `0.3.0/../../platform.db 0.3.0/%2e%2e/%2e%2e/platform.db 0.3.0/..%2f..%2fplatform.db
     0.3.0/..%5c..%5cplatform.db 0.3.0/%2e%2e%2fversion.txt 0.3.0//etc/passwd 0.3.0/fonts 0.3.0/ 0.3.0
     0.3.0/none.js 0.3.0/%00 0.3.0/%zz 0.3.0-../webchat.js latest/../../platform.db latest`.split(/\s+/),
  )('%s is a 404 or leads to one', async (path) => {
    await build('0.3.0');
    const server = await serve();
    await writeFile(join(versionsFolder(), '..', 'platform.db'), 'secret');
    let response = await server.composition.app.request(`http://a.example/webchat/${path}`);
    if (response.status === 302)
      response = await server.fetch(
        new URL(response.headers.get('location') ?? '', 'http://a.example/webchat/latest/x').pathname,
      );
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret');
  });

  test('without a built widget every address returns 404 with the reason', async () => {
    const server = await serve();
    for (const path of ['0.3.0/webchat.js', 'latest/webchat.js']) {
      const response = await server.fetch(`/webchat/${path}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('run `npm run build`');
    }
  });
});
