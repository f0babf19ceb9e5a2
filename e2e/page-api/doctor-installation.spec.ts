// Tests of platform.doctor() with faults of the installation: script tag, chat URL, target, version, configuration.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expectOnly, literal, test } from '../support/doctor.ts';
import { readableByAnyPage } from '../support/faults/fault-proxy.ts';
import { expect } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

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
    let requests = 0;
    const proxy = await doctor.proxy(({ url }, answer) => {
      if (!url?.endsWith('/webchat.js') || !requests++) return;
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
      "configuration_wrong Configuration: 'color' must be a HEX color.",
      "configuration_wrong Configuration: 'radius' must be a number. (data-radius)",
      "configuration_wrong Configuration: no field 'colour'.",
    ]);
    expect(findings[0]?.cure).toContain('docs/reference/configuration.md');
  });
});
