// Tests of platform.doctor() with each problem that it detects: code, cause and remedy. On a healthy page it reports no
// finding, and creates and stores nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Page } from '@playwright/test';
import { signUserKey } from '../../src/client/index.ts';
import type { Diagnosis, Platform } from '../../src/protocol/page-api.ts';
import { type FindingCode, findings as table } from '../../src/widget/diagnostics/findings.ts';
import { type Intercept, readableByAnyPage, startFaultProxy } from '../support/fault-proxy.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { pageHtml, startHostSite, strictCsp } from '../support/host-page.ts';
import { startPlatform } from '../support/server.ts';

interface DoctorFixture {
  /** Loads a page without a policy and with this body, and returns the diagnosis. */
  diagnosePage(body: string, options?: { path?: string; head?: string; csp?: string }): Promise<Diagnosis>;
  /** Diagnoses the current page again. */
  diagnoseAgain(): Promise<Diagnosis>;
  /** Starts a proxy with this fault in front of the server. */
  proxy(fault: Intercept): Promise<{ url: string; chatUrl: string }>;
  /** The script tag with the server's script. */
  servedScript: string;
  /** The static script with these attributes. */
  script(attributes?: string, url?: string): string;
}

const diagnose = (page: Page) => page.evaluate(() => (window.platform as Platform).doctor());

const test = base.extend<{ doctor: DoctorFixture }>({
  doctor: async ({ page, platform, site }, use) => {
    const open: { close(): Promise<void> }[] = [];
    await use({
      servedScript: `<script src="${platform.chatUrl}/webchat.js"></script>`,
      script: (attributes = '', url = platform.url) =>
        `<script src="${url}/webchat/webchat.js" ${attributes}></script>`,
      diagnoseAgain: () => diagnose(page),
      async diagnosePage(body, { path = '/page', head = '', csp } = {}) {
        const headers: Record<string, string> = csp ? { 'content-security-policy': csp } : {};
        await page.goto(site.page(path, pageHtml(body, { head }), headers));
        return diagnose(page);
      },
      async proxy(fault) {
        const proxy = await startFaultProxy(platform.url, { intercept: fault });
        open.push(proxy);
        return proxy;
      },
    });
    await page.goto('about:blank');
    for (const each of open) await each.close();
  },
});

/** Expects one finding with this code that names the cause, with the remedy of the table. */
function expectFinding({ ok, findings }: Diagnosis, code: FindingCode, cause: string | RegExp) {
  const [severity, , cure] = table[code];
  expect(findings).toContainEqual(expect.objectContaining({ code, severity, cure }));
  const found = findings.find((finding) => finding.code === code);
  expect(found?.message).toMatch(cause);
  if (severity === 'error') expect(ok).toBe(false);
  return found;
}

/** Expects this finding and no other. */
function expectOnly(diagnosis: Diagnosis, code: FindingCode, cause: string | RegExp) {
  const found = expectFinding(diagnosis, code, cause);
  expect(diagnosis.findings.map((finding) => finding.code)).toEqual([code]);
  return found;
}

const noFindings = { ok: true, findings: [] };
const literal = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));

