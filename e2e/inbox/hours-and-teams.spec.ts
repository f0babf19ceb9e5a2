// Opening hours and teams: in the settings of the inbox, and as visitors and members notice them.
import { AdminClient, InboxClient } from '../../src/client/index.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';
import { expect, phone, test } from './inbox-page.ts';

const never = { timeZone: 'UTC', week: {}, exceptions: [] };
const always = { timeZone: 'UTC', always: true, week: {}, exceptions: [] };

// Other tests use the server, too.
test.afterEach(async ({ platform }) => {
  const client = new InboxClient({ apiUrl: platform.url, ...platform.admin });
  await client.setOpeningHours({ ...always });
  const { admin, botId } = await botClientsOf(platform);
  await admin.setBotDeployment({ id: botId, visitorHandoff: false });
});

test('hours that are changed while others are saved stay', async ({ member, openInbox }) => {
  const mia = await member('Mia', 'manager');
  const { page } = await openInbox(mia, '?settings=hours');
  await page.clock.setFixedTime(new Date('2026-12-25T01:00:00Z'));
  await page.getByLabel('Somebody answers at any time').uncheck();
  await page.getByLabel('Time zone').fill('America/Los_Angeles');
  const release = await holdRequests(page, '**/opening-hours');
  const saving = page.waitForRequest('**/opening-hours');
  await page.getByRole('button', { name: 'Save hours' }).click();
  await saving;
  await page.getByLabel('Friday, to').fill('15:00');
  await page.getByRole('button', { name: 'Add days' }).click();
  release();
  await expect(page.getByText('The opening hours were saved without your changes since then.')).toBeVisible();
  await expect(page.getByLabel('Friday, to')).toHaveValue('15:00');
  await expect(page.locator('.exception').getByLabel('From')).toHaveValue('2026-12-24');
  await page.getByRole('button', { name: 'Save hours' }).click();
  await expect(page.getByText('The opening hours were saved.')).toBeVisible();
});

test('hours and teams are set by keys, and axe finds nothing', async ({ member, openInbox, platform }) => {
  const client = new InboxClient({ apiUrl: platform.url, ...platform.admin });
  const mia = await member('Mia', 'manager');
  const inbox = await openInbox(mia, '?settings=hours');
  const { page } = inbox;
  const isAlways = page.getByLabel('Somebody answers at any time');
  await isAlways.focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('group', { name: 'Monday' }).getByLabel('Monday, from')).toHaveValue('09:00');
  await page.getByLabel('Time zone').fill('Nowhere');
  await expect(page.getByText('There is no time zone with this name.')).toBeVisible();
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Add hours: Saturday' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Saturday, to').fill('02:00');
  await expect(page.getByRole('group', { name: 'Saturday' })).toContainText('next day');
  await page.getByRole('button', { name: 'Add days' }).click();
  await page.locator('.exception').getByLabel('Name').fill('Holiday');
  expect(await inbox.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Save hours' }).click();
  await expect(page.getByText('The opening hours were saved.')).toBeVisible();
  const { openingHours } = await client.getOpeningHours();
  expect(openingHours).toMatchObject({
    timeZone: 'Europe/Berlin',
    week: { fri: [['09:00', '17:00']], sat: [['09:00', '02:00']] },
    exceptions: [{ name: 'Holiday', intervals: [] }],
  });

  await page.getByRole('link', { name: 'Teams' }).click();
  await expect(page.getByRole('heading', { name: 'Teams' })).toBeFocused();
  const name = `Billing ${crypto.randomUUID().slice(0, 8)}`;
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByLabel('Conversations go to').selectOption('The member with the fewest conversations');
  await page.getByLabel('Mia').last().check();
  expect(await inbox.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Add team' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: name });
  await expect(entry).toContainText('Members: 1');
  // Members of such a team say whether they are available.
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('button', { name: /^Available/ }).click();
  await expect(page.getByRole('button', { name: /^Away/ })).toBeVisible();
  expect(await inbox.violations()).toEqual([]);
  const onPhone = await openInbox(mia, '?settings=hours', phone);
  await onPhone.page.getByLabel('Somebody answers at any time').uncheck();
  expect(await onPhone.violations()).toEqual([]);
  expect(await onPhone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await onPhone.page.getByRole('link', { name: 'Teams' }).click();
  await expect(onPhone.page.getByRole('heading', { name })).toBeVisible();
  expect(await onPhone.violations()).toEqual([]);
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await page.getByRole('link', { name: 'Teams' }).click();
  await entry.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(entry).toHaveCount(0);
  await new AdminClient({ apiUrl: platform.url, ...platform.admin }).deleteWorkspaceMember({ id: mia.id });
});

test('a conversation is assigned to the member of a team whose inbox is open, and returns when they go away', {
  tag: '@story',
}, async ({ member, openInbox, visitor, platform }) => {
  const client = new InboxClient({ apiUrl: platform.url, ...platform.admin });
  const [ada, ben] = [await member('Ada'), await member('Ben')];
  const name = `Team ${crypto.randomUUID().slice(0, 8)}`;
  const fields = { name, mode: 'round_robin', memberIds: [ada.id, ben.id] } as const;
  const { team } = await client.createTeam({ ...fields, memberIds: [...fields.memberIds] });
  const inbox = await openInbox(ada, '?list=mine');
  await expect(inbox.page.getByRole('button', { name: /^Available/ })).toBeVisible();
  const nora = await visitor('Nora', { asks: false });
  const { runtime } = await botClientsOf(platform);
  await runtime.requestHandoff({ id: nora.conversationId, team: name });
  // A row of this list is assigned to the member.
  await expect(inbox.row('Nora')).toBeVisible();
  await inbox.page.getByRole('button', { name: /^Available/ }).click();
  await inbox.page.getByRole('link', { name: /^Unassigned/ }).click();
  await expect(inbox.row('Nora')).toContainText(name);
  const other = await openInbox(ben, '?list=mine');
  await expect(other.row('Nora')).toBeVisible();
  await other.row('Nora').click();
  await other.page.keyboard.press('a');
  // The member in the title need not change: the team gives it to the same member again.
  const assigned = other.page.waitForResponse(/\/assign$/);
  await other.dialog.getByRole('button', { name }).click();
  expect((await assigned).status()).toBe(200);
  await expect(other.conversation.locator('.title')).toContainText(/Waiting|You/);
  await client.deleteTeam({ id: team.id });
});

test('outside of the opening hours the window says when a person is back, and the bot goes on', {
  tag: '@story',
}, async ({ chat, platform }) => {
  const client = new InboxClient({ apiUrl: platform.url, ...platform.admin });
  const { admin, botId } = await botClientsOf(platform);
  await admin.setBotDeployment({ id: botId, visitorHandoff: true });
  const soon = new Date(Date.now() + 3 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  const exceptions = [{ from: soon, to: soon, intervals: [['10:00', '11:00']] as [string, string][] }];
  await client.setOpeningHours({ ...never, exceptions });
  await chat.startConversation();
  await chat.exchange('Hello');
  await chat.choose('Talk to a person');
  const bar = chat.window.locator('[part="handling"]');
  await expect(bar).toContainText('A person answers again');
  await expect(bar.getByRole('button')).toHaveCount(0);
  await chat.exchange('Still there?');
});
