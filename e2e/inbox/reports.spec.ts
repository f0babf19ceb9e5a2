// Reports: what a member reads of real conversations, the choice of a period, CSV, keys, phones, and who may see what.
import { readFile } from 'node:fs/promises';
import { InboxClient } from '../../src/client/index.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';
import { expect, phone, refuse, test } from './inbox-page.ts';

const section = (name: string) => ({ name, level: 2 });

test('a member reads and saves the figures of reports', async ({ member, openInbox, visitor, platform }) => {
  const mia = await member('Mia', 'manager');
  const name = `Ada-${crypto.randomUUID().slice(0, 8)}`;
  const ada = await member(name);
  const asAda = new InboxClient({
    apiUrl: platform.url,
    workspaceId: platform.admin.workspaceId,
    token: ada.token,
  });
  const nora = await visitor('Nora');
  await asAda.takeConversation({ id: nora.conversationId });
  const { seq } = await asAda.getInboxTimeline({ id: nora.conversationId });
  const payload = { type: 'text', text: 'It is on its way.' } as const;
  await asAda.createReply({ id: nora.conversationId, payload, seenSeq: seq });
  await asAda.closeInboxConversation({ id: nora.conversationId });

  const inbox = await openInbox(mia);
  const { page } = inbox;
  const link = page.getByRole('link', { name: 'Reports' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Reports' })).toBeFocused();
  await expect(page.getByRole('heading', section('Times'))).toBeVisible();
  await expect(link).toHaveAttribute('aria-current', 'page');
  await expect(page.getByText(/conversations? began; \d+ of them/)).toBeVisible();
  await expect(page.getByText(/First response: half within/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^Bars: conversations of each day/ })).toBeVisible();
  // A table beside each chart, with as many rows as days.
  await expect(page.getByRole('region', { name: 'Conversations of each day' }).getByRole('row')).toHaveCount(
    31,
  );
  const work = page.getByRole('region', { name: 'Work of members' });
  await expect(work.getByRole('row', { name: new RegExp(name) })).toContainText('1');
  expect(await inbox.violations()).toEqual([]);

  await page.getByLabel('Period').selectOption('The last 90 days');
  await expect(page.getByRole('region', { name: 'Conversations of each week' }).getByRole('row')).toHaveCount(
    14,
  );
  expect(new URL(page.url()).searchParams.get('report')).toBe('90d');
  await page.getByLabel('Period').selectOption('Other dates');
  await page.getByLabel('From').fill('2020-01-01');
  await page.getByLabel('To', { exact: true }).fill('2020-01-31');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByText('No conversations began.')).toBeVisible();
  await expect(page.getByText('Nobody was answered.')).toBeVisible();
  expect(await inbox.violations()).toEqual([]);
  // The server says what is wrong with a period.
  await page.getByLabel('From').fill('2018-01-01');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByText(/at most 366 days/)).toBeVisible();
  await page.getByLabel('Period').selectOption('The last 7 days');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as CSV: work of members' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^report-members-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  const csv = await readFile(await file.path(), 'utf8');
  expect(csv.startsWith('\ufeffmember,id,')).toBe(true);
  expect(csv).toContain(`\r\n${name},${ada.id},1,`);
  await expect(page.getByText(/^Saved as report-members/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Reports' })).toHaveCount(0);

  const onPhone = await openInbox(mia, '?report=30d', phone);
  await expect(onPhone.page.getByRole('heading', section('Times'))).toBeVisible();
  expect(await onPhone.violations()).toEqual([]);
  expect(await onPhone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // As on a wide window that is enlarged to 400 %.
  await onPhone.page.setViewportSize({ width: 320, height: 640 });
  const scroller = onPhone.page.locator('.reports .scroll');
  expect(await scroller.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await onPhone.page.getByRole('link', { name: 'Back to the conversations' }).click();
  await expect(onPhone.page.getByRole('heading', { name: 'Reports' })).toHaveCount(0);
});

test('who may read less is told so, and a failed report is repeated', async ({ member, openInbox }) => {
  const ben = await openInbox(await member('Ben'), '?report=7d');
  await expect(ben.page.getByText('Only your own work is counted.')).toBeVisible();
  await expect(ben.page.getByRole('heading', section('Your work'))).toBeVisible();
  await expect(ben.page.getByRole('heading', section('Conversations'))).toHaveCount(0);
  await expect(ben.page.getByText('Nobody replied.')).toBeVisible();
  expect(await ben.violations()).toEqual([]);
  await ben.page.route('**/v1/inbox/report?*', (route) => route.abort());
  await ben.page.getByLabel('Period').selectOption('This month');
  await expect(ben.page.getByText(/The server cannot be reached/)).toBeVisible();
  await expect(ben.page.getByRole('heading', section('Your work'))).toHaveCount(0);
  await ben.page.unroute('**/v1/inbox/report?*');
  await ben.page.getByRole('button', { name: 'Try again' }).click();
  await expect(ben.page.getByRole('heading', section('Your work'))).toBeVisible();

  const vic = await openInbox(await member('Vic', 'viewer'), '?report=7d');
  await expect(vic.page.getByText(/This needs the permission reports.read/)).toBeVisible();
  await expect(vic.page.getByRole('link', { name: 'Reports' })).toHaveCount(0);
  expect(await vic.violations()).toEqual([]);
});

test('a question that the bot did not answer in three conversations leads to the last one, also if only the bot handled it', {
  tag: '@story',
}, async ({ member, openInbox, visitor, platform }) => {
  const { runtime } = await botClientsOf(platform);
  const question = `Do you deliver to ${crypto.randomUUID().replaceAll('-', 'x')}?`;
  for (const name of ['Nora', 'Omar', 'Pia']) {
    const { conversationId, client, say } = await visitor(name, { asks: false });
    await say(question);
    const payload = { type: 'text', text: 'I do not know.' } as const;
    const { message } = await runtime.createMessage({ conversationId, payload });
    await client.setFeedback({ id: message.id, value: 'negative' });
  }
  const inbox = await openInbox(await member('Mia', 'manager'), '?report=7d');
  const { page } = inbox;
  const row = page.getByRole('row').filter({ hasText: question });
  await expect(row.getByRole('cell').first()).toHaveText('3');
  expect(await inbox.violations()).toEqual([]);
  await row.getByRole('link').press('Enter');
  // From there Tab leads on.
  await expect(inbox.conversation.getByRole('heading').first()).toBeFocused();
  await expect(inbox.conversation).toContainText(question);
  await expect(inbox.conversation).toContainText('I do not know.');
});

test('"Show" keeps the focus, and after "Try again" the heading has it', async ({ member, openInbox }) => {
  const { page } = await openInbox(await member('Ben'), '?report=2020-01-01..2020-01-31');
  await expect(page.getByText('Nobody replied.')).toBeVisible();
  await page.getByLabel('From').fill('2020-01-05');
  const show = page.getByRole('button', { name: 'Show' });
  await page.route('**/v1/inbox/report?*', refuse);
  await show.press('Enter');
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await expect(show).toBeFocused();
  await expect(page.getByLabel('From')).toHaveValue('2020-01-05');
  await page.unroute('**/v1/inbox/report?*');
  await again.press('Enter');
  await expect(page.getByText('Nobody replied.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Reports' })).toBeFocused();
});