test.describe('healthy page', () => {
  test('doctor has no findings on a healthy page, before and during a conversation, and creates and stores nothing', async ({
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
    expect(await diagnose(page)).toMatchObject(noFindings);
    expect([counts(), await kept()]).toEqual(before);
    expect(await kept()).toBe('[{},{}]');
    expect(printed.filter((line) => line.includes('[platform] doctor'))).toEqual([
      'startGroup [platform] doctor: nothing found',
    ]);

    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await chat.exchange('I feel fine');
    const during = [counts(), await kept()];
    const diagnosis = await diagnose(page);
    expect(diagnosis).toMatchObject(noFindings);
    // The event stream was checked too.
    expect(diagnosis.environment).toMatchObject({ state: 'open', skipped: {} });
    expect([counts(), await kept()]).toEqual(during);
    const { userKey = 'none' } = await chat.storedSession();
    expect(JSON.stringify(diagnosis)).not.toContain(userKey);
    await chat.exchange('And still do');
    await chat.send('markdown');
    await expect(chat.botRows.last().getByRole('table')).toBeVisible();
  });

  test('doctor has no findings for an inline chat and for the full-screen window on a phone', async ({
    page,
    doctor,
  }) => {
    const body = `<div id="place" style="height:500px"></div>${doctor.servedScript.replace('<script', '<script data-target="#place"')}`;
    await doctor.diagnosePage(body);
    await expect(page.locator('.row[data-side="bot"]')).toHaveCount(1);
    expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
    await page.evaluate(() => localStorage.clear());
    await page.setViewportSize({ width: 390, height: 700 });
    await doctor.diagnosePage(doctor.servedScript);
    await page.locator('.launcher').click();
    await expect(page.locator('.row[data-side="bot"]')).toHaveCount(1);
    expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
  });

  test('doctor can be called before the chat starts and after destroy', async ({ page, doctor }) => {
    await doctor.diagnosePage(doctor.servedScript);
    const after = await page.evaluate(async () => {
      const platform = window.platform as Platform;
      platform.destroy();
      return platform.doctor();
    });
    expectOnly(after, 'not_initialized', /destroyed/);
  });

  test('doctor with a valid key of a user who does not exist yet creates no user', async ({
    page,
    doctor,
  }) => {
    const secret = '8f14e45fceea167a5a36dedd4bea2543';
    const personal = await startPlatform({ USER_KEYS: 'personal', USER_KEY_SECRET: secret });
    try {
      const userKey = await signUserKey({ id: 'not-yet', secret, expiresInSeconds: 600 });
      await doctor.diagnosePage(doctor.script(`data-chat-url="${personal.chatUrl}" data-manual`));
      await page.evaluate((key) => (window.platform as Platform).init({ user: { userKey: key } }), userKey);
      expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
      const me = await fetch(`${personal.chatUrl}/users/me`, { headers: { 'x-user-key': userKey } });
      expect(me.status).toBe(401);
    } finally {
      await personal.dispose();
    }
  });
});

test.describe('installation', () => {
  test('chat_url_missing: a script tag without a chat URL is found', async ({ doctor }) => {
    expectOnly(await doctor.diagnosePage(doctor.script()), 'chat_url_missing', /script tag nor init/);
  });

  test('chat_url_wrong: invalid URLs are found on the script tag and in init()', async ({ page, doctor }) => {
    expectOnly(
      await doctor.diagnosePage(doctor.script('data-chat-url="ftp://a/b"')),
      'chat_url_wrong',
      /'ftp:\/\/a\/b'/,
    );
    await page.evaluate(() => {
      try {
        (window.platform as Platform).init({ chatUrl: 'https://' });
      } catch {
        // The error is reported to the page too.
      }
    });
    expectOnly(await doctor.diagnoseAgain(), 'chat_url_wrong', /'https:\/\/'/);
  });

  test('not_initialized: a page that never calls init is found', async ({ platform, doctor }) => {
    const body = doctor.script(`data-chat-url="${platform.chatUrl}" data-manual`);
    expectOnly(await doctor.diagnosePage(body), 'not_initialized', /init\(\) was not called.*data-manual/);
  });

  test('target_missing: a missing target element is found', async ({ platform, doctor }) => {
    const body = doctor.script(`data-chat-url="${platform.chatUrl}" data-target="#nowhere"`);
    expectOnly(await doctor.diagnosePage(body), 'target_missing', /'#nowhere'/);
  });

  test('script_twice: a second script tag is found', async ({ platform, doctor }) => {
    const body = doctor.servedScript + doctor.script(`data-chat-url="${platform.chatUrl}"`);
    const found = expectOnly(
      await doctor.diagnosePage(body),
      'script_twice',
      literal(`${platform.chatUrl}/webchat.js`),
    );
    expect(found?.message).toMatch(literal(`${platform.url}/webchat/webchat.js`));
  });

  test('script_module: a module script next to the classic one is found', async ({ platform, doctor }) => {
    const body = `${doctor.servedScript}<script type="module" src="${platform.url}/webchat/webchat.js"></script>`;
    expectOnly(
      await doctor.diagnosePage(body),
      'script_module',
      literal(`${platform.url}/webchat/webchat.js`),
    );
  });

  test('a module script alone does nothing, and the console explains why', async ({
    page,
    platform,
    site,
  }) => {
    const logged = page.waitForEvent('console', (message) =>
      message.text().includes('must be a classic script'),
    );
    const body = `<script type="module" src="${platform.url}/webchat/webchat.js"></script>`;
    await page.goto(site.page('/module', pageHtml(body), {}));
    expect((await logged).type()).toBe('error');
    expect(await page.evaluate(() => window.platform)).toBeUndefined();
  });

  test('script_outdated: a server with a newer script is found', async ({ doctor }) => {
    let asked = 0;
    const proxy = await doctor.proxy(({ url }, answer) => {
      if (!url?.endsWith('/webchat.js') || !asked++) return;
      answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'text/javascript' }).end('"a newer one"');
      return true;
    });
    const body = `<script src="${proxy.chatUrl}/webchat.js"></script>`;
    expectOnly(await doctor.diagnosePage(body), 'script_outdated', literal(`${proxy.chatUrl}/webchat.js`));
  });

  test('configuration_wrong: invalid values of page, tag and later calls and unknown names are found', async ({
    page,
    platform,
    doctor,
  }) => {
    await doctor.diagnosePage(
      doctor.script(`data-chat-url="${platform.chatUrl}" data-manual data-radius="round"`),
    );
    await page.evaluate(() => {
      const platform = window.platform as Platform;
      platform.init({ configuration: { color: 'red', colour: '#fff' } as never });
      platform.config({ configuration: { botName: 7 } as never });
    });
    const { ok, findings } = await doctor.diagnoseAgain();
    expect(ok).toBe(true);
    expect(findings.map(({ code, message }) => `${code} ${message}`).sort()).toEqual([
      "configuration_wrong Configuration: 'botName' must be a string.",
      "configuration_wrong Configuration: 'color' must be a HEX colour.",
      "configuration_wrong Configuration: 'radius' must be a number. (data-radius)",
      "configuration_wrong Configuration: no field 'colour'.",
    ]);
    expect(findings[0]?.cure).toContain('docs/reference/configuration.md');
  });
});

