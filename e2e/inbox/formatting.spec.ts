// Formatted replies: the buttons and keys of the composer in each browser, and the text as the visitor and the team see it.
import { expect, phone, test } from './inbox-page.ts';

test('a member formats a reply by keys and buttons, can undo it, and the visitor sees it formatted', {
  tag: '@story',
}, async ({ chat, member, openInbox, handOff }) => {
  await chat.startConversation();
  await chat.exchange('Where is my order?');
  const { conversationId = '' } = await chat.storedSession();
  await handOff(conversationId);
  const inbox = await openInbox(await member('Ada'), `?list=all&conversation=${conversationId}`);
  const { page, composer } = inbox;
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(composer).toBeFocused();
  await page.keyboard.type('Important');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+b');
  await expect(composer).toHaveValue('**Important**');
  await page.keyboard.press('ControlOrMeta+b');
  await expect(composer).toHaveValue('Important');
  // The browser takes back one change after the other.
  await page.keyboard.press('ControlOrMeta+z');
  await expect(composer).toHaveValue('**Important**');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(composer).toHaveValue('Important');
  await page.keyboard.press('ControlOrMeta+a');
  const bar = page.getByRole('toolbar', { name: 'Formatting' });
  // Beside the data of the visitor there is little space.
  await page.getByRole('button', { name: 'Formatting' }).click();
  await bar.getByRole('button', { name: 'Bold' }).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(': see ');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('the guide');
  await expect(composer).toHaveValue('**Important**: see [the guide](https://)');
  // In the reply the key is a link, and not the list of actions.
  await expect(inbox.dialog).toHaveCount(0);
  await composer.fill(
    '**Important**: see [the guide](https://site.test/guide)\n- _one_\n- `two`\n\n> said\n\n<b>x</b>',
  );
  expect(await inbox.violations()).toEqual([]);
  await composer.press('Control+Enter');

  for (const row of [
    chat.rows.filter({ hasText: 'Important' }),
    inbox.entries.filter({ hasText: 'Important' }),
  ]) {
    await expect(row.locator('strong')).toHaveText('Important');
    await expect(row.locator('a')).toHaveAttribute('href', 'https://site.test/guide');
    await expect(row.locator('li em')).toHaveText('one');
    await expect(row.locator('li code')).toHaveText('two');
    await expect(row.locator('blockquote')).toHaveText('said');
    await expect(row).toContainText('<b>x</b>');
  }
  await expect(page.locator(`.row[data-id="${conversationId}"]`)).toContainText('Important: see the guide');
  // A reply without marks is a text, as before.
  await inbox.send('Any questions?');
  await expect(chat.rows.filter({ hasText: 'Any questions?' }).locator('.markdown')).toHaveCount(0);
});

test('on a phone a button shows the formats, which the arrow keys reach', async ({ openConversation }) => {
  const { page, inbox } = await openConversation('Phoebe', phone);
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(inbox.composer).toBeVisible();
  const bar = page.getByRole('toolbar', { name: 'Formatting' });
  await expect(bar).toBeHidden();
  // The tools are shown with the focus.
  await inbox.composer.tap();
  await page.getByRole('button', { name: 'Formatting' }).click();
  await expect(bar).toBeVisible();
  for (const button of await bar.getByRole('button').all()) await expect(button).toBeInViewport();
  expect(await inbox.violations()).toEqual([]);
  await inbox.composer.fill('one');
  await bar.getByRole('button', { name: 'Bold' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(bar.getByRole('button', { name: 'Code' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(inbox.composer).toHaveValue('- one');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(overflow).toBe(false);
});
