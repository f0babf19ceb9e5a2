// Notes that are changed and deleted in the page: by keyboard, by two members at once, and what is not saved.
import { expect, phone, test } from './inbox-page.ts';

test('the author changes a note by keyboard, a colleague sees it live as edited, and only the author can', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId } = await visitor('Paul');
  const path = `?list=all&conversation=${conversationId}`;
  const inbox = await openInbox(await member('Ada'), path);
  const colleague = await openInbox(await member('Ben'), path, phone);
  await expect(inbox.composer).toBeVisible();
  await inbox.beginNote();
  await inbox.send('Order A-1');
  const note = inbox.page.getByRole('article', { name: /Note of Ada/ });
  const seen = colleague.page.getByRole('article', { name: /Note of Ada/ });
  await expect(seen).toContainText('Order A-1');
  await expect(seen.getByRole('button')).toHaveCount(0);
  const edit = note.getByRole('button', { name: 'Edit the note of Ada' });
  await edit.press('Enter');
  const box = note.getByRole('textbox', { name: 'Text of the note' });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('Order A-1');
  expect(await inbox.violations()).toEqual([]);
  // Escape leaves the text as it was, and the focus where it was.
  await box.fill('Something else');
  await box.press('Escape');
  await expect(note).toContainText('Order A-1');
  await expect(edit).toBeFocused();
  await edit.press('Enter');
  await box.fill('  ');
  await expect(note.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  await box.fill('Order A-2');
  await box.press('Control+Enter');
  await expect(edit).toBeFocused();
  for (const one of [note, seen]) await expect(one).toContainText('Order A-2');
  for (const one of [note, seen]) await expect(one).toContainText('edited');
  // What was not saved is there after the page was loaded again.
  await edit.press('Enter');
  await box.fill('Order A-3?');
  await inbox.page.reload();
  await expect(box).toHaveValue('Order A-3?');
  await note.getByRole('button', { name: 'Cancel' }).click();
  await expect(note).toContainText('Order A-2');
  expect(await colleague.violations()).toEqual([]);
});

test('a manager deletes a note while its author changes it: the text is kept, and the conversation stays', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId } = await visitor('Rita');
  const path = `?list=all&conversation=${conversationId}`;
  const inbox = await openInbox(await member('Ada'), path);
  const manager = await openInbox(await member('Mia', 'manager'), path);
  await expect(inbox.composer).toBeVisible();
  await inbox.beginNote();
  const note = inbox.page.getByRole('article', { name: /Note of Ada/ });
  const remove = async () => {
    manager.page.once('dialog', (dialog) => dialog.accept());
    await manager.page.getByRole('button', { name: 'Delete the note of Ada' }).click();
  };
  await inbox.send('First');
  await inbox.composer.fill('A note that is not finished');
  await note.getByRole('button', { name: 'Edit the note of Ada' }).click();
  await expect(note.getByRole('textbox')).toBeFocused();
  await note.getByRole('textbox').fill('First, and much more');
  await remove();
  await expect(note).toHaveCount(0);
  // Below what is in the box, which is not lost either.
  await expect(inbox.composer).toHaveValue('A note that is not finished\n\nFirst, and much more');

  // The same with a page that does not receive the change.
  await inbox.send('Second');
  await expect(note).toBeVisible();
  // The draft is removed with the response, which can come after the note.
  await expect(inbox.composer).toHaveValue('');
  await expect(manager.page.getByRole('article', { name: /Note of Ada/ })).toBeVisible();
  for (const part of ['stream', 'changes*'])
    await inbox.page.route(`**/v1/inbox/${part}`, (route) => route.abort());
  await inbox.page.reload();
  await note.getByRole('button', { name: 'Edit the note of Ada' }).click();
  await expect(note.getByRole('textbox')).toBeFocused();
  await note.getByRole('textbox').fill('Second, and much more');
  await remove();
  await expect(manager.page.getByRole('article', { name: /Note of Ada/ })).toHaveCount(0);
  await note.getByRole('button', { name: 'Save' }).click();
  await expect(note).toHaveCount(0);
  await expect(inbox.conversation.getByRole('alert')).toContainText('has deleted this note meanwhile');
  await inbox.page.getByRole('radio', { name: 'Note' }).check();
  await expect(inbox.composer).toHaveValue('Second, and much more');
});

test('keys that follow the key for a note at once are text of the note, and no commands', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId } = await visitor('Vera');
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  await expect(inbox.composer).toBeVisible();
  const { keyboard } = inbox.page;
  // Sent together: `e` alone ends the conversation, and `a` opens a dialog.
  await Promise.all([...'neat'].map((key) => keyboard.press(key)));
  await expect(inbox.composer).toHaveAttribute('placeholder', /for your team/);
  await expect(inbox.composer).toHaveValue('eat');
  await expect(inbox.dialog).toHaveCount(0);
});

test('what is typed at once after a colleague was chosen stands behind the name', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId } = await visitor('Walt');
  const ben = await member(`Ben-${crypto.randomUUID().slice(0, 6)}`);
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  await expect(inbox.composer).toBeVisible();
  await inbox.beginNote();
  await inbox.composer.pressSequentially(`@${ben.name}`);
  await expect(inbox.page.getByRole('option')).toHaveCount(1);
  const { keyboard } = inbox.page;
  await Promise.all(['Enter', ...'look'].map((key) => keyboard.press(key)));
  await expect(inbox.composer).toHaveValue(`@${ben.name} look`);
});
