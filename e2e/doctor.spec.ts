// platform.doctor() on a page or against a server with each fault it knows: the word, the culprit, the cure. And on a
// healthy page: nothing found, nothing made, nothing stored.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Page } from '@playwright/test';
import { signUserKey } from '../src/client/index.ts';
import type { Diagnosis, Platform } from '../src/protocol/platform.ts';
import { type FindingCode, findings as table } from '../src/widget/diagnostics/findings.ts';
import { type Fault, readable, startFaulty } from './faulty.ts';
import { test as base, expect, pageHtml, strictCsp } from './fixtures.ts';
import { startPlatform } from './server.ts';
import { startSite } from './site.ts';

interface Ward {
  /** A page without a policy, with this in its body; the doctor's word on it. */
  examine(body: string, options?: { path?: string; head?: string; csp?: string }): Promise<Diagnosis>;
  /** Asks once more, on the page as it is. */
  ask(): Promise<Diagnosis>;
  /** Puts a proxy with this fault before the platform. */
  proxy(fault: Fault): Promise<{ url: string; chatUrl: string }>;
  /** The script that the server made. */
  served: string;
  /** The static script with these attributes. */
  script(attributes?: string, url?: string): string;
}

const ask = (page: Page) => page.evaluate(() => (window.platform as Platform).doctor());

const test = base.extend<{ ward: Ward }>({
  ward: async ({ page, platform, site }, use) => {
    const open: { close(): Promise<void> }[] = [];
    await use({
      served: `<script src="${platform.chatUrl}/webchat.js"></script>`,
      script: (attributes = '', url = platform.url) =>
        `<script src="${url}/webchat/webchat.js" ${attributes}></script>`,
      ask: () => ask(page),
      async examine(body, { path = '/ward', head = '', csp } = {}) {
        const headers: Record<string, string> = csp ? { 'content-security-policy': csp } : {};
        await page.goto(site.page(path, pageHtml(body, { head }), headers));
        return ask(page);
      },
      async proxy(fault) {
        const faulty = await startFaulty(platform.url, fault);
        open.push(faulty);
        return faulty;
      },
    });
    await page.goto('about:blank');
    for (const each of open) await each.close();
  },
});

/** The one finding of this code, which names the culprit, with the cure of the table; it decides `ok`. */
function expectFinding({ ok, findings }: Diagnosis, code: FindingCode, culprit: string | RegExp) {
  const [severity, , cure] = table[code];
  expect(findings).toContainEqual(expect.objectContaining({ code, severity, cure }));
  const found = findings.find((finding) => finding.code === code);
  expect(found?.message).toMatch(culprit);
  if (severity === 'error') expect(ok).toBe(false);
  return found;
}

/** No other finding: a fault is not taken for another one. */
function expectOnly(diagnosis: Diagnosis, code: FindingCode, culprit: string | RegExp) {
  const found = expectFinding(diagnosis, code, culprit);
  expect(diagnosis.findings.map((finding) => finding.code)).toEqual([code]);
  return found;
}

const nothing = { ok: true, findings: [] };
const literal = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));

