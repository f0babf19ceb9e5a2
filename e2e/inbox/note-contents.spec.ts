// Colleagues are mentioned in notes, by keyboard and by touch, and notes have files that only the team can open.
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { expect, type InboxPage, phone, test } from './inbox-page.ts';

const options = ({ conversation }: InboxPage) => conversation.getByRole('option');
const notes = ({ conversation }: InboxPage) => conversation.getByRole('article', { name: /^Note of/ });
const files = ({ conversation }: InboxPage) =>
  conversation.getByRole('list', { name: 'Files of this note' }).getByRole('listitem');
const mentions = ({ page }: InboxPage) => page.getByRole('link', { name: /^Mentions/ });

/** A name that no member of another test on the same server has. */
const unique = (name: string): string => `${name}-${crypto.randomUUID().slice(0, 6)}`;

/** A picture of 200 by 100 pixels, drawn by the page. */
const picture = async ({ page }: InboxPage): Promise<Buffer> => {
  const address = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 200, height: 100 });
    const context = canvas.getContext('2d');
    if (context) context.fillStyle = 'teal';
    context?.fillRect(0, 0, 200, 100);
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(address.replace(/^[^,]*,/, ''), 'base64');
};

test('a colleague is mentioned by keyboard, is told, and finds the conversation in a list until it is closed', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId, texts } = await visitor('Paul');
  const ben = await member(unique('Ben'));
  // Who cannot answer visitors is not offered. The page reads the names when it is opened.
  await member(`${ben.name}t`, 'viewer');
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  const colleague = await openInbox(ben, '?list=mine');
  await expect(inbox.composer).toBeVisible();
  await expect(mentions(colleague)).toHaveText('Mentions: 0');
  await inbox.beginNote();
  await inbox.composer.pressSequentially(`Ask @${ben.name.slice(0, -1).toLowerCase()}`);
  await expect(options(inbox)).toHaveText([ben.name]);
  await expect(options(inbox)).toHaveAttribute('aria-selected', 'true');
  expect(await inbox.violations()).toEqual([]);
  // Escape closes the list and not the composer; another character opens no closed list again.
  await inbox.page.keyboard.press('Escape');
  await expect(options(inbox)).toHaveCount(0);
  await expect(inbox.composer).toBeFocused();
  await inbox.composer.fill('');
  await inbox.composer.pressSequentially('@');
  await expect(options(inbox).first()).toBeVisible();
  // The keys go around; the one that is chosen is told to screen readers.
  await inbox.page.keyboard.press('ArrowUp');
  await expect(options(inbox).last()).toHaveAttribute('aria-selected', 'true');
  const active = await inbox.composer.getAttribute('aria-activedescendant');
  await expect(options(inbox).last()).toHaveAttribute('id', active ?? '');
  await inbox.page.keyboard.press('ArrowDown');
  await expect(options(inbox).first()).toHaveAttribute('aria-selected', 'true');
  await inbox.page.keyboard.type(ben.name.slice(0, -1));
  await inbox.page.keyboard.press('Enter');
  await expect(inbox.composer).toHaveValue(`@${ben.name} `);
  await inbox.page.keyboard.type('can you look? https://example.com/a');
  // What is announced is removed after some seconds: it is awaited from now on.
  const told = expect(
    colleague.page.getByRole('alert').or(colleague.page.locator('[aria-live="assertive"]')),
  ).toContainText('Ada mentions you');
  await Promise.all([told, inbox.page.keyboard.press('Control+Enter')]);
  await expect(notes(inbox).locator('.mention')).toHaveText(`@${ben.name}`);
  await expect(notes(inbox).getByRole('link')).toHaveText(/^https:\/\/example.com\/a/);

  await expect(mentions(colleague)).toHaveText('Mentions: 1');
  // Sent together: the second key counts for a while only.
  await Promise.all([...'gn'].map((key) => colleague.page.keyboard.press(key)));
  await expect(colleague.rows).toHaveCount(1);
  await expect(colleague.row('Paul')).toContainText('Mentions you');
  expect(await colleague.violations()).toEqual([]);
  await colleague.row('Paul').click();
  await expect(notes(colleague)).toContainText(`@${ben.name} can you look?`);
  expect(await colleague.violations()).toEqual([]);
  // They have seen it: it is listed and not counted, also when they load the page again.
  await expect(mentions(colleague)).toHaveText('Mentions: 0');
  await expect(colleague.row('Paul')).not.toContainText('Mentions you');
  await colleague.page.reload();
  await expect(colleague.row('Paul')).toBeVisible();
  await expect(mentions(colleague)).toHaveText('Mentions: 0');
  // A mention in the conversation that is open is seen at once; one in another conversation is not.
  const seen = colleague.page.waitForResponse(/\/read$/);
  await inbox.composer.fill(`@${ben.name} now`);
  await inbox.page.keyboard.press('Control+Enter');
  await expect(notes(colleague).filter({ hasText: 'now' })).toBeVisible();
  expect((await seen).status()).toBe(200);
  await expect(mentions(colleague)).toHaveText('Mentions: 0');
  await colleague.page.getByRole('link', { name: /^Mine/ }).click();
  await inbox.composer.fill(`@${ben.name} and now`);
  await inbox.page.keyboard.press('Control+Enter');
  await expect(mentions(colleague)).toHaveText('Mentions: 1');
  // Until the response, the page starts no other action of the conversation.
  await expect(inbox.composer).toHaveValue('');
  await inbox.page.keyboard.press('Escape');
  await inbox.page.keyboard.press('e');
  await expect(mentions(colleague)).toHaveText('Mentions: 0');
  expect((await texts()).join()).not.toContain(ben.name);
});

