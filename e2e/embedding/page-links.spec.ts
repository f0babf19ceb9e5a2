// Links of messages to a part of the page that contains the chat: they open in the same tab, as the page's own links do.
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

const text = `<p>${'Much text. '.repeat(2_000)}</p>`;
/** The focus returns to its button when the window closes; its `<base>` applies to links without a target. */
const site = {
  head: '<base href="/elsewhere/" target="_blank"><style>html { scroll-behavior: smooth }</style>',
  body: `<p><button data-platform-open>Ask</button></p>${text}<h2 id="delivery">Delivery</h2>${text}<h2 id="returns">Returns</h2>`,
  csp: '',
};

/** Loads the page, and lets the bot answer with links to its parts and to another page. */
async function askForParts(chat: ChatPage): Promise<void> {
  const { page } = chat;
  await chat.load('', site);
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await expect(chat.botRows.first()).toBeVisible();
  const here = page.url();
  await chat.instructBot({
    stream: [
      `See [the part about **delivery**](${here}#delivery) and [another page](${here}/other#delivery).`,
      { source: { title: 'All about returns', url: `${here}#returns` } },
    ],
  });
  await chat.window.getByRole('button', { name: '1 source' }).click();
}

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true },
};
for (const [device, options] of Object.entries(devices))
  test.describe(device, () => {
    test.use(options);

    test(`${device}: links to a part of the page move it there, and others open a new tab`, async ({
      chat,
      context,
      page,
    }) => {
      await askForParts(chat);
      const here = page.url();
      const other = chat.window.getByRole('link', { name: 'another page' });
      const [opened] = await Promise.all([context.waitForEvent('page'), other.click()]);
      await opened.close();
      await expect(chat.window).toBeVisible();

      for (const [name, part] of [
        ['the part about delivery', 'Delivery'],
        ['All about returns', 'Returns'],
      ] as const) {
        await page.evaluate(() => Object.assign(window, { isSame: true }));
        const link = chat.window.getByRole('link', { name });
        await link.click();
        await expect(page).toHaveURL(`${here}#${part.toLowerCase()}`);
        await expect(page.getByRole('heading', { name: part })).toBeInViewport();
        // A window over the whole page would cover the part.
        await expect(chat.window).toBeVisible({ visible: device === 'desktop' });
        if (device === 'phone') await chat.call('open');
        await expect(link).toHaveAccessibleDescription('');
      }
      // Back, as between parts of the page.
      await page.goBack();
      await expect(page).toHaveURL(`${here}#delivery`);
      expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
      expect(context.pages()).toHaveLength(1);
    });
  });

test('a link that had led to a part of the page opens a new tab when the page has another address', async ({
  chat,
  context,
  page,
}) => {
  await askForParts(chat);
  const link = chat.window.getByRole('link', { name: 'the part about delivery' });
  await link.focus();
  await expect(link).toHaveAccessibleDescription('');
  await page.evaluate(() => history.pushState(null, '', '/of-a-router'));
  const [opened] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
  await opened.close();
  await expect(page).toHaveURL(/\/of-a-router$/);
});