test.describe('a healthy page', () => {
  test('has no findings, before and in a conversation; nothing is made and nothing stored', async ({
    chat,
    page,
    platform,
    serve,
  }) => {
    const printed: string[] = [];
    page.on('console', (message) => printed.push(`${message.type()} ${message.text()}`));
    const counts = () => {
      const db = new DatabaseSync(join(platform.folder, 'platform.db'), { readOnly: true });
      const tables = ['users', 'conversations', 'messages', 'events', 'requests', 'files'];
      const rows = tables.map((name) => db.prepare(`SELECT count(*) AS n FROM ${name}`).get());
      db.close();
      return rows;
    };
    const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

    const html = pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js"></script>`);
    const csp = strictCsp(platform.url, { media: true });
    await chat.goto(serve('/healthy', html, { 'content-security-policy': csp }));
    const before = [counts(), await kept()];
    expect(await ask(page)).toMatchObject(nothing);
    expect([counts(), await kept()]).toEqual(before);
    expect(await kept()).toBe('[{},{}]');
    expect(printed.filter((line) => line.includes('[platform] doctor'))).toEqual([
      'startGroup [platform] doctor: nothing found',
    ]);

    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await chat.exchange('I feel fine');
    const during = [counts(), await kept()];
    const diagnosis = await ask(page);
    expect(diagnosis).toMatchObject(nothing);
    // It has heard the stream, too.
    expect(diagnosis.environment).toMatchObject({ state: 'open', skipped: {} });
    expect([counts(), await kept()]).toEqual(during);
    const { userKey = 'none' } = await chat.stored();
    expect(JSON.stringify(diagnosis)).not.toContain(userKey);
    await chat.exchange('And still do');
    await chat.say('markdown');
    await expect(chat.botRows.last().getByRole('table')).toBeVisible();
  });

  test('has none where the chat fills an element, nor where the window covers a phone', async ({
    page,
    ward,
  }) => {
    const body = `<div id="place" style="height:500px"></div>${ward.served.replace('<script', '<script data-target="#place"')}`;
    await ward.examine(body);
    await expect(page.locator('.row[data-side="bot"]')).toHaveCount(1);
    expect(await ward.ask()).toMatchObject(nothing);
    await page.evaluate(() => localStorage.clear());
    await page.setViewportSize({ width: 390, height: 700 });
    await ward.examine(ward.served);
    await page.locator('.launcher').click();
    await expect(page.locator('.row[data-side="bot"]')).toHaveCount(1);
    expect(await ward.ask()).toMatchObject(nothing);
  });

  test('can be asked before the chat starts, and after it has gone', async ({ page, ward }) => {
    await ward.examine(ward.served);
    const after = await page.evaluate(async () => {
      const platform = window.platform as Platform;
      platform.destroy();
      return platform.doctor();
    });
    expectOnly(after, 'not_initialized', /destroyed/);
  });

  test('a key that the server takes, of a user who is not there yet, makes no user', async ({
    page,
    ward,
  }) => {
    const secret = '8f14e45fceea167a5a36dedd4bea2543';
    const personal = await startPlatform({ USER_KEYS: 'personal', USER_KEY_SECRET: secret });
    try {
      const userKey = await signUserKey({ id: 'not-yet', secret, expiresInSeconds: 600 });
      await ward.examine(ward.script(`data-chat-url="${personal.chatUrl}" data-manual`));
      await page.evaluate((key) => (window.platform as Platform).init({ user: { userKey: key } }), userKey);
      expect(await ward.ask()).toMatchObject(nothing);
      const me = await fetch(`${personal.chatUrl}/users/me`, { headers: { 'x-user-key': userKey } });
      expect(me.status).toBe(401);
    } finally {
      await personal.dispose();
    }
  });
});