test('on a phone a name is inserted by touch, an edit mentions another colleague, and the old one is not listed any more', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId } = await visitor('Rita');
  const [ben, cleo] = [await member(unique('Ben')), await member(unique('Cleo'))];
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`, phone);
  const [first, second] = [await openInbox(ben, '?list=mentioned'), await openInbox(cleo, '?list=mentioned')];
  await inbox.page.getByRole('radio', { name: 'Note' }).check();
  await inbox.composer.pressSequentially(`@${ben.name.slice(0, -1)}`);
  await options(inbox).filter({ hasText: ben.name }).tap();
  await expect(inbox.composer).toBeFocused();
  await expect(inbox.composer).toHaveValue(`@${ben.name} `);
  await inbox.page.getByRole('button', { name: 'Add note' }).tap();
  await expect(first.row('Rita')).toBeVisible();
  await notes(inbox).getByRole('button', { name: /^Edit/ }).tap();
  const box = notes(inbox).getByRole('textbox');
  await box.fill('');
  await box.pressSequentially(`@${cleo.name.slice(0, -1)}`);
  await expect(options(inbox)).toHaveText([cleo.name]);
  expect(await inbox.violations()).toEqual([]);
  await box.press('Tab');
  await expect(box).toHaveValue(`@${cleo.name} `);
  await notes(inbox).getByRole('button', { name: 'Save' }).tap();
  await expect(second.row('Rita')).toBeVisible();
  await expect(first.rows).toHaveCount(0);
});

test('names of any script and length are offered as they are, and keys of an input method change nothing', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId } = await visitor('Tom');
  const [markup, long, arabic] = ['Zed <b>x</b> \u202eoh', `Z${'z'.repeat(79)}`, 'ز بن علي'];
  for (const name of [markup, long, arabic]) await member(name);
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`, phone);
  // As with the keyboard of the phone open.
  await inbox.page.setViewportSize({ width: 360, height: 340 });
  await inbox.page.getByRole('radio', { name: 'Note' }).check();
  await inbox.composer.pressSequentially('Ask @z');
  await expect(options(inbox)).toHaveText([markup, long], { useInnerText: false });
  await expect(options(inbox).first()).toBeInViewport();
  await expect(inbox.composer).toBeInViewport();
  const list = inbox.conversation.getByRole('listbox');
  expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(await inbox.violations()).toEqual([]);
  /** What Safari sends for the key that ends a composition. */
  const pressComposing = (key: string) =>
    inbox.page.evaluate((pressed) => {
      const options = { key: pressed, keyCode: 229, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', options));
    }, key);
  for (const key of ['Enter', 'Tab', 'Escape', 'ArrowDown']) await pressComposing(key);
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
  // Escape would discard what was changed.
  await notes(inbox).getByRole('button', { name: /^Edit/ }).tap();
  // It is focused, with the caret at the end of its text, when it has been drawn.
  await expect(notes(inbox).getByRole('textbox')).toBeFocused();
  await notes(inbox).getByRole('textbox').fill('Changed');
  await pressComposing('Escape');
  await expect(notes(inbox).getByRole('textbox')).toHaveValue('Changed');
  await notes(inbox).getByRole('button', { name: 'Save' }).tap();
  await expect(notes(inbox)).toContainText('Changed');
});