test.describe('visibility', () => {
  test('host_removed: a removed host element is found', async ({ page, doctor }) => {
    await doctor.diagnosePage(doctor.servedScript);
    await page.evaluate(() => document.querySelector('platform-webchat')?.remove());
    expectOnly(await doctor.diagnoseAgain(), 'host_removed', /<platform-webchat>/);
  });

  test('launcher_hidden: the finding names the property and the element', async ({ doctor }) => {
    const rules = { display: 'none', visibility: 'hidden', opacity: '0' };
    for (const [property, value] of Object.entries(rules)) {
      const head = `<style>platform-webchat::part(launcher) { ${property}: ${value} }</style>`;
      const cause = new RegExp(`${property} is ${value} on <button .*part="launcher"`);
      expectOnly(await doctor.diagnosePage(doctor.servedScript, { head }), 'launcher_hidden', cause);
    }
  });

  test('launcher_outside: a launcher outside the viewport is found', async ({ doctor }) => {
    const head = '<style>platform-webchat::part(launcher) { bottom: -900px }</style>';
    expectOnly(
      await doctor.diagnosePage(doctor.servedScript, { head }),
      'launcher_outside',
      /launcher lies at \d+, \d+, the page is/,
    );
  });

  test('launcher_covered: an element in the top layer is found', async ({ page, doctor }) => {
    await doctor.diagnosePage(`${doctor.servedScript}<dialog id="cookies" style="position:fixed;inset:0;margin:0;max-width:none;
      max-height:none;width:100%;height:100%"></dialog>`);
    await page.evaluate(() => (document.querySelector('#cookies') as HTMLDialogElement).showModal());
    expectOnly(await doctor.diagnoseAgain(), 'launcher_covered', /<dialog id="cookies">/);
  });

  test('launcher_off: found unless the page has a trigger element', async ({ page, doctor }) => {
    const body = doctor.servedScript.replace('<script', '<script data-launcher="false"');
    const diagnosis = await doctor.diagnosePage(body);
    expectOnly(diagnosis, 'launcher_off', /data-platform-open/);
    expect(diagnosis.ok).toBe(true);
    await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-platform-open', ''));
    expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
  });
});

