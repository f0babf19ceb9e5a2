// Blocks of answers that the page draws: in a real browser, live and after a reload, and with code that fails.
import type { Message } from '../../src/protocol/message.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { violations } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

declare global {
  interface Window {
    drawn: string[];
    removeBlock(): void;
    finish(): void;
  }
}

/** Draws blocks with the name `order`, and writes down what happens. */
function registerOrder(): void {
  window.drawn ??= [];
  const queue = (window.platform ?? []) as ((platform: Platform) => void)[];
  window.platform = queue;
  queue.push((platform) => {
    window.removeBlock = platform.registerBlock<{ id: string; tall?: boolean }>({
      name: 'order',
      render({ id, tall }, element, { signal }) {
        window.drawn.push(`draw ${id}`);
        signal.addEventListener('abort', () => window.drawn.push(`abort ${id}`));
        if (id === 'throws') throw new Error('Broken');
        if (id === 'rejects') return Promise.reject(new Error('Broken later'));
        if (id === 'never') return new Promise(() => {});
        if (id === 'later')
          return new Promise((resolve) => {
            window.finish = () => {
              element.textContent = 'It has come';
              resolve();
            };
          });
        const button = document.createElement('button');
        button.textContent = `Track ${id}`;
        button.style.minHeight = '44px';
        element.append(button);
        if (tall)
          element.append(
            Object.assign(document.createElement('p'), {
              textContent: 'x',
              style: 'height:5000px;width:5000px',
            }),
          );
        return undefined;
      },
      describe: ({ id }) => `Order ${id}`,
    });
  });
}
/** Starts a conversation on a page that draws such blocks. */
async function start(chat: ChatPage): Promise<void> {
  await chat.startConversation();
  await chat.page.evaluate(registerOrder);
}
const log = () => window.drawn;
const block = (id: string, more: object = {}) => ({ block: ['order', { id, ...more }, `Text of ${id}`] });

test('a block is drawn by the page, when it is registered before, after a reload and too late; and is removed', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await chat.instructBot({ stream: ['Here it is.', block('A-1'), 'Anything else?'] });
  const row = chat.botRows.last();
  await expect(row).toContainText('Text of A-1');
  // Too late: what is shown is drawn again.
  await page.evaluate(registerOrder);
  const group = page.getByRole('group', { name: 'Order A-1' });
  await expect(group.getByRole('button', { name: 'Track A-1' })).toBeVisible();
  await expect(row).not.toContainText('Text of A-1');
  expect(await page.evaluate(log)).toEqual(['draw A-1']);
  const [bubble, box] = [await row.locator('.bubble').boundingBox(), await group.boundingBox()];
  expect(box?.x).toBeGreaterThanOrEqual(bubble?.x ?? 1e6);
  expect((box?.y ?? 1e6) + (box?.height ?? 0)).toBeLessThanOrEqual((bubble?.y ?? 0) + (bubble?.height ?? 0));
  // Nothing is drawn again because the window is.
  await chat.configure({ color: '#0a7a5a' });
  await chat.instructBot({ stream: ['Also: ', block('A-2')] });
  await expect(page.getByRole('button', { name: 'Track A-2' })).toBeVisible();
  expect(await page.evaluate(log)).toEqual(['draw A-1', 'draw A-2']);
  expect(await violations(page)).toEqual([]);

  await page.evaluate(() => window.removeBlock());
  await expect(chat.window).toContainText('Text of A-1');
  await expect(chat.window).toContainText('Text of A-2');
  await expect(page.getByRole('button', { name: /^Track/ })).toHaveCount(0);
  expect((await page.evaluate(log)).slice(2).sort()).toEqual(['abort A-1', 'abort A-2']);

  await page.addInitScript(registerOrder);
  await page.reload();
  await chat.launcher.click();
  await expect(page.getByRole('button', { name: 'Track A-1' })).toBeVisible();
  chat.expectNoConsoleErrors();
});

test('code that throws or rejects shows the text of the bot, is reported once, and breaks nothing', async ({
  chat,
  page,
}) => {
  await start(chat);
  await page.evaluate(() => {
    (window.platform as Platform).on('error', ({ code }) => window.drawn.push(code));
  });
  await chat.instructBot({ stream: [block('throws'), block('rejects'), block('C-3'), 'after'] });
  const row = chat.botRows.last();
  await expect(row).toContainText('Text of throws');
  await expect(row).toContainText('Text of rejects');
  await expect(row).toContainText('after');
  await expect(page.getByRole('button', { name: 'Track C-3' })).toBeVisible();
  const seen = await page.evaluate(log);
  expect(seen.filter((line) => line === 'hook_failed')).toHaveLength(1);
  expect(seen.filter((line) => line === 'draw throws')).toHaveLength(1);
  expect(seen).toContain('abort throws');
  await chat.send('still there');
  await expect(chat.botRows.last()).toContainText('still there');
});

