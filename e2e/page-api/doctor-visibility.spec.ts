// Tests of platform.doctor() on pages that remove, hide, move or cover the launcher.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expectOnly, noFindings, test } from '../support/doctor.ts';
import { expect } from '../support/fixtures.ts';

test.describe('visibility', () => {
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
    expectOnly(await doctor.diagnoseAgain(), 'launcher_covered', /<div id="cookies">/);
  });

  test('launcher_inert: the attribute and the dialog that make the chat inert are named', async ({
    page,
    doctor,
  }) => {
    await doctor.diagnosePage(doctor.servedScript);
    await page.evaluate(() => document.querySelector('platform-webchat')?.setAttribute('inert', ''));
    expectOnly(await doctor.diagnoseAgain(), 'launcher_hidden', /display is none/);
    await page.evaluate(() => {
      document.querySelector('platform-webchat')?.removeAttribute('inert');
      document.documentElement.inert = true;
    });
    expectOnly(await doctor.diagnoseAgain(), 'launcher_inert', /inert is set on <html>/);
  });

  test('launcher_inert: the dialog over an embedded chat is named', async ({ page, doctor }) => {
    const script = doctor.servedScript.replace('<script', '<script data-target="#place"');
    await doctor.diagnosePage(`<div id="place"></div><dialog id="ask">Sure?</dialog>${script}`);
    await page.evaluate(() => (document.querySelector('#ask') as HTMLDialogElement).showModal());
    expectOnly(await doctor.diagnoseAgain(), 'launcher_inert', /<dialog id="ask"> is open/);
  });

  test('launcher_off: found unless the page has a trigger element', async ({ page, doctor }) => {
    const body = doctor.servedScript.replace('<script', '<script data-launcher="false"');
    const diagnosis = await doctor.diagnosePage(body);
    expectOnly(diagnosis, 'launcher_off', /data-platform-open/);
    expect(diagnosis.ok).toBe(true);
    await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-platform-open', ''));
    expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
  });

  test('launcher_off: hide() is named as the cause, and after show() the launcher is checked, also with launcher: false', async ({
    page,
    doctor,
  }) => {
    const call = (method: 'hide' | 'show') =>
      page.evaluate((name) => (window.platform as Platform)[name](), method);
    const body = doctor.servedScript.replace('<script', '<script data-launcher="false"');
    await doctor.diagnosePage(body);
    await call('show');
    expect(await doctor.diagnoseAgain()).toMatchObject(noFindings);
    await call('hide');
    const diagnosis = await doctor.diagnoseAgain();
    expectOnly(diagnosis, 'launcher_off', /hide\(\)/);
    expect(diagnosis.ok).toBe(true);
  });

  test('an embedded chat that has not been scrolled to yet has no findings', async ({ doctor }) => {
    const body = '<div style="height: 300vh"></div><div id="place"></div>';
    const script = doctor.servedScript.replace('<script', '<script data-target="#place"');
    expect(await doctor.diagnosePage(body + script)).toMatchObject(noFindings);
  });

  test('launcher_hidden: an embedded chat that the page hides is found', async ({ doctor }) => {
    const body = '<div id="place" style="display: none"></div>';
    const script = doctor.servedScript.replace('<script', '<script data-target="#place"');
    const cause = /<platform-webchat> is 0 by 0 pixels/;
    expectOnly(await doctor.diagnosePage(body + script), 'launcher_hidden', cause);
  });
});
