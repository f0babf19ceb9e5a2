// The inbox without a pointer: keys, focus, and announcements for screen readers.
import { expect, phone, refuse, test } from './inbox-page.ts';

test('a member works through the list by keys alone: open, take, reply, note, tag, snooze, close', {
  tag: '@story',
}, async ({ member, openInbox, visitor }) => {
  const first = await visitor('First');
  await visitor('Second');
  const inbox = await openInbox(await member('Ada'), '?list=unassigned');
  const { page } = inbox;
  await expect(inbox.row('First')).toBeVisible();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

  await page.keyboard.press('j');
  while (!(await focused()).includes('First')) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(inbox.conversation.getByRole('heading', { name: 'First' })).toBeFocused();
  await page.keyboard.press('t');
  await expect(inbox.composer).toBeFocused();
  // Letters are text in a text field.
  await page.keyboard.type('te z');
  await page.keyboard.press('Control+Enter');
  await expect(inbox.entries.filter({ hasText: 'te z' })).toBeVisible();
  await expect.poll(first.texts).toContain('te z');
  // The stream can show what was sent before its response: until then, the page starts no other action of the conversation.
  await expect(inbox.composer).toHaveValue('');
  await expect(inbox.composer).toBeFocused();

  await page.keyboard.press('Escape');
  await expect(inbox.conversation.getByRole('region', { name: /^Messages/ })).toBeFocused();
  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Note for the team' })).toBeFocused();
  await page.keyboard.type('a note');
  await page.keyboard.press('Control+Enter');
  await expect(inbox.entries.filter({ hasText: 'a note' })).toBeVisible();
  await expect(inbox.composer).toHaveValue('');
  await page.keyboard.press('Escape');

  await page.keyboard.press('l');
  await expect(inbox.dialog.getByLabel('New tag')).toBeFocused();
  await page.keyboard.type('refund');
  await page.keyboard.press('Enter');
  await expect(inbox.dialog.getByRole('button', { name: '#refund' })).toBeVisible();
  await expect(inbox.dialog.getByLabel('New tag')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(inbox.dialog).toHaveCount(0);
  await expect(inbox.row('First')).toContainText('#refund');

  await page.keyboard.press('z');
  await expect(inbox.dialog).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(inbox.conversation.locator('.title')).toContainText('Snoozed until they write');
  await expect(page.getByRole('button', { name: 'End snooze' })).toBeEnabled();
  await first.say('I am back');
  await expect(inbox.conversation.locator('.title')).toContainText('You');

  // Announcements are removed after some seconds: they are awaited from now on.
  const said = expect(page.getByRole('status').filter({ hasText: 'done' })).toHaveCount(1);
  await Promise.all([said, page.keyboard.press('e')]);
  // The focus goes on in the list.
  await expect.poll(() => page.evaluate(() => !!document.activeElement?.closest('.list .row'))).toBe(true);

  // The second key counts for a while only, which may have passed on a busy machine.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await expect(page.getByRole('heading', { name: 'Closed' })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(inbox.row('First')).toBeVisible();
});

test('keys are heard at once, listed, and can be switched off', async ({ member, openInbox, visitor }) => {
  await visitor('Emil');
  const { page, dialog } = await openInbox(await member('Ada'), '?list=all');
  // Pressed in the task that draws the page, and answered in it.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.inbox')) return;
      observer.disconnect();
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: '?', bubbles: true, cancelable: true }),
      );
    }).observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(dialog.getByRole('heading', { name: 'Keyboard' })).toBeVisible();
  // A key is listed once.
  const keys = await dialog.locator('kbd').allTextContents();
  expect([new Set(keys).size, keys]).toEqual([keys.length, expect.arrayContaining(['e', 'z', '?'])]);
  await expect(dialog.locator('.keys > div').filter({ hasText: /^e/ })).toHaveText('eClose or Reopen');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('prefer');
  await page.keyboard.press('Enter');
  await page.getByLabel('Single letters are shortcuts').uncheck();
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page.locator('.inbox')).toBeVisible();
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await expect(dialog.getByRole('heading', { name: 'Actions' })).toBeVisible();
});

test('rows keep their places while the list has the focus', async ({ member, openInbox, visitor }) => {
  const { conversationId } = await visitor('Older');
  const { page, rows } = await openInbox(await member('Ada'), '?list=unassigned');
  await page.locator(`.row[data-id="${conversationId}"]`).focus();
  const first = await rows.first().getAttribute('data-id');
  await visitor('Newcomer');
  const show = page.getByRole('button', { name: /^\d+ new, show$/ });
  await expect(show).toBeVisible();
  await expect(rows.first()).toHaveAttribute('data-id', first ?? '');
  await expect(rows.filter({ hasText: 'Newcomer' })).toHaveCount(0);
  await show.press('Enter');
  await expect(page.getByRole('heading', { name: 'Unassigned' })).toBeFocused();
  await expect(rows.first()).toContainText('Newcomer');
  // Later ones come by themselves.
  await visitor('Latest');
  await expect(rows.first()).toContainText('Latest');
});

test('after reports the focus is on their link, after canned answers on the list', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId } = await visitor('Frida');
  const inbox = await openInbox(
    await member('Mia', 'manager'),
    `?list=all&conversation=${conversationId}&report=7d`,
  );
  const { page, dialog } = inbox;
  await expect(page.getByRole('heading', { name: 'Reports' })).toBeFocused();
  const tags = dialog.locator('.choices button').filter({ hasText: 'Tags' });
  await page.keyboard.press('Control+k');
  await expect(dialog.getByRole('button', { name: 'Go to Mine' })).toBeVisible();
  await expect(tags).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  // Without a link that opened them, it is on the name of the conversation.
  await page.keyboard.press('Escape');
  await expect(inbox.conversation.getByRole('heading', { name: 'Frida' })).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(tags).toHaveCount(1);
  await page.keyboard.press('Escape');
  const leave = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('link', { name: 'Back to the conversations' }).press('Enter'),
  ];
  const link = page.getByRole('link', { name: 'Reports', exact: true });
  for (const act of [...leave, () => page.goBack()]) {
    await link.press('Enter');
    await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeFocused();
    await act();
    await expect(link).toBeFocused();
  }
  for (const act of leave) {
    await page.getByRole('link', { name: 'Team', exact: true }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Team', level: 1 })).toBeFocused();
    await page.getByRole('link', { name: 'Canned answers' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Canned answers', level: 2 })).toBeFocused();
    await act();
    await expect(page.getByRole('link', { name: /^Mine/ })).toBeFocused();
  }
  const onPhone = await openInbox(await member('Ada'), '', phone);
  await onPhone.page.getByRole('link', { name: 'Team' }).tap();
  await onPhone.page.getByRole('link', { name: 'Canned answers' }).tap();
  await expect(onPhone.page.getByRole('heading', { name: 'Canned answers' })).toBeFocused();
  await onPhone.page.getByRole('link', { name: 'Back to the conversations' }).tap();
  await expect(onPhone.page.getByRole('link', { name: /^Mine/ })).toBeFocused();
});

test('the name of the list has the focus after "Try again"', async ({ member, openInbox, visitor }) => {
  await visitor('Gerd');
  const { page, rows } = await openInbox(await member('Ada'), '?list=mine');
  await page.route('**/v1/inbox/conversations?*', refuse);
  await page.getByRole('link', { name: /^Unassigned/ }).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await page.unroute('**/v1/inbox/conversations?*');
  await again.press('Enter');
  await expect(page.getByRole('heading', { name: 'Unassigned' })).toBeFocused();
  await expect(rows.filter({ hasText: 'Gerd' })).toBeVisible();
});