test.describe('how it was put on the page', () => {
  test('chat_url_missing', async ({ ward }) => {
    expectOnly(await ward.examine(ward.script()), 'chat_url_missing', /script tag nor init/);
  });

  test('chat_url_wrong, on the tag and by init()', async ({ page, ward }) => {
    expectOnly(
      await ward.examine(ward.script('data-chat-url="ftp://a/b"')),
      'chat_url_wrong',
      /'ftp:\/\/a\/b'/,
    );
    await page.evaluate(() => {
      try {
        (window.platform as Platform).init({ chatUrl: 'https://' });
      } catch {
        // The page is told, too.
      }
    });
    expectOnly(await ward.ask(), 'chat_url_wrong', /'https:\/\/'/);
  });

  test('not_initialized', async ({ platform, ward }) => {
    const body = ward.script(`data-chat-url="${platform.chatUrl}" data-manual`);
    expectOnly(await ward.examine(body), 'not_initialized', /init\(\) was not called.*data-manual/);
  });

  test('target_missing', async ({ platform, ward }) => {
    const body = ward.script(`data-chat-url="${platform.chatUrl}" data-target="#nowhere"`);
    expectOnly(await ward.examine(body), 'target_missing', /'#nowhere'/);
  });

  test('script_twice', async ({ platform, ward }) => {
    const body = ward.served + ward.script(`data-chat-url="${platform.chatUrl}"`);
    const found = expectOnly(
      await ward.examine(body),
      'script_twice',
      literal(`${platform.chatUrl}/webchat.js`),
    );
    expect(found?.message).toMatch(literal(`${platform.url}/webchat/webchat.js`));
  });

  test('script_module: one that counts is there as well', async ({ platform, ward }) => {
    const body = `${ward.served}<script type="module" src="${platform.url}/webchat/webchat.js"></script>`;
    expectOnly(await ward.examine(body), 'script_module', literal(`${platform.url}/webchat/webchat.js`));
  });

  test('a module alone does nothing: there is nobody to ask, and the console says why', async ({
    page,
    platform,
    site,
  }) => {
    const said = page.waitForEvent('console', (message) =>
      message.text().includes('must be a classic script'),
    );
    const body = `<script type="module" src="${platform.url}/webchat/webchat.js"></script>`;
    await page.goto(site.page('/module', pageHtml(body), {}));
    expect((await said).type()).toBe('error');
    expect(await page.evaluate(() => window.platform)).toBeUndefined();
  });

  test('script_outdated: the server has a newer one than the page', async ({ ward }) => {
    let asked = 0;
    const proxy = await ward.proxy(({ url }, answer) => {
      if (!url?.endsWith('/webchat.js') || !asked++) return;
      answer.writeHead(200, { ...readable, 'content-type': 'text/javascript' }).end('"a newer one"');
      return true;
    });
    const body = `<script src="${proxy.chatUrl}/webchat.js"></script>`;
    expectOnly(await ward.examine(body), 'script_outdated', literal(`${proxy.chatUrl}/webchat.js`));
  });

  test('configuration_wrong: of the page, of the tag, of a later call, and a name that is none', async ({
    page,
    platform,
    ward,
  }) => {
    await ward.examine(ward.script(`data-chat-url="${platform.chatUrl}" data-manual data-radius="round"`));
    await page.evaluate(() => {
      const platform = window.platform as Platform;
      platform.init({ configuration: { color: 'red', colour: '#fff' } as never });
      platform.config({ configuration: { botName: 7 } as never });
    });
    const { ok, findings } = await ward.ask();
    expect(ok).toBe(true);
    expect(findings.map(({ code, message }) => `${code} ${message}`).sort()).toEqual([
      "configuration_wrong Configuration: 'botName' must be a string.",
      "configuration_wrong Configuration: 'color' must be a HEX colour.",
      "configuration_wrong Configuration: 'radius' must be a number. (data-radius)",
      "configuration_wrong Configuration: no field 'colour'.",
    ]);
    expect(findings[0]?.cure).toContain('docs/configuration.md');
  });
});

