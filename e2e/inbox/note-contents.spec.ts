// Colleagues are mentioned in notes, by keyboard and by touch, and notes have files that only the team can open.
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { drawImage } from '../support/images.ts';
import { expect, type InboxPage, phone, test } from './inbox-page.ts';

const options = ({ conversation }: InboxPage) => conversation.getByRole('option');
const notes = ({ conversation }: InboxPage) => conversation.getByRole('article', { name: /^Note of/ });
const files = ({ conversation }: InboxPage) =>
  conversation.getByRole('list', { name: 'Files of this note' }).getByRole('listitem');
const mentions = ({ page }: InboxPage) => page.getByRole('link', { name: /^Mentions/ });

/** A name that no member of another test on the same server has. */
const unique = (name: string): string => `${name}-${crypto.randomUUID().slice(0, 6)}`;

test('a colleague is mentioned by keyboard, is told, and has read what is open', async ({
  member,
  openConversation,
  openInbox,
}) => {
  const ben = await member(unique('Ben'));
  // Members who cannot answer visitors are not offered. The page reads the names when it is opened.
  await member(`${ben.name}t`, 'viewer');
  const { inbox, page, visitor } = await openConversation('Paul');
  const colleague = await openInbox(ben, '?list=mine');
  await inbox.beginNote();
  await inbox.composer.pressSequentially(`Ask @${ben.name.slice(0, -1).toLowerCase()}`);
  await expect(options(inbox)).toHaveText([ben.name]);
  await expect(options(inbox)).toHaveAttribute('aria-selected', 'true');
  expect(await inbox.violations()).toEqual([]);
  // Escape closes the list and not the composer.
  await page.keyboard.press('Escape');
  await expect(options(inbox)).toHaveCount(0);
  await expect(inbox.composer).toBeFocused();
  await inbox.composer.fill('');
  await inbox.composer.pressSequentially('@');
  await expect(options(inbox).first()).toBeVisible();
  // The keys go around; the one that is chosen is told to screen readers.
  await page.keyboard.press('ArrowUp');
  await expect(options(inbox).last()).toHaveAttribute('aria-selected', 'true');
  const active = await inbox.composer.getAttribute('aria-activedescendant');
  await expect(options(inbox).last()).toHaveAttribute('id', active ?? '');
  await page.keyboard.press('ArrowDown');
  await expect(options(inbox).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type(ben.name.slice(0, -1));
  await page.keyboard.press('Enter');
  await expect(inbox.composer).toHaveValue(`@${ben.name} `);
  await page.keyboard.type('can you look? https://example.com/a');
  // The announcement is removed after some seconds: it is awaited from now on.
  const notified = expect(
    colleague.page.getByRole('alert').or(colleague.page.locator('[aria-live="assertive"]')),
  ).toContainText('Ada mentions you');
  await Promise.all([notified, page.keyboard.press('Control+Enter')]);
  await expect(notes(inbox).locator('.mention')).toHaveText(`@${ben.name}`);
  await expect(notes(inbox).getByRole('link')).toHaveText(/^https:\/\/example.com\/a/);
  await expect(mentions(colleague)).toHaveText('Mentions: 1');
  // Sent together: the second key counts for a while only.
  await Promise.all([...'gn'].map((key) => colleague.page.keyboard.press(key)));
  await colleague.row('Paul').click();
  await expect(notes(colleague)).toContainText(`@${ben.name} can you look?`);
  expect(await colleague.violations()).toEqual([]);
  // A mention in the conversation that is open is read at once.
  await expect(mentions(colleague)).toHaveText('Mentions: 0');
  await inbox.send(`@${ben.name} now`);
  await expect(notes(colleague).filter({ hasText: 'now' })).toBeVisible();
  await expect(mentions(colleague)).toHaveText('Mentions: 0');
  expect((await visitor.texts()).join()).not.toContain(ben.name);
});

test('on a phone a name is inserted by touch, and an edit mentions another colleague', async ({
  member,
  openConversation,
  openInbox,
}) => {
  const [ben, cleo] = [await member(unique('Ben')), await member(unique('Cleo'))];
  const { inbox, page } = await openConversation('Rita', phone);
  const [first, second] = [await openInbox(ben, '?list=mentioned'), await openInbox(cleo, '?list=mentioned')];
  await page.getByRole('radio', { name: 'Note' }).check();
  await inbox.composer.pressSequentially(`@${ben.name.slice(0, -1)}`);
  await options(inbox).filter({ hasText: ben.name }).tap();
  await expect(inbox.composer).toBeFocused();
  await expect(inbox.composer).toHaveValue(`@${ben.name} `);
  await page.getByRole('button', { name: 'Add note' }).tap();
  await expect(first.row('Rita')).toBeVisible();
  await notes(inbox).getByRole('button', { name: /^Edit/ }).tap();
  const box = notes(inbox).getByRole('textbox');
  await box.fill('');
  await box.pressSequentially(`@${cleo.name.slice(0, -1)}`);
  await expect(options(inbox)).toHaveText([cleo.name]);
  await box.press('Tab');
  await expect(box).toHaveValue(`@${cleo.name} `);
  await notes(inbox).getByRole('button', { name: 'Save' }).tap();
  await expect(second.row('Rita')).toBeVisible();
  await expect(first.rows).toHaveCount(0);
});

test('names of any script fit, and input methods change nothing', async ({ member, openConversation }) => {
  const [markup, long, arabic] = ['Zed <b>x</b> \u202eoh', `Z${'z'.repeat(79)}`, 'ز بن علي'];
  for (const name of [markup, long, arabic]) await member(name);
  const { inbox, page } = await openConversation('Tom', phone);
  // As with the keyboard of the phone open.
  await page.setViewportSize({ width: 360, height: 340 });
  await page.getByRole('radio', { name: 'Note' }).check();
  await inbox.composer.pressSequentially('Ask @z');
  await expect(options(inbox)).toHaveText([markup, long], { useInnerText: false });
  await expect(options(inbox).first()).toBeInViewport();
  await expect(inbox.composer).toBeInViewport();
  const list = inbox.conversation.getByRole('listbox');
  expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(await inbox.violations()).toEqual([]);
  // Safari sends this for the key that ends a composition.
  for (const key of ['Enter', 'Tab', 'Escape', 'ArrowDown'])
    await inbox.composer.dispatchEvent('keydown', { key, keyCode: 229, bubbles: true, cancelable: true });
  await expect(inbox.composer).toHaveValue('Ask @z');
  await expect(inbox.composer).toBeFocused();
  await expect(options(inbox).first()).toHaveAttribute('aria-selected', 'true');
  await inbox.composer.fill('');
  await inbox.composer.pressSequentially('请@ز');
  await options(inbox).tap();
  await expect(inbox.composer).toHaveValue(`请@${arabic} `);
  await inbox.composer.press('Control+Enter');
  await expect(notes(inbox).locator('.mention')).toHaveText(`@${arabic}`);
  await expect(notes(inbox).locator('.mention')).toHaveCSS('unicode-bidi', 'isolate');
});

test('a note has files without a text, which colleagues open and the visitor never gets', async ({
  member,
  openConversation,
  openInbox,
}) => {
  const { inbox, page, visitor, path } = await openConversation('Sam');
  const colleague = await openInbox(await member('Ben'), path, phone);
  await page.getByRole('radio', { name: 'Note' }).check();
  const choosing = page.waitForEvent('filechooser');
  await inbox.conversation.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles([
    { name: 'invoice <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('wordofthefile') },
    { name: 'photo.png', mimeType: 'image/png', buffer: await drawImage(page, 'image/png', 200, 100) },
  ]);
  await expect(inbox.conversation.locator('.attachments [data-status="uploaded"]')).toHaveCount(2);
  // They stay with the note, and are not in the reply.
  await page.getByRole('radio', { name: 'Reply' }).check();
  await expect(inbox.conversation.locator('.attachments li')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Note' }).check();
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(inbox.conversation.locator('.composer .attachments li')).toHaveCount(0);
  for (const one of [inbox, colleague]) {
    await expect(files(one)).toHaveCount(2);
    await expect(files(one).first()).toContainText('invoice <b>.txt');
    await expect(files(one).getByRole('img', { name: 'photo.png' })).toHaveJSProperty('naturalWidth', 200);
    expect(await one.violations()).toEqual([]);
  }
  const loading = colleague.page.waitForEvent('download');
  await files(colleague).getByRole('button', { name: 'Download invoice <b>.txt' }).tap();
  const download = await loading;
  expect(await readFile(await download.path(), 'utf8')).toBe('wordofthefile');
  // The visitor can read neither name nor address.
  const id = visitor.conversationId;
  const read = JSON.stringify([
    await visitor.client.list.messages({ conversationId: id }).collect(),
    await visitor.client.listActivities({ id }),
  ]);
  expect(read).not.toMatch(/invoice|photo|note/);
  page.once('dialog', (dialog) => dialog.accept());
  const remove = notes(inbox).getByRole('button', { name: /^Delete/ });
  await remove.click();
  await expect(files(colleague)).toHaveCount(0);
  expect((await fetch(download.url())).status).toBe(404);
});
