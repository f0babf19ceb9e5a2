// Tests of platform.doctor() with faults of the page: script tag, chat URL, target, version, configuration; a policy that blocks
// parts of the chat; a launcher that is removed, hidden, moved or covered.
import { readdirSync } from 'node:fs';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { FindingCode } from '../../src/widget/diagnostics/findings.ts';
import { type DoctorFixture, literal, noFindings, test } from '../support/doctor.ts';
import { readableByAnyPage } from '../support/faults/fault-proxy.ts';
import { expect } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

/** A page without a policy: its body, the part of the cause that names it, and CSS of the launcher. */
interface Fault {
  body: string;
  cause: string | RegExp;
  css?: string;
}
type Context = DoctorFixture & { url: string; chatUrl: string };
const place = '<div id="place"></div>';

const faults: [code: FindingCode, what: string, fault: (context: Context) => Fault][] = [
  [
    'chat_url_missing',
    'a script tag without a chat URL',
    ({ script }) => ({ body: script(), cause: /script tag nor init/ }),
  ],
  [
    'chat_url_wrong',
    'an invalid URL of the script tag',
    ({ script }) => ({ body: script('data-chat-url="ftp://a/b"'), cause: /'ftp:\/\/a\/b'/ }),
  ],
  [
    'not_initialized',
    'a page that never calls init',
    ({ served }) => ({ body: served('data-manual'), cause: /init\(\) was not called.*data-manual/ }),
  ],
  [
    'target_missing',
    'a missing target element',
    ({ served }) => ({ body: served('data-target="#nowhere"'), cause: /'#nowhere'/ }),
  ],
  [
    'script_twice',
    'a second script tag',
    ({ servedScript, script, url, chatUrl }) => ({
      body: servedScript + script(`data-chat-url="${chatUrl}"`),
      cause: new RegExp(
        `(?=.*${literal(`${chatUrl}/webchat.js`).source}).*${literal(`${url}/webchat/webchat.js`).source}`,
      ),
    }),
  ],
  [
    'script_module',
    'a module script next to the classic one',
    ({ servedScript, url }) => ({
      body: `${servedScript}<script type="module" src="${url}/webchat/webchat.js"></script>`,
      cause: literal(`${url}/webchat/webchat.js`),
    }),
  ],
  ...Object.entries({ display: 'none', visibility: 'hidden', opacity: '0' }).map(
    ([property, value]): (typeof faults)[number] => [
      'launcher_hidden',
      `the property ${property} of the launcher`,
      ({ servedScript }) => ({
        body: servedScript,
        css: `${property}: ${value}`,
        cause: new RegExp(`${property} is ${value} on <button .*part="launcher"`),
      }),
    ],
  ),
  [
    'launcher_hidden',
    'an embedded chat that the page hides',
    ({ served }) => ({
      body: `<div id="place" style="display: none"></div>${served('data-target="#place"')}`,
      cause: /<platform-webchat> is 0 by 0 pixels/,
    }),
  ],
  [
    'launcher_outside',
    'a launcher outside the viewport',
    ({ servedScript }) => ({
      body: servedScript,
      css: 'bottom: -900px',
      cause: /launcher lies at \d+, \d+, the page is/,
    }),
  ],
];
for (const [code, what, fault] of faults) {
  test(`${code}: ${what} is found`, async ({ platform, doctor }) => {
    const { body, cause, css } = fault({ ...doctor, ...platform });
    await doctor.find(
      code,
      cause,
      body,
      css ? { head: `<style>platform-webchat::part(launcher) { ${css} }</style>` } : {},
    );
  });
}

test('chat_url_wrong: an invalid URL of init() is found', async ({ page, doctor }) => {
  await doctor.diagnosePage(doctor.script('data-manual'));
  await page.evaluate(() => {
    try {
      (window.platform as Platform).init({ chatUrl: 'https://' });
    } catch {
      // The error is reported to the page too.
    }
  });
  await doctor.findAgain('chat_url_wrong', /'https:\/\/'/);
});

