// The sizes of what a thumb presses: where one pane is shown at a time, buttons and links of the inbox are at least 44 px high and wide.
import type { Page } from '@playwright/test';
import { botClientsOf } from '../support/test-data/bot-clients.ts';
import { expect, phone, test } from './inbox-page.ts';

/** Targets that are smaller. Links within a text are as high as the text; a field is pressed by its label. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    let count = 0;
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, a[href], summary, select, textarea, input:not([type="radio"], [type="checkbox"], [hidden]), label:has(input[type="radio"], input[type="checkbox"])',
    )) {
      const { width, height } = element.getBoundingClientRect();
      const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 1;
      const isInText = element.matches('a') && getComputedStyle(element).display === 'inline';
      if (!isShown || isInText) continue;
      count++;
      if (height < 43.5 || width < 43.5)
        found.push(
          `${element.tagName} "${element.textContent?.trim() || element.ariaLabel}" ${Math.round(width)} x ${Math.round(height)}`,
        );
    }
    return count > 0 ? found : ['nothing was found'];
  });

/** As wide as a phone, with a mouse: with a finger, nothing is smaller. */
const narrow = { viewport: { width: 390, height: 780 } };

test('in a window as wide as a phone everything that is pressed is at least 44 px, in each pane, dialog, setting and form', async ({
  browser,
  handOff,
  member,
  openInbox,
  platform,
  visitor,
}) => {
  const { conversationId, say } = await visitor('Zoe', { asks: false });
  await say('Hello, see https://example.com/');
  const { admin, runtime } = await botClientsOf(platform);
  const markdown =
    'Like this:\n\n```js\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![Map](https://example.com/a.png)';
  await runtime.createMessage({ conversationId, payload: { type: 'markdown', markdown } });
  await handOff(conversationId, { note: 'Be kind.' });
  const ada = await member('Ada', 'manager');
  const { page, dialog, send } = await openInbox(ada, '', narrow).then((inbox) => ({
    page: inbox.page,
    dialog: inbox.dialog,
    send: (text: string) => inbox.send(text),
  }));
  const check = async (state: string) => expect(await tooSmall(page), state).toEqual([]);
  await check('lists');
  await page.getByRole('link', { name: /^All(?! visitors)/ }).click();
  const row = page.locator(`.row[data-id="${conversationId}"]`);
  await expect(row).toBeVisible();
  await check('list');
  await page.getByRole('button', { name: 'Filter and order' }).click();
  await check('filter');
  await row.click();
  await expect(page.locator('.transcript table')).toBeVisible();
  await check('conversation');
  await page.getByRole('radio', { name: 'Note' }).check();
  await send('A note');
  await page.getByRole('button', { name: 'Edit the note of Ada' }).click();
  await check('note');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Zoe' }).focus();
  for (const key of ['?', 'Control+k', 'a', 'l', 'z']) {
    await page.keyboard.press(key);
    await expect(dialog).toBeVisible();
    await check(`dialog of ${key}`);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Visitor' }).click();
  await expect(page.getByText('Requests for a person')).toBeVisible();
  await check('visitor');
  for (const tab of ['answers', 'hours', 'teams']) {
    await page.goto(`${platform.url}/console/?settings=${tab}`);
    await expect(page.locator('.settings .tab-links')).toBeVisible();
    await expect(page.locator('.settings').getByText('Loading…')).toHaveCount(0);
    await check(`settings ${tab}`);
  }

  const context = await browser.newContext(phone);
  const signIn = await context.newPage();
  await signIn.goto(`${platform.url}/console/`);
  await expect(signIn.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  expect(await tooSmall(signIn), 'sign-in').toEqual([]);
  const { url = '' } = await admin.createMemberLink({ id: ada.id, purpose: 'invitation' });
  await signIn.goto(url);
  await expect(signIn.getByLabel('New password')).toBeVisible();
  expect(await tooSmall(signIn), 'invitation').toEqual([]);
  await context.close();
});