test.describe('what the visitor sees', () => {
  test('host_removed', async ({ page, ward }) => {
    await ward.examine(ward.served);
    await page.evaluate(() => document.querySelector('platform-webchat')?.remove());
    expectOnly(await ward.ask(), 'host_removed', /<platform-webchat>/);
  });

  test('launcher_hidden: by which property, on which element', async ({ ward }) => {
    const rules = { display: 'none', visibility: 'hidden', opacity: '0' };
    for (const [property, value] of Object.entries(rules)) {
      const head = `<style>platform-webchat::part(launcher) { ${property}: ${value} }</style>`;
      const culprit = new RegExp(`${property} is ${value} on <button .*part="launcher"`);
      expectOnly(await ward.examine(ward.served, { head }), 'launcher_hidden', culprit);
    }
  });

  test('launcher_outside', async ({ ward }) => {
    const head = '<style>platform-webchat::part(launcher) { bottom: -900px }</style>';
    expectOnly(
      await ward.examine(ward.served, { head }),
      'launcher_outside',
      /launcher lies at \d+, \d+, the page is/,
    );
  });

  test('launcher_covered, by an element in the top layer', async ({ page, ward }) => {
    await ward.examine(`${ward.served}<dialog id="cookies" style="position:fixed;inset:0;margin:0;max-width:none;
      max-height:none;width:100%;height:100%"></dialog>`);
    await page.evaluate(() => (document.querySelector('#cookies') as HTMLDialogElement).showModal());
    expectOnly(await ward.ask(), 'launcher_covered', /<dialog id="cookies">/);
  });

  test('launcher_off, unless the page has something that opens it', async ({ page, ward }) => {
    const body = ward.served.replace('<script', '<script data-launcher="false"');
    const diagnosis = await ward.examine(body);
    expectOnly(diagnosis, 'launcher_off', /data-platform-open/);
    expect(diagnosis.ok).toBe(true);
    await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-platform-open', ''));
    expect(await ward.ask()).toMatchObject(nothing);
  });
});

test.describe('the browser', () => {
  test('browser_too_old', async ({ page, ward }) => {
    await page.addInitScript('delete HTMLElement.prototype.inert');
    const found = expectOnly(await ward.examine(ward.served), 'browser_too_old', /It lacks: inert\./);
    expect(found?.detail).toContain('Chrome/');
  });

  test('storage_blocked', async ({ page, ward }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    });
    expectOnly(await ward.examine(ward.served), 'storage_blocked', /localStorage is refused/);
  });

  test('storage_full, in the storage that the configuration names', async ({ page, ward }) => {
    const body = ward.served.replace('<script', '<script data-storage-location="sessionStorage"');
    expect(await ward.examine(body)).toMatchObject(nothing);
    const length = await page.evaluate(() => {
      for (let size = 1 << 22; size; size >>= 1) {
        try {
          for (;;) sessionStorage.setItem(`f${sessionStorage.length}`, 'x'.repeat(size));
        } catch {
          // Full for this size.
        }
      }
      return sessionStorage.length;
    });
    expectOnly(await ward.ask(), 'storage_full', /sessionStorage is full/);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(length);
  });

  test('storage_corrupt: no JSON, and JSON that is no record; it stays as it is', async ({
    page,
    platform,
    ward,
  }) => {
    const key = `platform-webchat:${platform.chatUrl}`;
    await ward.examine(ward.served);
    for (const text of ['{not JSON', '"a text"', '[1]', 'null']) {
      await page.evaluate(([name = '', value = '']) => localStorage.setItem(name, value), [key, text]);
      expectOnly(await ward.ask(), 'storage_corrupt', literal(key));
      expect(await page.evaluate((name) => localStorage.getItem(name), key)).toBe(text);
    }
  });

  test('storage_partitioned, in a frame of another site', async ({ page, site, ward }) => {
    const inner = site.page('/inner', pageHtml(ward.served), {}).replace('127.0.0.1', 'localhost');
    await page.goto(
      site.page('/outer', `<!doctype html><iframe src="${inner}" width="900" height="700">`, {}),
    );
    const frame = page.frameLocator('iframe');
    await expect(frame.locator('.launcher')).toBeVisible();
    const diagnosis = await frame.locator('body').evaluate(() => (window.platform as Platform).doctor());
    expectOnly(diagnosis, 'storage_partitioned', /localhost/);
  });

  test('clock_wrong', async ({ page, ward }) => {
    await page.clock.install();
    await page.clock.setSystemTime(Date.now() - 3 * 3_600_000);
    const running = ward.examine(ward.served);
    expectOnly(await running, 'clock_wrong', /180 minutes behind/);
  });

  test('offline', async ({ context, ward }) => {
    expect(await ward.examine(ward.served)).toMatchObject(nothing);
    await context.setOffline(true);
    expectFinding(await ward.ask(), 'offline', /the browser is offline/);
  });
});

