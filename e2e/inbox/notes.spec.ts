// Notes that are changed and deleted in the page: by keyboard, by two members at once, and what is not saved.
import { expect, phone, test } from './inbox-page.ts';

test('the author changes a note by keyboard, and a colleague sees it live as edited', async ({
  member,
  openConversation,
  openInbox,
}) => {
  const { inbox, page, path } = await openConversation('Paul');
  const colleague = await openInbox(await member('Ben'), path, phone);
  await inbox.beginNote();
  await inbox.send('Order A-1');
  const note = page.getByRole('article', { name: /Note of Ada/ });
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
  for (const one of [note, seen]) await expect(one).toContainText(/Order A-2.*edited|edited.*Order A-2/s);
  // A change that was not saved is there after the page was loaded again.
  await edit.press('Enter');
  await box.fill('Order A-3?');
  await page.reload();
  await expect(box).toHaveValue('Order A-3?');
  await note.getByRole('button', { name: 'Cancel' }).click();
  await expect(note).toContainText('Order A-2');
  expect(await colleague.violations()).toEqual([]);
});

test('a note that a manager deletes while its author changes it is kept as a draft', async ({
  member,
  openConversation,
  openInbox,
}) => {
  const { inbox, page, path } = await openConversation('Rita');
  const manager = await openInbox(await member('Mia', 'manager'), path);
  await inbox.beginNote();
  await inbox.send('First');
  await inbox.composer.fill('A note that is not finished');
  const note = page.getByRole('article', { name: /Note of Ada/ });
  await note.getByRole('button', { name: 'Edit the note of Ada' }).click();
  await expect(note.getByRole('textbox')).toBeFocused();
  await note.getByRole('textbox').fill('First, and much more');
  manager.page.once('dialog', (dialog) => dialog.accept());
  await manager.page.getByRole('button', { name: 'Delete the note of Ada' }).click();
  await expect(note).toHaveCount(0);
  // Below the text in the box, which is not lost either.
  await expect(inbox.composer).toHaveValue('A note that is not finished\n\nFirst, and much more');
});

test('keys that follow a command or a name at once are text', async ({ member, openConversation }) => {
  const ben = await member(`Ben-${crypto.randomUUID().slice(0, 6)}`);
  const { inbox, page } = await openConversation('Vera');
  // Sent together: `e` alone ends the conversation, and `a` opens a dialog.
  await Promise.all([...'neat'].map((key) => page.keyboard.press(key)));
  await expect(inbox.composer).toHaveAttribute('placeholder', /for your team/);
  await expect(inbox.composer).toHaveValue('eat');
  await expect(inbox.dialog).toHaveCount(0);
  await inbox.composer.fill('');
  await inbox.composer.pressSequentially(`@${ben.name}`);
  await expect(page.getByRole('option')).toHaveCount(1);
  await Promise.all(['Enter', ...'look'].map((key) => page.keyboard.press(key)));
  await expect(inbox.composer).toHaveValue(`@${ben.name} look`);
});
