// Colleagues of the same name, and those who are renamed: a note mentions who was chosen, also after it was edited.
import { AdminClient } from '../../src/client/index.ts';
import { expect, type InboxPage, test } from './inbox-page.ts';

const options = ({ conversation }: InboxPage) => conversation.getByRole('option');
const notes = ({ conversation }: InboxPage) => conversation.getByRole('article', { name: /^Note of/ });

test('of two colleagues with the same name, the one who was chosen is mentioned, also after a reload, an edit and a new name', async ({
  member,
  openInbox,
  visitor,
  platform,
}) => {
  const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
  const name = `Ann ${crypto.randomUUID().slice(0, 8)}`;
  const [first, second] = [await member(name), await member(name)];
  const members = await admin.list.workspaceMembers().collect();
  const emailOf = (id: string) => members.find((each) => each.id === id)?.email ?? '';
  const { conversationId } = await visitor('Lena');
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  // In the settings, too.
  const manager = await openInbox(await member('Max', 'manager'), '?settings=teams');
  for (const { id } of [first, second])
    await expect(manager.page.getByRole('checkbox', { name: `${name} ${emailOf(id)}` })).toBeVisible();
  const ofFirst = await openInbox(first, '?list=mentioned');
  const ofSecond = await openInbox(second, '?list=mentioned');

  await inbox.page.getByRole('radio', { name: 'Note' }).check();
  await inbox.composer.pressSequentially(`Ask @${name.slice(0, -1)}`);
  await expect(options(inbox)).toHaveCount(2);
  for (const { id } of [first, second])
    await expect(options(inbox).filter({ hasText: emailOf(id) })).toContainText(name);
  expect(await inbox.violations()).toEqual([]);
  await options(inbox)
    .filter({ hasText: emailOf(second.id) })
    .click();
  await expect(inbox.composer).toHaveValue(`Ask @${name} `);
  // The draft is stored, with whom it mentions. What is written before a name moves it.
  await inbox.page.reload();
  await inbox.page.getByRole('radio', { name: 'Note' }).check();
  await expect(inbox.composer).toHaveValue(`Ask @${name} `);
  await inbox.composer.press('Home');
  await inbox.composer.pressSequentially('Please: ');
  await inbox.composer.press('Control+Enter');
  await expect(notes(inbox)).toContainText(`Please: Ask @${name}`);
  await expect(ofSecond.row('Lena')).toBeVisible();
  await expect(ofFirst.rows).toHaveCount(0);

  const correct = async (text: string) => {
    await notes(inbox).getByRole('button', { name: /^Edit/ }).click();
    const box = notes(inbox).getByRole('textbox');
    // Not while the action before it waits for its response.
    await expect(box).toBeEditable();
    await box.press('Home');
    await box.pressSequentially(text);
    await box.press('Control+Enter');
    await expect(notes(inbox)).toContainText(text);
    await expect(notes(inbox).getByRole('textbox')).toHaveCount(0);
  };
  await correct('Lena is here. ');
  await expect(ofSecond.row('Lena')).toBeVisible();
  await expect(ofFirst.rows).toHaveCount(0);

  // Renamed since: the present name is not in the note.
  await admin.updateWorkspaceMember({ id: second.id, displayName: 'Berta' });
  await admin.updateWorkspaceMember({ id: first.id, displayName: 'Clara' });
  await inbox.page.reload();
  await correct('Today: ');
  await expect(ofSecond.row('Lena')).toBeVisible();
  await expect(ofSecond.page.getByRole('link', { name: /^Mentions/ })).toHaveText('Mentions: 1');
  await expect(ofFirst.rows).toHaveCount(0);
});