test.describe('the policy of the page', () => {
  const csp = (more: Record<string, string>) =>
    Object.entries({ 'default-src': "'none'", 'script-src': "'nonce-n0nce'", ...more })
      .map(([name, value]) => `${name} ${value}`)
      .join('; ');
  const nonced = (body: string) => body.replaceAll('<script', '<script nonce="n0nce"');

  test('csp_connect', async ({ platform, ward }) => {
    const policy = csp({ 'connect-src': "'self'", 'img-src': '*' });
    const found = expectOnly(
      await ward.examine(nonced(ward.served), { csp: policy }),
      'csp_connect',
      literal(`connect-src does not allow ${platform.url}.`),
    );
    expect(found?.cure).toContain('connect-src');
  });

  test('csp_script: all files but this one', async ({ platform, ward }) => {
    const doctor = readdirSync('dist/webchat').find((file) => file.startsWith('diagnostics-'));
    const policy = csp({
      'script-src': `'sha256-x' ${platform.chatUrl}/webchat.js ${platform.url}/webchat/${doctor}`,
      'connect-src': platform.url,
      'img-src': '*',
    });
    const culprit = literal(`script-src-elem does not allow ${platform.url}/webchat/`);
    expectOnly(await ward.examine(ward.served, { csp: policy }), 'csp_script', culprit);
  });

  test('chunk_failed, said by the shell where not even the doctor is let in', async ({ platform, ward }) => {
    const policy = csp({ 'script-src': `${platform.chatUrl}/webchat.js`, 'connect-src': platform.url });
    const { ok, findings, environment } = await ward.examine(ward.served, { csp: policy });
    expect({ ok, environment }).toEqual({ ok: false, environment: undefined });
    expect(findings).toEqual([
      {
        code: 'chunk_failed',
        message: expect.stringContaining(`${platform.url}/webchat/diagnostics-`),
        cure: expect.stringContaining('script-src'),
      },
    ]);
  });

  test('csp_images', async ({ platform, ward }) => {
    const policy = csp({ 'connect-src': platform.url });
    const culprit = literal(`img-src does not allow ${platform.url}`);
    const diagnosis = await ward.examine(nonced(ward.served), { csp: policy });
    expectOnly(diagnosis, 'csp_images', culprit);
    expect(diagnosis.ok).toBe(true);
  });

  test('csp_trusted_types', async ({ platform, ward }) => {
    const policy = csp({
      'connect-src': platform.url,
      'img-src': '*',
      'require-trusted-types-for': "'script'",
      'trusted-types': 'theirs',
    });
    const culprit = /trusted-types does not allow platform-webchat/;
    expectOnly(await ward.examine(nonced(ward.served), { csp: policy }), 'csp_trusted_types', culprit);
  });

  test('what is only reported is no finding', async ({ page, platform, site, ward }) => {
    const only = { 'content-security-policy-report-only': "default-src 'none'; script-src 'nonce-n0nce'" };
    await page.goto(site.page('/report', pageHtml(nonced(ward.served)), only));
    expect(platform.url).not.toBe(site.url);
    expect(await ward.ask()).toMatchObject(nothing);
  });

  test('mixed_content', async ({ page, platform }) => {
    // A certificate is none of our business: the page and the files of the script come from the test.
    await page.route('https://shop.test/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/') {
        const body = '<script src="/webchat/webchat.js" data-chat-url="http://chat.test/chat/demo"></script>';
        return route.fulfill({ contentType: 'text/html', body: pageHtml(body) });
      }
      return route.fulfill({ response: await route.fetch({ url: platform.url + pathname }) });
    });
    await page.goto('https://shop.test/');
    const culprit = literal('https://shop.test/ may not ask http://chat.test/chat/demo');
    expectOnly(await ask(page), 'mixed_content', culprit);
  });
});

