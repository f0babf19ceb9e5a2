// Colleagues of the same name: a note mentions the one who was chosen, also after a reload and an edit.
import { AdminClient } from '../../src/client/index.ts';
import { expect, test } from './inbox-page.ts';

test('of two colleagues with the same name, the one who was chosen is mentioned', async ({
  platform,
  member,
  openConversation,
  openInbox,
}) => {
  const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
  const name = `Ann ${crypto.randomUUID().slice(0, 8)}`;
  const [first, second] = [await member(name), await member(name)];
  const members = await admin.list.workspaceMembers().collect();
  const emailOf = (id: string) => members.find((each) => each.id === id)?.email ?? '';
  const { inbox, page } = await openConversation('Lena');
  // In the settings, too.
  const manager = await openInbox(await member('Max', 'manager'), '?settings=teams');
  const [ofFirst, ofSecond] = [
    await openInbox(first, '?list=mentioned'),
    await openInbox(second, '?list=mentioned'),
  ];
  await page.getByRole('radio', { name: 'Note' }).check();
  await inbox.composer.pressSequentially(`Ask @${name.slice(0, -1)}`);
  const options = inbox.conversation.getByRole('option');
  await expect(options).toHaveCount(2);
  for (const { id } of [first, second]) {
    await expect(manager.page.getByRole('checkbox', { name: `${name} ${emailOf(id)}` })).toBeVisible();
    await expect(options.filter({ hasText: emailOf(id) })).toContainText(name);
  }
  expect(await inbox.violations()).toEqual([]);
  await options.filter({ hasText: emailOf(second.id) }).click();
  await expect(inbox.composer).toHaveValue(`Ask @${name} `);
  // The draft is stored, with whom it mentions. A text before a name moves it.
  await page.reload();
  await page.getByRole('radio', { name: 'Note' }).check();
  await expect(inbox.composer).toHaveValue(`Ask @${name} `);
  await inbox.composer.press('Home');
  await inbox.composer.pressSequentially('Please: ');
  await inbox.composer.press('Control+Enter');
  const note = inbox.conversation.getByRole('article', { name: /^Note of/ });
  await expect(note).toContainText(`Please: Ask @${name}`);
  await expect(ofSecond.row('Lena')).toBeVisible();
  await note.getByRole('button', { name: /^Edit/ }).click();
  // Not while the action before it waits for its response.
  await expect(note.getByRole('textbox')).toBeEditable();
  await note.getByRole('textbox').press('Home');
  await note.getByRole('textbox').pressSequentially('Lena is here. ');
  await note.getByRole('textbox').press('Control+Enter');
  await expect(note).toContainText('Lena is here. ');
  await expect(ofSecond.row('Lena')).toBeVisible();
  await expect(ofFirst.rows).toHaveCount(0);
});
