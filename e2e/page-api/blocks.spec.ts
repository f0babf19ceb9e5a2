// Blocks of answers that the page draws: in a real browser, live and after a reload, and with code that fails.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { violations } from '../support/axe.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

declare global {
  interface Window {
    drawn: string[];
    removeBlock(): void;
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
const log = () => window.drawn;
const block = (id: string, more: object = {}) => ({ block: ['order', { id, ...more }, `Text of ${id}`] });

test('a block is drawn by the page, when it is registered before, after a reload and too late; and is removed', async ({
  chat,
  page,
}) => {
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
  await page.evaluate(() => (window.platform as Platform).config({ configuration: { color: '#0a7a5a' } }));
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

test('a block whose data changes is drawn again, once, and what was drawn is told so', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await page.evaluate(registerOrder);
  const gate = await startRequestGate();
  await chat.instructBot({ stream: ['Look: ', block('B-1'), { until: gate.url }, 'end'] });
  await expect(page.getByRole('button', { name: 'Track B-1' })).toBeVisible();
  gate.open();
  await expect(chat.botRows.last()).toHaveAttribute('data-status', 'sent');
  expect(await page.evaluate(log)).toEqual(['draw B-1']);
  await page.evaluate(() => (window.platform as Platform).destroy());
  expect(await page.evaluate(log)).toEqual(['draw B-1', 'abort B-1']);
  await expect(page.getByRole('button', { name: 'Track B-1' })).toHaveCount(0);
});

test('code that throws or rejects shows the text of the bot, is reported once, and breaks nothing', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await page.evaluate(registerOrder);
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

test('a huge block scrolls in its message', async ({ chat, page }) => {
  await chat.startConversation();
  await page.evaluate(registerOrder);
  await chat.instructBot({ stream: ['Look: ', block('D-1', { tall: true })] });
  const group = page.getByRole('group', { name: 'Order D-1' });
  await expect(group).toBeVisible();
  const [box, frame] = [await group.boundingBox(), await chat.window.boundingBox()];
  expect(box?.width).toBeLessThanOrEqual(frame?.width ?? 0);
  expect(box?.height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
});

test('the text of an unknown block is text, whatever is in it', async ({ chat }) => {
  await chat.startConversation();
  await chat.instructBot({ stream: ['Look: ', { block: ['unknown', { a: 1 }, '<b>text</b>'] }] });
  await expect(chat.botRows.last()).toContainText('<b>text</b>');
});