test('a note has files without a text, which colleagues open and the visitor never gets', async ({
  member,
  openInbox,
  visitor,
  platform,
}) => {
  const { conversationId, client } = await visitor('Sam');
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  const colleague = await openInbox(await member('Ben'), `?list=all&conversation=${conversationId}`, phone);
  await inbox.page.getByRole('radio', { name: 'Note' }).check();
  const choosing = inbox.page.waitForEvent('filechooser');
  await inbox.conversation.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles([
    { name: 'invoice <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('wordofthefile') },
    { name: 'photo.png', mimeType: 'image/png', buffer: await picture(inbox) },
  ]);
  await expect(inbox.conversation.locator('.attachments li')).toHaveCount(2);
  await expect(inbox.conversation.locator('.attachments [data-status="uploaded"]')).toHaveCount(2);
  // They stay with the note, and are not in the reply.
  await inbox.page.getByRole('radio', { name: 'Reply' }).check();
  await expect(inbox.conversation.locator('.attachments li')).toHaveCount(0);
  await inbox.page.getByRole('radio', { name: 'Note' }).check();
  await inbox.page.getByRole('button', { name: 'Add note' }).click();
  await expect(inbox.conversation.locator('.composer .attachments li')).toHaveCount(0);
  for (const page of [inbox, colleague]) {
    await expect(files(page)).toHaveCount(2);
    await expect(files(page).first()).toContainText('invoice <b>.txt');
    await expect(files(page).getByRole('img', { name: 'photo.png' })).toHaveJSProperty('naturalWidth', 200);
    expect(await page.violations()).toEqual([]);
  }
  const loading = colleague.page.waitForEvent('download');
  await files(colleague).getByRole('button', { name: 'Download invoice <b>.txt' }).tap();
  const download = await loading;
  expect(await readFile(await download.path(), 'utf8')).toBe('wordofthefile');
  // What the visitor can read has neither name nor address.
  const read = JSON.stringify([
    await client.list.messages({ conversationId }).collect(),
    await client.listActivities({ id: conversationId }),
  ]);
  expect(read).not.toMatch(/invoice|photo|note/);
  inbox.page.once('dialog', (dialog) => dialog.accept());
  await notes(inbox)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(files(colleague)).toHaveCount(0);
  expect((await fetch(download.url())).status).toBe(404);
  expect(platform.url).toBe(new URL(download.url()).origin);
});

test('a note with a file whose response is lost is sent when it arrives, and stored once', async ({
  member,
  openInbox,
  visitor,
}) => {
  const { conversationId } = await visitor('Paul');
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  await expect(inbox.composer).toBeVisible();
  await inbox.beginNote();
  await inbox.page.locator('.composer input[type=file]').setInputFiles({
    ...{ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('A plan') },
  });
  await expect(inbox.conversation.locator('.attachments [data-status="uploaded"]')).toHaveCount(1);
  await inbox.page.route(/\/notes$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await inbox.send('See the plan');
  await expect(inbox.composer).toHaveValue('');
  await expect(inbox.conversation.locator('.attachments [data-status]')).toHaveCount(0);
  await expect(notes(inbox)).toHaveCount(1);
  await expect(inbox.conversation.getByRole('alert')).toHaveCount(0);
  await inbox.page.reload();
  await expect(files(inbox)).toHaveCount(1);
  await expect(notes(inbox)).toHaveCount(1);
});
