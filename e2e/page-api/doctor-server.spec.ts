// Tests of platform.doctor() with faults of the server or of a proxy: its address, responses, user keys, deleted users
// and conversations, the event stream, and the files of the chat.
import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { signUserKey } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { FindingCode } from '../../src/widget/diagnostics/findings.ts';
import { type DoctorFixture, expectOnly, literal, noFindings, test } from '../support/doctor.ts';
import { type Intercept, readableByAnyPage, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { expect, userKeySecret } from '../support/fixtures.ts';
import { startHostSite } from '../support/host-page.ts';
import { startPlatform } from '../support/server.ts';

test.describe('server', () => {
  /** Uses the static script of the healthy server. */
  const at = (chatUrl: string, doctor: DoctorFixture) =>
    doctor.diagnosePage(doctor.script(`data-chat-url="${chatUrl}"`));

  test('server_unreachable: a server that does not respond is found', async ({ doctor }) => {
    const { url, chatUrl, close } = await startFaultProxy(undefined);
    await close();
    expectOnly(await at(chatUrl, doctor), 'server_unreachable', literal(url));
  });

  test('address_wrong: an unknown webhook, an HTML page and foreign JSON are found', {
    tag: '@story',
  }, async ({ platform, doctor }) => {
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

  test('a server that does not answer the requests for the script does not keep the diagnosis from ending', async ({
    doctor,
  }) => {
    let requests = 0;
    const silent = await doctor.proxy(({ url }) => url?.endsWith('/webchat.js') && requests++ > 0);
    const script = `<script src="${silent.chatUrl}/webchat.js"></script>`;
    const diagnosis = await doctor.diagnosePage(script);
    expect(diagnosis).toMatchObject(noFindings);
    expect(diagnosis.environment).toMatchObject({
      skipped: { version: expect.stringContaining('TimeoutError') },
    });
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

  test('key_wrong: a key with a right signature is refused with the reason, and the secret is not blamed', async ({
    page,
    platform,
    doctor,
  }) => {
    for (const [claims, detail] of [
      [
        { id: 'ada', exp: Date.now() + 3_600_000 },
        /`exp` must be in seconds since 1970, not in milliseconds/,
      ],
      [{ id: 'Ada Lovelace' }, /`id` must be 1 to 120 visible ASCII characters/],
    ] as const) {
      await page.goto('about:blank');
      const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
      const key = `${text}.${createHmac('sha256', userKeySecret).update(text).digest('base64url')}`;
      await doctor.diagnosePage(doctor.script(`data-chat-url="${platform.chatUrl}" data-manual`));
      await page.evaluate((userKey) => (window.platform as Platform).init({ user: { userKey } }), key);
      const diagnosis = await doctor.diagnoseAgain();
      const found = expectOnly(diagnosis, 'key_wrong', literal(platform.chatUrl));
      expect(found?.detail).toMatch(detail);
      expect(JSON.stringify(diagnosis)).not.toContain(key);
    }
  });

  /** Loads a page with this stored session. The chat itself does not start, because it would repair the session. */
  const remember = async (page: Page, chatUrl: string, session: object, doctor: DoctorFixture) => {
    await page.addInitScript(
      ([key = '', text = '']) => {
        // The chat resumes when the page is idle, which this prevents.
        window.requestIdleCallback = () => 0;
        localStorage.setItem(key, text);
      },
      [`platform-webchat:${chatUrl}`, JSON.stringify(session)],
    );
    return doctor.diagnosePage(doctor.script(`data-chat-url="${chatUrl}"`));
  };

  /** Creates a visitor with a conversation. */
  const openPage = async (chatUrl: string) => {
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
    const known = await openPage(platform.chatUrl);
    await fetch(`${platform.chatUrl}/users/me`, {
      method: 'DELETE',
      headers: { 'x-user-key': known.userKey },
    });
    const diagnosis = await remember(page, platform.chatUrl, known, doctor);
    expectOnly(diagnosis, 'visitor_gone', literal(platform.chatUrl));
    expect(diagnosis.ok).toBe(true);
  });

  test('conversation_gone: a deleted conversation is found', async ({ page, platform, doctor }) => {
    const known = { ...(await openPage(platform.chatUrl)), conversationId: 'conv_gone' };
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
    const known = await openPage(platform.chatUrl);
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