test.describe('browser', () => {
  test('browser_too_old: a browser without required features is found', async ({ page, doctor }) => {
    await page.addInitScript('delete HTMLElement.prototype.inert');
    const found = expectOnly(
      await doctor.diagnosePage(doctor.servedScript),
      'browser_too_old',
      /It lacks: inert\./,
    );
    expect(found?.detail).toContain('Chrome/');
  });

  test('storage_blocked: blocked storage is found', async ({ page, doctor }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    });
    expectOnly(await doctor.diagnosePage(doctor.servedScript), 'storage_blocked', /localStorage is refused/);
  });

  test('storage_full: found in the configured storage', async ({ page, doctor }) => {
    const body = doctor.servedScript.replace('<script', '<script data-storage-location="sessionStorage"');
    expect(await doctor.diagnosePage(body)).toMatchObject(noFindings);
    const length = await page.evaluate(() => {
      for (let size = 1 << 22; size; size >>= 1) {
        try {
          for (;;) sessionStorage.setItem(`f${sessionStorage.length}`, 'x'.repeat(size));
        } catch {
          // Less space remains than a record of this size needs.
        }
      }
      return sessionStorage.length;
    });
    expectOnly(await doctor.diagnoseAgain(), 'storage_full', /sessionStorage is full/);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(length);
  });

  test('storage_corrupt: invalid JSON and an invalid record are found and left unchanged', async ({
    page,
    platform,
    doctor,
  }) => {
    const key = `platform-webchat:${platform.chatUrl}`;
    await doctor.diagnosePage(doctor.servedScript);
    for (const text of ['{not JSON', '"a text"', '[1]', 'null']) {
      await page.evaluate(([name = '', value = '']) => localStorage.setItem(name, value), [key, text]);
      expectOnly(await doctor.diagnoseAgain(), 'storage_corrupt', literal(key));
      expect(await page.evaluate((name) => localStorage.getItem(name), key)).toBe(text);
    }
  });

  test('storage_partitioned: found in a frame of another site', async ({ page, site, doctor }) => {
    const inner = site.page('/inner', pageHtml(doctor.servedScript), {}).replace('127.0.0.1', 'localhost');
    await page.goto(
      site.page('/outer', `<!doctype html><iframe src="${inner}" width="900" height="700">`, {}),
    );
    const frame = page.frameLocator('iframe');
    await expect(frame.locator('.launcher')).toBeVisible();
    const diagnosis = await frame.locator('body').evaluate(() => (window.platform as Platform).doctor());
    expectOnly(diagnosis, 'storage_partitioned', /localhost/);
  });

  test('clock_wrong: a wrong clock is found', async ({ page, doctor }) => {
    await page.clock.install();
    await page.clock.setSystemTime(Date.now() - 3 * 3_600_000);
    const running = doctor.diagnosePage(doctor.servedScript);
    expectOnly(await running, 'clock_wrong', /180 minutes behind/);
  });

  test('offline: a missing network connection is found', async ({ context, doctor }) => {
    expect(await doctor.diagnosePage(doctor.servedScript)).toMatchObject(noFindings);
    await context.setOffline(true);
    expectFinding(await doctor.diagnoseAgain(), 'offline', /the browser is offline/);
  });
});

