// The page renders the place of the chat again, as routers do: the chat goes on with the visitor, and with what the visitor
// and the page have decided.
import type { Page } from '@playwright/test';
import { signUserKey } from '../../src/client/index.ts';
import type { InitOptions, Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test, userKeySecret } from '../support/fixtures.ts';

const keyOf = (name: string) => signUserKey({ id: `${name}-${Date.now()}`, secret: userKeySecret });

/** Starts a chat in the element `#place` with these options, and waits for its greeting. */
async function embed(chat: ChatPage, options: Pick<InitOptions, 'user'> = {}): Promise<void> {
  const body = '<main><div id="place"></div></main><a href="#chat" data-platform-open>Talk to us</a>';
  await chat.load('data-manual', { body });
  await chat.call('init', { target: '#place', ...options });
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
}

/** Renders the place again. @param isOpened the page opens the chat in the same task. */
const renderAgain = (page: Page, isOpened = false) =>
  page.evaluate((opens) => {
    const place = document.createElement('div');
    place.id = 'place';
    document.querySelector('main')?.replaceChildren(place);
    if (opens) (window.platform as Platform).open();
  }, isOpened);
test('a visitor who has logged out stays logged out in the new element', async ({ chat, page }) => {
  const userKey = await keyOf('ada');
  await embed(chat, { user: { userKey } });
  const { id } = await chat.call('getUser');
  await chat.call('logout');
  await renderAgain(page);
  await chat.call('open');
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  expect((await chat.call('getUser')).id).not.toBe(id);
  expect((await chat.storedSession()).userKey).not.toBe(userKey);
});

test('without consent nothing is stored in the new element either, and the conversation goes on', async ({
  chat,
  page,
}) => {
  await embed(chat);
  await chat.exchange('Before');
  await chat.call('consent', false);
  await expect.poll(() => chat.storedSession()).toEqual({});
  await renderAgain(page);
  await chat.call('open');
  await chat.exchange('After');
  expect(await chat.texts()).toEqual(expect.arrayContaining(['Before', 'After']));
  expect(await chat.storedSession()).toEqual({});
});

test('an identified visitor and what they are writing are still there in the new element', async ({
  chat,
  page,
}) => {
  await embed(chat);
  const userKey = await keyOf('bea');
  await chat.call('identify', userKey);
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await chat.input.fill('Half a sentence');
  await renderAgain(page);
  await chat.call('open');
  await expect(page.locator('#place platform-webchat')).toHaveCount(1);
  await expect(chat.input).toHaveValue('Half a sentence');
  expect((await chat.call('getUser')).userKey).toBe(userKey);
  // The browser reports the refused look-up of a user who does not exist yet.
  chat.ignoreConsoleErrors('401');
});

test('the newest message is in sight in the new element, also if the page opens the chat in the same task', async ({
  chat,
  page,
}) => {
  await embed(chat);
  for (const text of ['One', 'Two', 'Three', 'Four', 'Five']) await chat.exchange(text);
  await expect(chat.rows.first()).not.toBeInViewport();
  await renderAgain(page, true);
  await expect(chat.rows.last()).toBeInViewport();
});

test('the consent holds until the page has the element for which init() has failed', async ({
  chat,
  page,
}) => {
  await embed(chat);
  await chat.call('consent', false);
  await expect.poll(() => chat.storedSession()).toEqual({});
  const refusal = await page.evaluate(() => {
    document.querySelector('main')?.replaceChildren();
    try {
      (window.platform as Platform).init({ target: '#place' });
    } catch (error) {
      return String(error);
    }
    return undefined;
  });
  expect(refusal).toContain("no element '#place'");
  await renderAgain(page);
  await chat.call('init', { target: '#place' });
  await chat.exchange('Without consent');
  expect(await chat.storedSession()).toEqual({});
});

test('an element of the page that opens the chat shows it in the new element', async ({ chat, page }) => {
  await embed(chat);
  await renderAgain(page);
  await expect(page.locator('platform-webchat')).toHaveCount(0);
  await page.getByRole('link', { name: 'Talk to us' }).click();
  await expect(page.locator('#place platform-webchat')).toHaveCount(1);
  await chat.exchange('In the new element');
});

test('after the page has removed the window, init() keeps to what the visitor has said about consent', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.call('consent', false);
  await expect.poll(() => chat.storedSession()).toEqual({});
  await page.evaluate(() => {
    document.querySelector('platform-webchat')?.remove();
    (window.platform as Platform).init();
  });
  await chat.launcher.click();
  await chat.exchange('Without consent');
  expect(await chat.storedSession()).toEqual({});
  // Until destroy().
  await chat.call('destroy');
  await chat.call('init');
  await chat.launcher.click();
  await chat.exchange('Started again');
  expect(await chat.storedSession()).toHaveProperty('userKey');
});
