// Long conversations: the history loads in pages without jumps, and the DOM stays small.
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

const count = 500;

/** Starts a conversation, leaves the page, and creates numbered messages of the visitor. */
async function createHistory(chat: ChatPage, size: number): Promise<void> {
  await chat.startConversation();
  const { client, conversationId } = await chat.visitor();
  // Drawing hundreds of live messages is not part of these tests, and takes minutes on a busy machine.
  await chat.page.goto('about:blank');
  // JSON without an instruction: the scripted bot does not answer it.
  for (let i = 0; i < size; i++) {
    const text = JSON.stringify({ n: i, words: 'Some words of a message. '.repeat(i % 7) });
    await client.createMessage({ conversationId, payload: { type: 'text', text } });
  }
}

test('older messages come in order when the visitor scrolls up, to the beginning', { tag: '@story' }, async ({
  chat,
}) => {
  await createHistory(chat, 60);
  await chat.open();
  await expect(chat.rows.last()).toContainText('"n":59,');
  await expect(chat.rows.last()).toBeInViewport();
  // One page of the list is loaded.
  await expect(chat.rows).toHaveCount(50);
  const beginning = chat.window.getByText('This is the beginning of your conversation.');
  await expect
    .poll(async () => {
      await chat.window.locator('.viewport').evaluate((e) => e.scrollTo(0, 0));
      return beginning.count();
    })
    .toBe(1);
  await expect(chat.rows).toHaveCount(61);
  const numbers = (await chat.texts()).flatMap((text) => /"n":(\d+),/.exec(text)?.[1] ?? []);
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, n) => `${n}`));
});

test('pages far from the viewport leave the DOM, and return at the same position', async ({ chat }) => {
  test.slow();
  await createHistory(chat, count);
  await chat.open();
  await expect(chat.rows.last()).toContainText(`"n":${count - 1},`);
  // Exactly one page of the list is loaded. The rows above the newest ones are drawn in the next tasks.
  await expect(chat.rows).toHaveCount(50);

  const viewport = chat.window.locator('.viewport');
  const beginning = chat.window.getByText('This is the beginning of your conversation.');
  let most = 0;
  // On a slow machine a page is added in parts of six.
  for (let i = 0; i < 150 && (await beginning.count()) === 0; i++) {
    const before = await viewport.evaluate((e) => e.scrollHeight);
    await viewport.evaluate((e) => e.scrollTo(0, 0));
    await expect
      .poll(
        async () =>
          (await beginning.count()) > 0 || (await viewport.evaluate((e) => e.scrollHeight)) > before,
      )
      .toBe(true);
    most = Math.max(most, await chat.rows.count());
  }
  await expect(beginning).toHaveCount(1);
  await viewport.evaluate((e) => e.scrollTo(0, 0));
  await expect(chat.rows.first()).toContainText('I am the demo bot’s scripted double');
  // Only loaded messages near the viewport are in the DOM.
  await expect.poll(() => chat.rows.count()).toBeLessThan(350);
  expect(most).toBeLessThan(450);

  // Scroll down in steps of one screen: every message appears once, in order, without jumps.
  const seen = await viewport.evaluate(async (element) => {
    const numbers: number[] = [];
    let jumps = 0;
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const end = () => element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
    for (let steps = 0; steps < 2_000; steps++) {
      const { top, bottom } = element.getBoundingClientRect();
      for (const row of element.querySelectorAll('.row')) {
        const box = row.getBoundingClientRect();
        const number = /"n":(\d+),/.exec(row.textContent ?? '')?.[1];
        if (number && box.bottom > top && box.top < bottom && !numbers.includes(Number(number)))
          numbers.push(Number(number));
      }
      if (end()) break;
      const before = element.scrollTop;
      element.scrollTop += element.clientHeight - 80;
      const scrollTop = element.scrollTop;
      await frame();
      if (scrollTop !== before && Math.abs(element.scrollTop - scrollTop) > 1) jumps++;
    }
    return { numbers, jumps };
  });
  expect(seen.numbers).toEqual([...Array(count).keys()]);
  expect(seen.jumps).toBe(0);
  await expect.poll(() => chat.rows.count()).toBeLessThan(350);
  // A new message is appended at the end, and in view.
  const row = chat.rows.filter({ hasText: 'received text' });
  await chat.send('The end');
  await expect(row).toBeInViewport();
  await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
});

test('a slow computer adds older messages in parts, and the text stays in place', async ({ chat, page }) => {
  test.slow();
  await createHistory(chat, 99);
  await chat.open();
  await expect(chat.rows).toHaveCount(50);
  // The code for older messages is loaded when the page is idle.
  const viewport = chat.window.locator('.viewport');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const seen = await viewport.evaluate(
    (element) =>
      new Promise<{ parts: number[]; isNearestFirst: boolean; moved: number }>((resolve) => {
        const parts: number[] = [];
        const read = element.querySelector('.row') as HTMLElement;
        let isNearestFirst = true;
        let last = read;
        element.scrollTop = 300;
        // Not the row: the heading of its day disappears when older messages of that day are added.
        const line = read.querySelector('.line') as HTMLElement;
        const place = () => line.getBoundingClientRect().top - element.getBoundingClientRect().top;
        const before = place();
        new MutationObserver((records) => {
          const added = records
            .flatMap((record) => [...record.addedNodes])
            .flatMap((node) => {
              if (!(node instanceof HTMLElement)) return [];
              return node.matches('.row') ? [node] : [...node.querySelectorAll<HTMLElement>('.row')];
            });
          if (!added.length) return;
          parts.push(added.length);
          for (const row of added) {
            isNearestFirst &&= (row.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
          }
          last = element.querySelector('.row') as HTMLElement;
          if (parts.reduce((sum, count) => sum + count, 0) < 50) return;
          // After the position was restored and the last part painted.
          const done = () => resolve({ parts, isNearestFirst, moved: Math.abs(place() - before) });
          requestAnimationFrame(() => requestAnimationFrame(done));
        }).observe(element, { childList: true, subtree: true });
      }),
  );
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  // The later ones depend on the speed of the computer.
  expect(seen.parts.length).toBeGreaterThanOrEqual(2);
  expect(seen.parts[0]).toBeLessThanOrEqual(6);
  expect(seen.isNearestFirst).toBe(true);
  expect(seen.moved).toBeLessThanOrEqual(1);
  const texts = await chat.rows.allTextContents();
  const numbers = texts.flatMap((text) => /"n":(\d+),/.exec(text)?.[1] ?? []).map(Number);
  expect(numbers).toEqual([...Array(99).keys()]);
});