test.describe('content security policy', () => {
  const csp = (more: Record<string, string>) =>
    Object.entries({ 'default-src': "'none'", 'script-src': "'nonce-n0nce'", ...more })
      .map(([name, value]) => `${name} ${value}`)
      .join('; ');
  const nonced = (body: string) => body.replaceAll('<script', '<script nonce="n0nce"');

  test('csp_connect: a policy that blocks requests to the server is found', async ({ platform, doctor }) => {
    const policy = csp({ 'connect-src': "'self'", 'img-src': '*' });
    const found = expectOnly(
      await doctor.diagnosePage(nonced(doctor.servedScript), { csp: policy }),
      'csp_connect',
      literal(`connect-src does not allow ${platform.url}.`),
    );
    expect(found?.cure).toContain('connect-src');
  });

  test('csp_script: a policy that blocks the chunks is found', async ({ platform, doctor }) => {
    const chunk = readdirSync('dist/webchat').find((file) => file.startsWith('diagnostics-'));
    const policy = csp({
      'script-src': `'sha256-x' ${platform.chatUrl}/webchat.js ${platform.url}/webchat/${chunk}`,
      'connect-src': platform.url,
      'img-src': '*',
    });
    const cause = literal(`script-src-elem does not allow ${platform.url}/webchat/`);
    expectOnly(await doctor.diagnosePage(doctor.servedScript, { csp: policy }), 'csp_script', cause);
  });

  test('chunk_failed: reported by the launcher script when even the diagnostics chunk is blocked', async ({
    platform,
    doctor,
  }) => {
    const policy = csp({ 'script-src': `${platform.chatUrl}/webchat.js`, 'connect-src': platform.url });
    const { ok, findings, environment } = await doctor.diagnosePage(doctor.servedScript, { csp: policy });
    expect({ ok, environment }).toEqual({ ok: false, environment: undefined });
    expect(findings).toEqual([
      {
        code: 'chunk_failed',
        message: expect.stringContaining(`${platform.url}/webchat/diagnostics-`),
        cure: expect.stringContaining('script-src'),
      },
    ]);
  });

  test('csp_images: a policy that blocks images is found', async ({ platform, doctor }) => {
    const policy = csp({ 'connect-src': platform.url });
    const cause = literal(`img-src does not allow ${platform.url}`);
    const diagnosis = await doctor.diagnosePage(nonced(doctor.servedScript), { csp: policy });
    expectOnly(diagnosis, 'csp_images', cause);
    expect(diagnosis.ok).toBe(true);
  });

  test('csp_trusted_types: a forbidden Trusted Types policy is found', async ({ platform, doctor }) => {
    const policy = csp({
      'connect-src': platform.url,
      'img-src': '*',
      'require-trusted-types-for': "'script'",
      'trusted-types': 'theirs',
    });
    const cause = /trusted-types does not allow platform-webchat/;
    expectOnly(
      await doctor.diagnosePage(nonced(doctor.servedScript), { csp: policy }),
      'csp_trusted_types',
      cause,
    );
  });

  test('a report-only policy is not a finding', async ({ page, platform, site, doctor }) => {
    const only = { 'content-security-policy-report-only': "default-src 'none'; script-src 'nonce-n0nce'" };
    await page.goto(site.page('/report', pageHtml(nonced(doctor.servedScript)), only));
    expect(platform.url).not.toBe(site.url);
    expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
  });

  test('mixed_content: an http server on an https page is found', async ({ page, platform }) => {
    // The test fulfils the requests of page and script, so that no certificate is needed.
    await page.route('https://shop.test/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/') {
        const body = '<script src="/webchat/webchat.js" data-chat-url="http://chat.test/chat/demo"></script>';
        return route.fulfill({ contentType: 'text/html', body: pageHtml(body) });
      }
      return route.fulfill({ response: await route.fetch({ url: platform.url + pathname }) });
    });
    await page.goto('https://shop.test/');
    const cause = literal('https://shop.test/ may not ask http://chat.test/chat/demo');
    expectOnly(await diagnose(page), 'mixed_content', cause);
  });
});

