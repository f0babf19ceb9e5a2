// Tests of platform.doctor() in general: on a healthy page it reports no finding, and creates and stores nothing; a
// check that throws does not prevent the others; every finding has a test in a file of this folder named `doctor…`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { signUserKey } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { findings as table } from '../../src/widget/diagnostics/findings.ts';
import { diagnose, expectFinding, noFindings, test } from '../support/doctor.ts';
import { expect } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';
import { startPlatform } from '../support/server.ts';

test('doctor has no findings on a healthy page, before and during a conversation, and creates and stores nothing', {
  tag: '@story',
}, async ({ chat, page, platform, serve }) => {
  const printed: string[] = [];
  page.on('console', (message) => printed.push(`${message.type()} ${message.text()}`));
  const counts = () => {
    const db = new DatabaseSync(join(platform.folder, 'platform.db'), { readOnly: true });
    const tables = ['users', 'conversations', 'messages', 'events', 'requests', 'files'];
    const rows = tables.map((name) => db.prepare(`SELECT count(*) AS n FROM ${name}`).get());
    db.close();
    return rows;
  };
  const storageContent = () =>
    page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

  const html = pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js"></script>`);
  const csp = strictCsp(platform.url, { media: true });
  await chat.goto(serve('/healthy', html, { 'content-security-policy': csp }));
  const before = [counts(), await storageContent()];
  expect(await diagnose(page)).toMatchObject(noFindings);
  expect([counts(), await storageContent()]).toEqual(before);
  expect(await storageContent()).toBe('[{},{}]');
  expect(printed.filter((line) => line.includes('[platform] doctor'))).toEqual([
    'startGroup [platform] doctor: nothing found',
  ]);

  await chat.openWindow();
  await chat.exchange('I feel fine');
  const during = [counts(), await storageContent()];
  const diagnosis = await diagnose(page);
  expect(diagnosis).toMatchObject(noFindings);
  // The event stream was checked too.
  expect(diagnosis.environment).toMatchObject({ state: 'open', skipped: {} });
  expect([counts(), await storageContent()]).toEqual(during);
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
  const body = `<div id="place" style="height:500px"></div>${doctor.served('data-target="#place"')}`;
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
  await page.evaluate(() => (window.platform as Platform).destroy());
  await doctor.findAgain('not_initialized', /destroyed/);
});

test('doctor with a valid key of a user who does not exist yet creates no user', async ({ page, doctor }) => {
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

test('internal: a check that throws is reported and does not prevent the others', async ({
  page,
  doctor,
}) => {
  await page.addInitScript(() => {
    document.elementFromPoint = () => {
      throw new Error('The page has broken it.');
    };
  });
  const diagnosis = await doctor.diagnosePage(doctor.served('data-color="red"'));
  const { detail } = expectFinding(diagnosis, 'internal', /could not be done/);
  expect(detail).toContain('The page has broken it.');
  expectFinding(diagnosis, 'configuration_wrong', /'color'/);
});

test('every finding of the table has a test in this file', () => {
  const folder = 'e2e/page-api';
  const files = readdirSync(folder).filter((file) => file.startsWith('doctor'));
  const source = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  const named = (code: string) => source.includes(`'${code}'`) || source.includes(`"${code} `);
  expect(Object.keys(table).length).toBeGreaterThan(30);
  expect(Object.keys(table).filter((code) => !named(code))).toEqual([]);
});