test('a module script alone does nothing, and the console explains why', async ({ page, platform, site }) => {
  const logged = page.waitForEvent('console', (message) =>
    message.text().includes('must be a classic script'),
  );
  const body = `<script type="module" src="${platform.url}/webchat/webchat.js"></script>`;
  await page.goto(site.page('/module', pageHtml(body), {}));
  expect((await logged).type()).toBe('error');
  expect(await page.evaluate(() => window.platform)).toBeUndefined();
});

test('script_outdated: a server with a newer script is found', async ({ doctor }) => {
  let requests = 0;
  const proxy = await doctor.proxy(({ url }, answer) => {
    if (!url?.endsWith('/webchat.js') || !requests++) return;
    answer.writeHead(200, { ...readableByAnyPage, 'content-type': 'text/javascript' }).end('"a newer one"');
    return true;
  });
  const src = `${proxy.chatUrl}/webchat.js`;
  await doctor.find('script_outdated', literal(src), `<script src="${src}"></script>`);
});

test('configuration_wrong: invalid values of page, tag and later calls and unknown names are found', async ({
  page,
  doctor,
}) => {
  await doctor.diagnosePage(doctor.served('data-manual data-radius="round"'));
  await page.evaluate(() => {
    const platform = window.platform as Platform;
    platform.init({ configuration: { color: 'red', colour: '#fff' } as never });
    platform.config({ configuration: { botName: 7 } as never });
  });
  const { ok, findings } = await doctor.diagnoseAgain();
  expect(ok).toBe(true);
  expect(findings.map(({ code, message }) => `${code} ${message}`).sort()).toEqual([
    "configuration_wrong Configuration: 'botName' must be a string.",
    "configuration_wrong Configuration: 'color' must be a HEX color.",
    "configuration_wrong Configuration: 'radius' must be a number. (data-radius)",
    "configuration_wrong Configuration: no field 'colour'.",
  ]);
  expect(findings[0]?.cure).toContain('docs/reference/configuration.md');
});

test.describe('a policy', () => {
  const policyOf = (more: Record<string, string>) =>
    Object.entries({ 'default-src': "'none'", 'script-src': "'nonce-n0nce'", ...more })
      .map(([name, value]) => `${name} ${value}`)
      .join('; ');
  const nonced = (body: string) => body.replaceAll('<script', '<script nonce="n0nce"');

  const policies: [
    FindingCode,
    what: string,
    (url: string) => [Record<string, string>, cause: string | RegExp],
  ][] = [
    [
      'csp_connect',
      'requests to the server',
      (url) => [{ 'connect-src': "'self'", 'img-src': '*' }, literal(`connect-src does not allow ${url}.`)],
    ],
    ['csp_images', 'images', (url) => [{ 'connect-src': url }, literal(`img-src does not allow ${url}`)]],
    [
      'csp_trusted_types',
      'its policy of Trusted Types',
      (url) => [
        {
          'connect-src': url,
          'img-src': '*',
          'require-trusted-types-for': "'script'",
          'trusted-types': 'theirs',
        },
        /trusted-types does not allow platform-webchat/,
      ],
    ],
  ];
  for (const [code, what, of] of policies) {
    test(`${code}: a policy that blocks ${what} is found`, async ({ platform, doctor }) => {
      const [directives, cause] = of(platform.url);
      await doctor.find(code, cause, nonced(doctor.servedScript), { csp: policyOf(directives) });
    });
  }

  test('csp_script: a policy that blocks the chunks is found', async ({ platform, doctor }) => {
    const chunk = readdirSync('dist/webchat').find((file) => file.startsWith('diagnostics-'));
    const csp = policyOf({
      'script-src': `'sha256-x' ${platform.chatUrl}/webchat.js ${platform.url}/webchat/${chunk}`,
      'connect-src': platform.url,
      'img-src': '*',
    });
    const cause = literal(`script-src-elem does not allow ${platform.url}/webchat/`);
    await doctor.find('csp_script', cause, doctor.servedScript, { csp });
  });

  test('chunk_failed: reported by the launcher script when even the diagnostics chunk is blocked', async ({
    platform,
    doctor,
  }) => {
    const csp = policyOf({ 'script-src': `${platform.chatUrl}/webchat.js`, 'connect-src': platform.url });
    const { ok, findings, environment } = await doctor.diagnosePage(doctor.servedScript, { csp });
    expect({ ok, environment }).toEqual({ ok: false, environment: undefined });
    expect(findings).toEqual([
      {
        code: 'chunk_failed',
        message: expect.stringContaining(`${platform.url}/webchat/diagnostics-`),
        cure: expect.stringContaining('script-src'),
      },
    ]);
  });

  test('a report-only policy is not a finding', async ({ page, platform, site, doctor }) => {
    const only = { 'content-security-policy-report-only': "default-src 'none'; script-src 'nonce-n0nce'" };
    await page.goto(site.page('/report', pageHtml(nonced(doctor.servedScript)), only));
    expect(platform.url).not.toBe(site.url);
    expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
  });

  test('mixed_content: an http server on an https page is found', async ({ page, platform, doctor }) => {
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
    await doctor.findAgain(
      'mixed_content',
      literal('https://shop.test/ may not ask http://chat.test/chat/demo'),
    );
  });
});