test('while a promise of the page is pending and nothing is drawn, the text of the bot is shown', async ({
  chat,
  page,
}) => {
  await start(chat);
  await chat.instructBot({ stream: [block('never'), block('later'), 'after'] });
  const row = chat.botRows.last();
  await expect(row).toContainText('Text of never');
  await expect(row).toContainText('Text of later');
  await page.evaluate(() => window.finish());
  await expect(page.getByRole('group', { name: 'Order later' })).toHaveText('It has come');
  await expect(row).not.toContainText('Text of later');
  await expect(row).toContainText('Text of never');
});

test('changed data is drawn in a new element, the signal of the previous one is aborted, and other blocks stay', async ({
  chat,
  page,
}) => {
  await start(chat);
  const created = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        (window.platform as Platform).on('message', (message) => {
          if (message.isBot) resolve((message as unknown as Message).id);
        });
      }),
  );
  await chat.instructBot({ stream: ['Look: ', block('E-1'), block('E-2')] });
  await expect(page.getByRole('button', { name: 'Track E-2' })).toBeVisible();
  await chat.instructBot({ updatePart: [await created, 'p1', { data: { id: 'E-3' } }], reply: [] });
  await expect(page.getByRole('button', { name: 'Track E-3' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Track E-1' })).toHaveCount(0);
  expect(await page.evaluate(log)).toEqual(['draw E-1', 'draw E-2', 'abort E-1', 'draw E-3']);
});

test('of two registrations of a name the newer draws, and the older again when it is removed', async ({
  chat,
  page,
}) => {
  await start(chat);
  await chat.instructBot({ stream: ['Look: ', block('F-1')] });
  await expect(page.getByRole('button', { name: 'Track F-1' })).toBeVisible();
  await page.evaluate(() => {
    const remove = (window.platform as Platform).registerBlock({
      name: 'order',
      render(_, element) {
        element.textContent = 'The newer one';
      },
    });
    window.finish = remove;
  });
  // Without `describe`, it has the text of the bot.
  await expect(page.getByRole('group', { name: 'Text of F-1' })).toHaveText('The newer one');
  await page.evaluate(() => window.finish());
  await expect(page.getByRole('button', { name: 'Track F-1' })).toBeVisible();
  expect(await page.evaluate(log)).toEqual(['draw F-1', 'abort F-1', 'draw F-1']);
});

test('a block that arrives before the code for hooks of the page is announced with the text of the page, or without that code', async ({
  chat,
  page,
}) => {
  await recordAnnouncements(page);
  const gate = await startRequestGate();
  await chat.startConversation();
  await chat.instructBot({ stream: [{ until: gate.url }, block('H-1')] });
  let release: (() => void) | undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/page-\w+\.js$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.evaluate(registerOrder);
  gate.open();
  await expect(chat.botRows.last()).toContainText('Text of H-1');
  await expect(chat.botRows.last()).toHaveAttribute('data-status', 'sent');
  release?.();
  await expect(page.getByRole('button', { name: 'Track H-1' })).toBeVisible();
  await expect.poll(async () => (await announcements(page)).at(-1)).toMatch(/: Order H-1$/);
  expect((await announcements(page)).filter((text) => text.includes('Text of H-1'))).toEqual([]);

  await page.reload();
  await page.route(/\/page-\w+\.js$/, (route) => route.abort());
  await chat.launcher.click();
  await expect(chat.botRows.last()).toContainText('Text of H-1');
  await page.evaluate(registerOrder);
  await chat.instructBot({ stream: [block('I-1')] });
  await expect.poll(async () => (await announcements(page)).at(-1)).toMatch(/: Text of I-1$/);
  chat.ignoreConsoleErrors(/Failed to load resource|ERR_FAILED/);
});

test('an answer that is a block alone is announced with the text of the page, and shown once', async ({
  chat,
  page,
}) => {
  await recordAnnouncements(page);
  await start(chat);
  await chat.instructBot({ stream: [block('G-1')] });
  await expect(page.getByRole('button', { name: 'Track G-1' })).toBeVisible();
  await expect(chat.botRows.last()).toHaveAttribute('data-status', 'sent');
  await expect(chat.botRows.last()).not.toContainText('Text of G-1');
  await expect.poll(async () => (await announcements(page)).at(-1)).toMatch(/: Order G-1$/);
  await chat.instructBot({ stream: ['Look:', { block: ['other', {}, 'Text of other'] }] });
  await expect.poll(async () => (await announcements(page)).at(-1)).toMatch(/: Look: Text of other$/);
});

test('an invalid registration is reported once, and draws nothing', async ({ chat, page }) => {
  await chat.startConversation();
  const errors = await page.evaluateHandle(() => {
    const list: string[] = [];
    const platform = window.platform as Platform;
    platform.on('error', ({ code, message }) => list.push(`${code} ${message}`));
    for (const given of [{ name: 'a b', render() {} }, { name: 'order' }, 7])
      platform.registerBlock(given as never);
    return list;
  });
  const expected = Array.from({ length: 3 }, () =>
    expect.stringMatching(/^invalid_argument registerBlock\(\)/),
  );
  await chat.instructBot({ stream: ['Look: ', block('H-1')] });
  await expect(chat.botRows.last()).toContainText('Text of H-1');
  // The text is shown before the code for hooks of the page, which reports them, is there.
  await expect.poll(() => errors.jsonValue()).toEqual(expected);
  await chat.instructBot({ stream: ['Look: ', block('H-2')] });
  await expect(chat.botRows.last()).toContainText('Text of H-2');
  expect(await errors.jsonValue()).toEqual(expected);
});

test.describe('on a phone, from right to left, in forced colors', () => {
  test.use({ viewport: { width: 320, height: 640 } });
  for (const dir of ['ltr', 'rtl'])
    test(`a block stays in its bubble: ${dir}`, async ({ chat, page }) => {
      await page.emulateMedia({ forcedColors: 'active' });
      await page.addInitScript((dir) => {
        addEventListener('DOMContentLoaded', () => {
          document.documentElement.dir = dir;
        });
      }, dir);
      await start(chat);
      await chat.instructBot({ stream: ['Look: ', block('I-1'), block('I-2', { tall: true })] });
      const row = chat.botRows.last();
      await expect(page.getByRole('button', { name: 'Track I-2' })).toBeVisible();
      const bubble = await row.locator('.bubble').boundingBox();
      for (const name of ['Order I-1', 'Order I-2']) {
        const box = await page.getByRole('group', { name }).boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(bubble?.x ?? 1e6);
        expect((box?.x ?? 1e6) + (box?.width ?? 0)).toBeLessThanOrEqual(
          (bubble?.x ?? 0) + (bubble?.width ?? 0) + 1,
        );
      }
      // Scrolling parts can be reached with the keyboard.
      await expect(page.getByRole('group', { name: 'Order I-2' })).toHaveAttribute('tabindex', '0');
      expect(await violations(page)).toEqual([]);
    });
});

test('the text of an unknown block is text, whatever is in it', async ({ chat }) => {
  await chat.startConversation();
  await chat.instructBot({ stream: ['Look: ', { block: ['unknown', { a: 1 }, '<b>text</b>'] }] });
  await expect(chat.botRows.last()).toContainText('<b>text</b>');
});

test('the demo page draws an order of the demo bot, which needs no key, and formulas', async ({
  page,
  platforms,
}) => {
  const { url } = await platforms({});
  await page.goto(url);
  await page.locator('.launcher').click();
  const window = page.getByRole('dialog', { name: /^(Chat with|The chat is loading)/ });
  const input = window.getByRole('textbox', { name: 'Message' });
  await input.fill('order');
  await input.press('Enter');
  const order = page.getByRole('group', { name: 'Order A-1: Delivered' });
  await expect(order).toContainText('City bike, rental');
  await expect(order.getByRole('listitem')).toHaveText(['Ordered', 'Packed', 'Delivered']);
  // Its text for other pages is not shown, too.
  await expect(window.getByText('Order A-1: delivered', { exact: true })).toHaveCount(0);
  await input.fill('formulas');
  await input.press('Enter');
  await expect(window.locator('math')).toHaveCount(7);
  await expect(window.getByText('$5 and $10 are prices.')).toBeVisible();
});
