// Tests of platform.doctor() on pages whose policy blocks parts of the chat, and with mixed content.
import { readdirSync } from 'node:fs';
import { diagnose, expectOnly, literal, noFindings, test } from '../support/doctor.ts';
import { expect } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

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