test('host_removed: a host element that the page removes again and again is found', async ({
  page,
  doctor,
}) => {
  await doctor.diagnosePage(doctor.servedScript);
  await page.evaluate(() => {
    const remove = () => document.querySelector('platform-webchat')?.remove();
    new MutationObserver(remove).observe(document.documentElement, { childList: true });
    remove();
  });
  await expect(page.locator('platform-webchat')).toHaveCount(0);
  await doctor.findAgain('host_removed', /<platform-webchat>/);
});

test('launcher_covered: an element in the top layer is found, if the page raises it again and again', async ({
  page,
  doctor,
}) => {
  await doctor.diagnosePage(`${doctor.servedScript}<div id="cookies" popover="manual" style="position:fixed;inset:0;margin:0;
    width:100%;height:100%"></div>`);
  await page.evaluate(() => {
    const cover = document.querySelector('#cookies') as HTMLElement;
    const host = document.querySelector('platform-webchat') as HTMLElement;
    cover.showPopover();
    host.addEventListener('toggle', () => {
      cover.hidePopover();
      cover.showPopover();
    });
  });
  await expect
    .poll(async () => (await doctor.diagnoseAgain()).findings.map(({ code }) => code))
    .toEqual(['launcher_covered']);
  await doctor.findAgain('launcher_covered', /<div id="cookies">/);
});

test('launcher_inert: the attribute and the dialog that make the chat inert are named', async ({
  page,
  doctor,
}) => {
  await doctor.diagnosePage(doctor.servedScript);
  await page.evaluate(() => document.querySelector('platform-webchat')?.setAttribute('inert', ''));
  await doctor.findAgain('launcher_hidden', /display is none/);
  await page.evaluate(() => {
    document.querySelector('platform-webchat')?.removeAttribute('inert');
    document.documentElement.inert = true;
  });
  await doctor.findAgain('launcher_inert', /inert is set on <html>/);
  await doctor.diagnosePage(
    `${place}<dialog id="ask">Sure?</dialog>${doctor.served('data-target="#place"')}`,
  );
  await page.evaluate(() => (document.querySelector('#ask') as HTMLDialogElement).showModal());
  await doctor.findAgain('launcher_inert', /<dialog id="ask"> is open/);
});

test('launcher_off: found after hide(), or with launcher: false unless the page has a trigger element or calls show()', async ({
  page,
  doctor,
}) => {
  const call = (method: 'hide' | 'show') =>
    page.evaluate((name) => (window.platform as Platform)[name](), method);
  const { diagnosis } = await doctor.find(
    'launcher_off',
    /data-platform-open/,
    doctor.served('data-launcher="false"'),
  );
  expect(diagnosis.ok).toBe(true);
  await call('show');
  expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
  await call('hide');
  expect((await doctor.findAgain('launcher_off', /hide\(\)/)).diagnosis.ok).toBe(true);
  await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-platform-open', ''));
  expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
});

test('an embedded chat that has not been scrolled to yet has no findings', async ({ doctor }) => {
  const body = `<div style="height: 300vh"></div>${place}${doctor.served('data-target="#place"')}`;
  expect(await doctor.diagnosePage(body)).toMatchObject(noFindings);
});
