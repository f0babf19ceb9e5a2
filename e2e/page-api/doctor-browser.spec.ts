// Tests of platform.doctor() with problems of the browser: missing features, storage, clock, network connection.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expectFinding, literal, noFindings, test } from '../support/doctor.ts';
import { expect } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

test('browser_too_old: a browser without required features is found', async ({ page, doctor }) => {
  await page.addInitScript('delete HTMLElement.prototype.inert');
  const { detail } = await doctor.find('browser_too_old', /It lacks: inert\./, doctor.servedScript);
  expect(detail).toContain('Chrome/');
});

test('storage_blocked: blocked storage is found', async ({ page, doctor }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
  });
  await doctor.find('storage_blocked', /localStorage is refused/, doctor.servedScript);
});

test('storage_full: found in the configured storage', async ({ page, doctor }) => {
  expect(await doctor.diagnosePage(doctor.served('data-storage-location="sessionStorage"'))).toMatchObject(
    noFindings,
  );
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
  await doctor.findAgain('storage_full', /sessionStorage is full/);
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
    await doctor.findAgain('storage_corrupt', literal(key));
    expect(await page.evaluate((name) => localStorage.getItem(name), key)).toBe(text);
  }
});

test('storage_partitioned: found in a frame of another site', async ({ page, site, doctor }) => {
  const inner = site.page('/inner', pageHtml(doctor.servedScript), {}).replace('127.0.0.1', 'localhost');
  await page.goto(site.page('/outer', `<!doctype html><iframe src="${inner}" width="900" height="700">`, {}));
  const frame = page.frameLocator('iframe');
  await expect(frame.locator('.launcher')).toBeVisible();
  const diagnosis = await frame.locator('body').evaluate(() => (window.platform as Platform).doctor());
  expectFinding(diagnosis, 'storage_partitioned', /localhost/);
  expect(diagnosis.findings).toHaveLength(1);
});

test('clock_wrong: a wrong clock is found', async ({ page, doctor }) => {
  await page.clock.install();
  await page.clock.setSystemTime(Date.now() - 3 * 3_600_000);
  await doctor.find('clock_wrong', /180 minutes behind/, doctor.servedScript);
});

test('offline: a missing network connection is found', async ({ context, doctor }) => {
  expect(await doctor.diagnosePage(doctor.servedScript)).toMatchObject(noFindings);
  await context.setOffline(true);
  expectFinding(await doctor.diagnoseAgain(), 'offline', /the browser is offline/);
});
