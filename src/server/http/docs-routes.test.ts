// Tests of the documentation site below /docs/: its two forms, its headers, and addresses without a page.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing.ts';

/** The Accept header of a browser that opens a page. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const markdown = 'text/markdown, text/plain;q=0.5';

let dist: string;
let server: TestServer;
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'webchat-docs-site-'));
  const files = {
    'index.html': '<h1>Start</h1>',
    'README.md': '# Start',
    'README.html': '<h1>Overview</h1>',
    'guides/bots.html': '<h1>Bots</h1>',
    'guides/bots.md': '# Bots',
    'decisions/README.html': '<h1>Decisions</h1>',
    'decisions/README.md': '# Decisions',
    'assets/site-abc.js': 'start()',
    'reference/alerts.yml': 'groups: []',
    '404.html': '<link href="%ROOT%/assets/site.css"><h1>No page</h1>',
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(dist, 'docs', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  server = await startTestServer({ dist });
});
afterAll(async () => {
  await server.close();
  await rm(dist, { recursive: true });
});

async function get(path: string, accept?: string, init: RequestInit = {}) {
  const { status, headers, ...response } = await server
    .fetch(path, {
      ...init,
      headers: { ...(accept && { accept }), ...(init.headers as Record<string, string>) },
    })
    .then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
  return { status, type: headers.get('content-type'), vary: headers.get('vary'), headers, ...response };
}

test.each([
  ['/docs/', '<h1>Start</h1>', '# Start'],
  ['/docs/index.html', '<h1>Start</h1>', '# Start'],
  ['/docs/guides/bots', '<h1>Bots</h1>', '# Bots'],
  ['/docs/guides/bots.html', '<h1>Bots</h1>', '# Bots'],
  ['/docs/decisions/', '<h1>Decisions</h1>', '# Decisions'],
])(
  '%s is HTML for browsers and without a preference, and Markdown for those who ask for it',
  async (path, page, text) => {
    for (const accept of [browser, '*/*', undefined])
      expect(await get(path, accept)).toMatchObject({
        status: 200,
        type: 'text/html; charset=utf-8',
        vary: 'Accept, Accept-Encoding',
        text: page,
      });
    for (const accept of [markdown, 'text/markdown', 'text/html;q=0.5, text/markdown'])
      expect(await get(path, accept)).toMatchObject({
        status: 200,
        type: 'text/markdown; charset=utf-8',
        vary: 'Accept, Accept-Encoding',
        text,
      });
  },
);

test('an address that ends with .md is Markdown for everybody', async () => {
  for (const accept of [browser, markdown, undefined])
    expect(await get('/docs/guides/bots.md', accept)).toMatchObject({
      status: 200,
      type: 'text/markdown; charset=utf-8',
      text: '# Bots',
    });
});

test('pages are checked by their validator, and scripts, whose names contain a hash, are kept for a year', async () => {
  const page = await get('/docs/guides/bots.html', browser);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const again = await get('/docs/guides/bots.html', browser, {
    headers: { 'if-none-match': page.headers.get('etag') ?? '' },
  });
  expect([again.status, again.text]).toEqual([304, '']);
  const script = await get('/docs/assets/site-abc.js');
  expect([script.status, script.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect(await get('/docs/reference/alerts.yml')).toMatchObject({ status: 200, text: 'groups: []' });
});

test('the policy allows only own scripts and styles, requires Trusted Types, and lets no other site frame a page', async () => {
  for (const path of ['/docs/', '/docs/none']) {
    const policy = (await get(path, browser)).headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("frame-ancestors 'self'; require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
  }
});

test('an address without a page: a page with relative links for browsers, the usual error for programs', async () => {
  const cases = [
    ['/docs/none', './assets/'],
    ['/docs/guides/none', '../assets/'],
    ['/docs/a/b/none.html', '../../assets/'],
    ['/docs/guides/none/', '../../assets/'],
    ['/docs/404.html', './assets/'],
  ];
  for (const [path = '', link] of cases) {
    const { status, type, text } = await get(path, browser);
    expect([path, status, type]).toEqual([path, 404, 'text/html; charset=utf-8']);
    expect(text).toBe(`<link href="${link}site.css"><h1>No page</h1>`);
  }
  expect(await get('/docs/none', markdown)).toMatchObject({ status: 404, type: 'application/json' });
  expect((await get('/docs/none', browser, { method: 'HEAD' })).text).toBe('');
  // Nothing outside of the folder, and no hidden file.
  for (const path of ['/docs/..%2fsecret.txt', '/docs/.hidden', '/docs/%00'])
    expect((await get(path, browser)).status).toBe(404);
});

test('/docs leads to /docs/, and other methods are refused', async () => {
  const { status, headers } = await server.fetch('/docs', { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, 'docs/']);
  const post = await get('/docs/', browser, { method: 'POST', body: '{}' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a site that is not built: the error says so', async () => {
  const other = await startTestServer({ dist: join(dist, 'none') });
  const response = await other.fetch('/docs/');
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    type: 'ResourceNotFound',
    message: 'The documentation is not built; run `npm run build`.',
  });
  await other.close();
});
