// The way of a conversation through the inbox: a visitor in the real widget, two members in two browsers, one of them on a phone.
import { Buffer } from 'node:buffer';
import { expect, phone, setReadReceipts, test } from './inbox-page.ts';

test.afterEach(({ platform }) => setReadReceipts(platform, false));

test('a visitor asks for a person, a member takes it on a phone and answers, and a colleague sees it at once', {
  tag: '@story',
}, async ({ chat, member, openInbox, handOff }) => {
  await chat.startConversation();
  await chat.exchange('Where is my order?');
  const { conversationId = '' } = await chat.storedSession();
  const [ada, ben] = [await member('Ada'), await member('Ben')];
  const onDesktop = await openInbox(ben, '?list=all');
  const onPhone = await openInbox(ada, '', phone);

  await handOff(conversationId, { note: 'The order is A-1.' });
  await onPhone.page.getByRole('link', { name: /^Unassigned/ }).click();
  const row = onPhone.page.locator(`.row[data-id="${conversationId}"]`);
  await expect(row).toContainText('Where is my order?');
  await expect(onDesktop.page.locator(`.row[data-id="${conversationId}"]`)).toBeVisible();
  await row.click();
  await expect(onPhone.entries.filter({ hasText: 'Where is my order?' }).first()).toBeVisible();
  await expect(onPhone.page.getByRole('article', { name: /only for your team/ })).toContainText(
    'The order is A-1.',
  );
  await onPhone.page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(onPhone.conversation.locator('.title')).toContainText('You');

  // The colleague sees who has it, without a reload.
  const seen = onDesktop.page.locator(`.row[data-id="${conversationId}"]`);
  await expect(seen).toContainText('Ada');
  await seen.click();
  await expect(onDesktop.entries.filter({ hasText: 'Ada joined' })).toBeVisible();

  await onPhone.send('I am looking for it.');
  await expect(chat.rows.filter({ hasText: 'I am looking for it.' })).toBeVisible();
  await expect(onDesktop.entries.filter({ hasText: 'I am looking for it.' })).toBeVisible();
  await chat.send('Thank you!');
  for (const inbox of [onPhone, onDesktop])
    await expect(inbox.entries.filter({ hasText: 'Thank you!' })).toBeVisible();

  // A note is for the team alone.
  await onDesktop.beginNote();
  await onDesktop.composer.fill('canary-4711: a difficult customer');
  await onDesktop.page.getByRole('button', { name: 'Add note' }).click();
  await expect(onPhone.page.getByText('canary-4711')).toBeVisible();
  await onPhone.page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(onPhone.page).toHaveURL(/list=unassigned$/);
  await expect(chat.serverTexts()).resolves.toContain('I am looking for it.');
  expect(JSON.stringify(await chat.serverMessages())).not.toContain('canary');
  expect(await chat.page.content()).not.toContain('canary');
  await expect(chat.window).not.toContainText('canary');
});

test('a file of a reply is read by the visitor, and each side sees what the other one has read', {
  tag: '@story',
}, async ({ chat, member, openInbox, handOff, platform }) => {
  await setReadReceipts(platform, true);
  await chat.startConversation();
  await chat.exchange('How do I get to you?');
  const { conversationId = '' } = await chat.storedSession();
  await handOff(conversationId);
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  await inbox.page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(chat.window.locator('[part="seen"]')).toHaveText('Seen');
  const choosing = inbox.page.waitForEvent('filechooser');
  await inbox.conversation.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles({
    name: 'way.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Turn left.'),
  });
  await expect(inbox.conversation.locator('.attachments [data-status="uploaded"]')).toHaveCount(1);
  await inbox.send('Here is the way.');
  const answer = inbox.entries.filter({ hasText: 'Here is the way.' });
  await expect(answer.getByRole('link', { name: /way\.txt/ })).toBeVisible();
  await expect(answer.locator('time')).toContainText(', seen');
  const link = chat.window.getByRole('link', { name: /way\.txt/ });
  const address = (await link.getAttribute('href')) ?? '';
  expect(await (await fetch(address)).text()).toBe('Turn left.');
});

test('a colleague who is mentioned in a note is told, and finds the conversation in a list', {
  tag: '@story',
}, async ({ member, openInbox, visitor }) => {
  const { conversationId, texts } = await visitor('Paul');
  const ben = await member(`Ben-${crypto.randomUUID().slice(0, 6)}`);
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  const colleague = await openInbox(ben, '?list=mine');
  await inbox.beginNote();
  await inbox.composer.pressSequentially(`@${ben.name.slice(0, -1)}`);
  await expect(inbox.conversation.getByRole('option')).toHaveText([ben.name]);
  await inbox.page.keyboard.press('Enter');
  await expect(inbox.composer).toHaveValue(`@${ben.name} `);
  await inbox.page.keyboard.type('can you look?');
  await inbox.page.keyboard.press('Control+Enter');
  const mentions = colleague.page.getByRole('link', { name: /^Mentions/ });
  await expect(mentions).toHaveText('Mentions: 1');
  await mentions.click();
  await expect(colleague.row('Paul')).toContainText('Mentions you');
  await colleague.row('Paul').click();
  const note = colleague.conversation.getByRole('article', { name: /^Note of/ });
  await expect(note).toContainText(`@${ben.name} can you look?`);
  await expect(mentions).toHaveText('Mentions: 0');
  expect((await texts()).join()).not.toContain(ben.name);
});

test('a reply is held that a colleague has answered meanwhile', async ({ member, openInbox, visitor }) => {
  const { conversationId, texts } = await visitor('Dora');
  const [ada, ben] = [await member('Ada'), await member('Ben')];
  const path = `?list=all&conversation=${conversationId}`;
  const inbox = await openInbox(ada, path);
  await inbox.page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(inbox.page.getByRole('button', { name: 'Close', exact: true })).toBeVisible();
  // The page is opened again without a stream: what a colleague writes now is not seen.
  for (const part of ['stream', 'changes*'])
    await inbox.page.route(`**/v1/inbox/${part}`, (route) => route.abort());
  await inbox.open(ada, path);
  await expect(inbox.entries.filter({ hasText: 'Ada joined' })).toBeVisible();
  await inbox.composer.fill('I will refund it.');
  const other = await openInbox(ben, path);
  await expect(other.page.getByRole('radio', { name: 'Note' })).toBeVisible();
  await other.beginNote();
  await other.send('Refunded already.');
  await expect(other.entries.filter({ hasText: 'Refunded already.' })).toBeVisible();
  await expect(inbox.page.getByText('Refunded already.')).toHaveCount(0);
  await inbox.page.getByRole('button', { name: 'Send' }).click();
  const alert = inbox.conversation.getByRole('alert');
  await expect(alert).toContainText('Your reply was not sent.');
  await expect(alert).toContainText('Refunded already.');
  await expect(inbox.composer).toHaveValue('I will refund it.');
  expect(await texts()).not.toContain('I will refund it.');
  await inbox.page.getByRole('button', { name: 'Send anyway' }).click();
  await expect(inbox.composer).toHaveValue('');
  await expect.poll(texts).toContain('I will refund it.');
});