test.describe('server', () => {
  /** Uses the static script of the healthy server. */
  const at = (chatUrl: string, doctor: DoctorFixture) =>
    doctor.diagnosePage(doctor.script(`data-chat-url="${chatUrl}"`));

  test('server_unreachable: a server that does not respond is found', async ({ doctor }) => {
    const { url, chatUrl, close } = await startFaultProxy(undefined);
    await close();
    expectOnly(await at(chatUrl, doctor), 'server_unreachable', literal(url));
  });

  test('address_wrong: an unknown webhook, an HTML page and foreign JSON are found', async ({
    platform,
    doctor,
  }) => {
    const wrong = `${platform.url}/chat/dmeo`;
    const found = expectOnly(
      await at(wrong, doctor),
      'address_wrong',
      literal(`${wrong}/webchat answers 404`),
    );
    expect(found?.detail).toContain('ResourceNotFound');
    const html = await doctor.proxy((_, answer) => {
      answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'text/html' }).end('<h1>Shop</h1>');
      return true;
    });
    expectOnly(await at(html.chatUrl, doctor), 'address_wrong', /answers text\/html in place of JSON/);
    const text = await doctor.proxy((_, answer) => {
      answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'application/json' }).end('"hello"');
      return true;
    });
    expectOnly(await at(text.chatUrl, doctor), 'address_wrong', /application\/json in place of JSON/);
  });

  test('a plain Chat API server without /webchat is not a finding', async ({ doctor }) => {
    const plain = await doctor.proxy(({ url, method }, answer) => {
      if (!url?.endsWith('/webchat') || method === 'OPTIONS') return;
      const body = { id: 'err_1', code: 404, type: 'ResourceNotFound', message: 'Nothing here.' };
      answer
        .writeHead(404, { ...readableByAnyPage, 'content-type': 'application/json' })
        .end(JSON.stringify(body));
      return true;
    });
    expect(await at(plain.chatUrl, doctor)).toMatchObject(noFindings);
  });

  test('origin_refused: an origin that is not in ALLOWED_ORIGINS is found', async ({ site, doctor }) => {
    const strict = await startPlatform({ ALLOWED_ORIGINS: 'https://www.example.com' });
    try {
      const diagnosis = await doctor.diagnosePage(`<script src="${strict.chatUrl}/webchat.js"></script>`);
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

  test('origin_refused: a 403 response of the server is found', async ({ doctor }) => {
    const strict = await doctor.proxy(({ url }, answer) => {
      if (!url?.startsWith('/chat/')) return;
      const body = { id: 'err_1', code: 403, type: 'Forbidden', message: 'Not from there.' };
      answer
        .writeHead(403, { ...readableByAnyPage, 'content-type': 'application/json' })
        .end(JSON.stringify(body));
      return true;
    });
    const found = expectOnly(
      await at(strict.chatUrl, doctor),
      'origin_refused',
      /answers 403 to http:\/\/127/,
    );
    expect(found?.detail).toBe('Forbidden: Not from there.');
  });

  test('answer_unreadable: a response of another server without CORS headers is found', async ({
    site,
    doctor,
  }) => {
    const other = await startHostSite();
    try {
      const wrong = `${other.url}/chat/demo`;
      const cause = literal(`${site.url} may not read what ${wrong}/webchat answers`);
      expectOnly(await at(wrong, doctor), 'answer_unreadable', cause);
    } finally {
      await other.close();
    }
  });

  test('preflight_refused: a refused preflight is found', async ({ doctor }) => {
    const proxy = await doctor.proxy(({ method }, answer) => {
      if (method !== 'OPTIONS') return;
      answer.writeHead(405).end();
      return true;
    });
    expectOnly(await at(proxy.chatUrl, doctor), 'preflight_refused', literal(proxy.chatUrl));
  });

  test('server_failed: 5xx responses of the server and of a proxy are found', async ({ doctor }) => {
    let status = 0;
    const proxy = await doctor.proxy((_, answer) => {
      answer.writeHead(status, { ...readableByAnyPage, 'content-type': 'text/html' }).end('<h1>Bad</h1>');
      return true;
    });
    for (status of [500, 502, 503]) {
      const found = expectOnly(
        await at(proxy.chatUrl, doctor),
        'server_failed',
        new RegExp(`answers ${status}`),
      );
      expect(found?.detail).toBe(`${status} text/html`);
    }
  });

  test('rate_limited: the finding contains the Retry-After value', async ({ doctor }) => {
    const proxy = await doctor.proxy((_, answer) => {
      const headers = {
        ...readableByAnyPage,
        'access-control-expose-headers': 'retry-after',
        'retry-after': '120',
      };
      answer.writeHead(429, headers).end();
      return true;
    });
    expectOnly(
      await at(proxy.chatUrl, doctor),
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
    [async () => 'letmein', /not a JSON Web Token/],
  ];
  test('key_refused: the finding explains the reason and does not contain the key', async ({
    page,
    platform,
    doctor,
  }) => {
    for (const [make, detail] of keys) {
      await page.goto('about:blank');
      await doctor.diagnosePage(doctor.script(`data-chat-url="${platform.chatUrl}" data-manual`));
      const key = await make();
      await page.evaluate((userKey) => (window.platform as Platform).init({ user: { userKey } }), key);
      const diagnosis = await doctor.diagnoseAgain();
      const found = expectOnly(diagnosis, 'key_refused', literal(platform.chatUrl));
      expect(found?.detail).toMatch(detail);
      expect(JSON.stringify(diagnosis)).not.toContain(key);
    }
  });

  /** Loads a page with this stored session. The chat itself does not start, because it would repair the session. */
  const remember = async (page: Page, chatUrl: string, visit: object, doctor: DoctorFixture) => {
    await page.addInitScript(
      ([key = '', text = '']) => {
        // The chat resumes when the page is idle, which this prevents.
        window.requestIdleCallback = () => 0;
        localStorage.setItem(key, text);
      },
      [`platform-webchat:${chatUrl}`, JSON.stringify(visit)],
    );
    return doctor.diagnosePage(doctor.script(`data-chat-url="${chatUrl}"`));
  };

  /** Creates a visitor with a conversation. */
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

  test('visitor_gone: a deleted user is found', async ({ page, platform, doctor }) => {
    const known = await visit(platform.chatUrl);
    await fetch(`${platform.chatUrl}/users/me`, {
      method: 'DELETE',
      headers: { 'x-user-key': known.userKey },
    });
    const diagnosis = await remember(page, platform.chatUrl, known, doctor);
    expectOnly(diagnosis, 'visitor_gone', literal(platform.chatUrl));
    expect(diagnosis.ok).toBe(true);
  });

  test('conversation_gone: a deleted conversation is found', async ({ page, platform, doctor }) => {
    const known = { ...(await visit(platform.chatUrl)), conversationId: 'conv_gone' };
    const cause = /conversations\/conv_gone answers 404/;
    expectOnly(await remember(page, platform.chatUrl, known, doctor), 'conversation_gone', cause);
  });

  const streams: [code: FindingCode, cause: RegExp, fault: (answer: Parameters<Intercept>[1]) => void][] = [
    ['stream_blocked', /listen does not open within/, () => {}],
    ['stream_blocked', /listen answers 504/, (answer) => answer.writeHead(504, readableByAnyPage).end()],
    [
      'stream_blocked',
      /listen ends at once/,
      (answer) => answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'text/event-stream' }).end(),
    ],
    ['stream_blocked', /listen cannot be read/, (answer) => answer.destroy()],
    [
      'stream_wrong_type',
      /answers text\/html in place of/,
      (answer) => answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'text/html' }).end('<p>'),
    ],
    [
      'stream_buffered',
      /listen says nothing within/,
      (answer) => {
        answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'text/event-stream' }).flushHeaders();
      },
    ],
  ];
  test('stream_blocked, stream_wrong_type, stream_buffered: faults of a proxy in the event stream are found', async ({
    page,
    platform,
    doctor,
  }) => {
    let respond: (answer: Parameters<Intercept>[1]) => void = () => {};
    const proxy = await doctor.proxy(({ url, method }, answer) => {
      if (!url?.endsWith('/listen') || method === 'OPTIONS') return;
      respond(answer);
      return true;
    });
    const known = await visit(platform.chatUrl);
    for (const [code, cause, fault] of streams) {
      respond = fault;
      expectOnly(await remember(page, proxy.chatUrl, known, doctor), code, cause);
    }
  });

  const files: [cause: RegExp, fault: (answer: Parameters<Intercept>[1]) => void][] = [
    [/extras-.{6}\.js answers 404/, (answer) => answer.writeHead(404, readableByAnyPage).end()],
    [
      /extras-.{6}\.js answers 200 text\/html/,
      (answer) => answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'text/html' }).end('<h1>'),
    ],
    [
      /extras-.{6}\.js is there, but is cut or broken/,
      (answer) =>
        answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'text/javascript' }).end('export {'),
    ],
    [/extras-.{6}\.js cannot be loaded/, (answer) => answer.destroy()],
  ];
  test('chunk_failed: the finding names the file and the response', async ({ platform, doctor }) => {
    let respond: (answer: Parameters<Intercept>[1]) => void = () => {};
    const proxy = await doctor.proxy(({ url }, answer) => {
      if (!url?.startsWith('/webchat/extras-')) return;
      respond(answer);
      return true;
    });
    for (const [cause, fault] of files) {
      respond = fault;
      const body = doctor.script(`data-chat-url="${platform.chatUrl}"`, proxy.url);
      expectOnly(await doctor.diagnosePage(body), 'chunk_failed', cause);
    }
  });
});

test('internal: a check that throws is reported and does not prevent the others', async ({
  page,
  doctor,
}) => {
  await page.addInitScript(() => {
    document.elementFromPoint = () => {
      throw new Error('The page has broken it.');
    };
  });
  const body = doctor.servedScript.replace('<script', '<script data-color="red"');
  const diagnosis = await doctor.diagnosePage(body);
  expect(expectFinding(diagnosis, 'internal', /could not be done/)?.detail).toContain(
    'The page has broken it.',
  );
  expectFinding(diagnosis, 'configuration_wrong', /'color'/);
});

test('every finding of the table has a test in this file', () => {
  const source = readFileSync('e2e/page-api/doctor.spec.ts', 'utf8');
  const named = (code: string) => source.includes(`'${code}'`) || source.includes(`"${code} `);
  expect(Object.keys(table).length).toBeGreaterThan(30);
  expect(Object.keys(table).filter((code) => !named(code))).toEqual([]);
});