test.describe('the server', () => {
  /** The static script, which comes from a server that is well. */
  const at = (chatUrl: string, ward: Ward) => ward.examine(ward.script(`data-chat-url="${chatUrl}"`));

  test('server_unreachable', async ({ ward }) => {
    const { url, chatUrl, close } = await startFaulty('', () => undefined);
    await close();
    expectOnly(await at(chatUrl, ward), 'server_unreachable', literal(url));
  });

  test('address_wrong: another webhook, a page in the place of JSON, a JSON of somebody else', async ({
    platform,
    ward,
  }) => {
    const wrong = `${platform.url}/chat/dmeo`;
    const found = expectOnly(await at(wrong, ward), 'address_wrong', literal(`${wrong}/webchat answers 404`));
    expect(found?.detail).toContain('ResourceNotFound');
    const html = await ward.proxy((_, answer) => {
      answer.writeHead(200, { ...readable, 'content-type': 'text/html' }).end('<h1>Shop</h1>');
      return true;
    });
    expectOnly(await at(html.chatUrl, ward), 'address_wrong', /answers text\/html in place of JSON/);
    const text = await ward.proxy((_, answer) => {
      answer.writeHead(200, { ...readable, 'content-type': 'application/json' }).end('"hello"');
      return true;
    });
    expectOnly(await at(text.chatUrl, ward), 'address_wrong', /application\/json in place of JSON/);
  });

  test('a plain Chat API server, which has no /webchat, is none that is wrong', async ({ ward }) => {
    const plain = await ward.proxy(({ url, method }, answer) => {
      if (!url?.endsWith('/webchat') || method === 'OPTIONS') return;
      const body = { id: 'err_1', code: 404, type: 'ResourceNotFound', message: 'Nothing here.' };
      answer.writeHead(404, { ...readable, 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    });
    expect(await at(plain.chatUrl, ward)).toMatchObject(nothing);
  });

  test('origin_refused: not in ALLOWED_ORIGINS', async ({ site, ward }) => {
    const strict = await startPlatform({ ALLOWED_ORIGINS: 'https://www.example.com' });
    try {
      const diagnosis = await ward.examine(`<script src="${strict.chatUrl}/webchat.js"></script>`);
      const found = expectOnly(
        diagnosis,
        'origin_refused',
        literal(`${strict.url} does not let ${site.url} in`),
      );
      expect(found?.cure).toContain('ALLOWED_ORIGINS');
    } finally {
      await strict.dispose();
    }
  });

  test('origin_refused: a server that says so in its answer', async ({ ward }) => {
    const strict = await ward.proxy(({ url }, answer) => {
      if (!url?.startsWith('/chat/')) return;
      const body = { id: 'err_1', code: 403, type: 'Forbidden', message: 'Not from there.' };
      answer.writeHead(403, { ...readable, 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    });
    const found = expectOnly(await at(strict.chatUrl, ward), 'origin_refused', /answers 403 to http:\/\/127/);
    expect(found?.detail).toBe('Forbidden: Not from there.');
  });

  test('answer_unreadable: somebody else answers, without CORS', async ({ site, ward }) => {
    const other = await startSite();
    try {
      const wrong = `${other.url}/chat/demo`;
      const culprit = literal(`${site.url} may not read what ${wrong}/webchat answers`);
      expectOnly(await at(wrong, ward), 'answer_unreadable', culprit);
    } finally {
      await other.close();
    }
  });

  test('preflight_refused', async ({ ward }) => {
    const proxy = await ward.proxy(({ method }, answer) => {
      if (method !== 'OPTIONS') return;
      answer.writeHead(405).end();
      return true;
    });
    expectOnly(await at(proxy.chatUrl, ward), 'preflight_refused', literal(proxy.chatUrl));
  });

  test('server_failed, of the server and of a proxy', async ({ ward }) => {
    let status = 0;
    const proxy = await ward.proxy((_, answer) => {
      answer.writeHead(status, { ...readable, 'content-type': 'text/html' }).end('<h1>Bad</h1>');
      return true;
    });
    for (status of [500, 502, 503]) {
      const found = expectOnly(
        await at(proxy.chatUrl, ward),
        'server_failed',
        new RegExp(`answers ${status}`),
      );
      expect(found?.detail).toBe(`${status} text/html`);
    }
  });

  test('rate_limited, with the time that the server asks for', async ({ ward }) => {
    const proxy = await ward.proxy((_, answer) => {
      const headers = { ...readable, 'access-control-expose-headers': 'retry-after', 'retry-after': '120' };
      answer.writeHead(429, headers).end();
      return true;
    });
    expectOnly(
      await at(proxy.chatUrl, ward),
      'rate_limited',
      /answers 429; it asks to wait: Retry-After 120/,
    );
  });

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const keys: [key: () => Promise<string>, detail: RegExp][] = [
    [() => signUserKey({ id: 'a', secret: 'another secret altogether' }), /another secret has signed it/],
    [
      async () => `${part({ alg: 'HS256' })}.${part({ id: 'a', exp: 1_000 })}.abc`,
      /It has expired \(exp 1000\)/,
    ],
    [async () => 'letmein', /no JSON Web Token/],
  ];
  test('key_refused: what can be seen from the key is said, the key is not', async ({
    page,
    platform,
    ward,
  }) => {
    for (const [make, detail] of keys) {
      await page.goto('about:blank');
      await ward.examine(ward.script(`data-chat-url="${platform.chatUrl}" data-manual`));
      const key = await make();
      await page.evaluate((userKey) => (window.platform as Platform).init({ user: { userKey } }), key);
      const diagnosis = await ward.ask();
      const found = expectOnly(diagnosis, 'key_refused', literal(platform.chatUrl));
      expect(found?.detail).toMatch(detail);
      expect(JSON.stringify(diagnosis)).not.toContain(key);
    }
  });

  /** A page whose browser remembers this visit; the chat itself is kept from healing it. */
  const remember = async (page: Page, chatUrl: string, visit: object, ward: Ward) => {
    await page.addInitScript(
      ([key = '', text = '']) => {
        // The chat resumes when the page is idle: it never is.
        window.requestIdleCallback = () => 0;
        localStorage.setItem(key, text);
      },
      [`platform-webchat:${chatUrl}`, JSON.stringify(visit)],
    );
    return ward.examine(ward.script(`data-chat-url="${chatUrl}"`));
  };

  /** A visitor with a conversation. */
  const visit = async (chatUrl: string) => {
    const post = async (path: string, headers = {}) => {
      const init = {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      };
      return (await fetch(chatUrl + path, init)).json();
    };
    const { key, user } = await post('/users');
    const { conversation } = await post('/conversations', { 'x-user-key': key });
    return { userKey: key as string, userId: user.id as string, conversationId: conversation.id as string };
  };

  test('visitor_gone', async ({ page, platform, ward }) => {
    const known = await visit(platform.chatUrl);
    await fetch(`${platform.chatUrl}/users/me`, {
      method: 'DELETE',
      headers: { 'x-user-key': known.userKey },
    });
    const diagnosis = await remember(page, platform.chatUrl, known, ward);
    expectOnly(diagnosis, 'visitor_gone', literal(platform.chatUrl));
    expect(diagnosis.ok).toBe(true);
  });

  test('conversation_gone', async ({ page, platform, ward }) => {
    const known = { ...(await visit(platform.chatUrl)), conversationId: 'conv_gone' };
    const culprit = /conversations\/conv_gone answers 404/;
    expectOnly(await remember(page, platform.chatUrl, known, ward), 'conversation_gone', culprit);
  });

  const streams: [code: FindingCode, culprit: RegExp, fault: (answer: Parameters<Fault>[1]) => void][] = [
    ['stream_blocked', /listen does not open within/, () => {}],
    ['stream_blocked', /listen answers 504/, (answer) => answer.writeHead(504, readable).end()],
    [
      'stream_blocked',
      /listen ends at once/,
      (answer) => answer.writeHead(200, { ...readable, 'content-type': 'text/event-stream' }).end(),
    ],
    ['stream_blocked', /listen cannot be read/, (answer) => answer.destroy()],
    [
      'stream_wrong_type',
      /answers text\/html in place of/,
      (answer) => answer.writeHead(200, { ...readable, 'content-type': 'text/html' }).end('<p>'),
    ],
    [
      'stream_buffered',
      /listen says nothing within/,
      (answer) => {
        answer.writeHead(200, { ...readable, 'content-type': 'text/event-stream' }).flushHeaders();
      },
    ],
  ];
  test('stream_blocked, stream_wrong_type, stream_buffered: what the proxy makes of it', async ({
    page,
    platform,
    ward,
  }) => {
    let spoil: (answer: Parameters<Fault>[1]) => void = () => {};
    const proxy = await ward.proxy(({ url, method }, answer) => {
      if (!url?.endsWith('/listen') || method === 'OPTIONS') return;
      spoil(answer);
      return true;
    });
    const known = await visit(platform.chatUrl);
    for (const [code, culprit, fault] of streams) {
      spoil = fault;
      expectOnly(await remember(page, proxy.chatUrl, known, ward), code, culprit);
    }
  });

  const files: [said: RegExp, fault: (answer: Parameters<Fault>[1]) => void][] = [
    [/extras-.{6}\.js answers 404/, (answer) => answer.writeHead(404, readable).end()],
    [
      /extras-.{6}\.js answers 200 text\/html/,
      (answer) => answer.writeHead(200, { ...readable, 'content-type': 'text/html' }).end('<h1>'),
    ],
    [
      /extras-.{6}\.js is there, but is cut or broken/,
      (answer) => answer.writeHead(200, { ...readable, 'content-type': 'text/javascript' }).end('export {'),
    ],
    [/extras-.{6}\.js cannot be loaded/, (answer) => answer.destroy()],
  ];
  test('chunk_failed: which file, and what came in its place', async ({ platform, ward }) => {
    let spoil: (answer: Parameters<Fault>[1]) => void = () => {};
    const proxy = await ward.proxy(({ url }, answer) => {
      if (!url?.startsWith('/webchat/extras-')) return;
      spoil(answer);
      return true;
    });
    for (const [said, fault] of files) {
      spoil = fault;
      const body = ward.script(`data-chat-url="${platform.chatUrl}"`, proxy.url);
      expectOnly(await ward.examine(body), 'chunk_failed', said);
    }
  });
});

test('internal: a check that fails itself costs none of the others', async ({ page, ward }) => {
  await page.addInitScript(() => {
    document.elementFromPoint = () => {
      throw new Error('The page has broken it.');
    };
  });
  const body = ward.served.replace('<script', '<script data-color="red"');
  const diagnosis = await ward.examine(body);
  expect(expectFinding(diagnosis, 'internal', /could not be done/)?.detail).toContain(
    'The page has broken it.',
  );
  expectFinding(diagnosis, 'configuration_wrong', /'color'/);
});

test('every finding of the table has a test here', () => {
  const source = readFileSync('e2e/doctor.spec.ts', 'utf8');
  const named = (code: string) => source.includes(`'${code}'`) || source.includes(`"${code} `);
  expect(Object.keys(table).length).toBeGreaterThan(30);
  expect(Object.keys(table).filter((code) => !named(code))).toEqual([]);
});
