// The page of the visitor beside the conversation: shared by the site, with its changes, until consent is withdrawn; and typing to the bot.
import { expect, test } from './inbox-page.ts';

test('a member who reads along sees on which page the visitor is, and that they type', {
  tag: '@story',
}, async ({ chat, member, openInbox }) => {
  await chat.load('data-share-page="path"', { path: '/shop' });
  await chat.page.evaluate(() => {
    history.replaceState(null, '', '?token=secret#part');
    document.title = 'Shop';
  });
  await chat.launcher.click();
  await chat.exchange('Where is my order?');
  const { conversationId = '' } = await chat.storedSession();
  const { origin } = new URL(chat.page.url());
  const inbox = await openInbox(await member('Ada'), `?list=bot&conversation=${conversationId}`);
  const shown = inbox.page.locator('.shared-page');
  await expect(inbox.page.locator('.visitor .presence')).toHaveText('Online now');
  await expect(shown).toContainText('Shop');
  await expect(shown.getByRole('link')).toHaveAttribute('href', `${origin}/shop`);
  expect(await inbox.violations()).toEqual([]);

  await chat.page.evaluate(() => {
    history.pushState(null, '', '/cart?step=2');
    document.title = 'Cart';
  });
  await expect(shown.getByRole('link')).toHaveAttribute('href', `${origin}/cart`);
  await expect(shown).toContainText('Cart');

  await chat.input.pressSequentially('And when');
  await expect(inbox.conversation.getByText('is typing…')).toBeVisible();
  await expect(inbox.page.locator(`.row[data-id="${conversationId}"]`)).toContainText('Typing…');

  await chat.call('consent', false);
  await expect(shown).toHaveCount(0);
});

test('without the field nothing is sent', async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('Where is my order?');
  expect(chat.requests.filter((url) => /\/page$/.test(url))).toEqual([]);
});
